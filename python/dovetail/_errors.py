"""Exceptions of the package that Python itself has none for."""


class InputError(ValueError):
    """A file whose content is not what it should be.

    The message reads ``FILE:LINE: found WHAT; expected WHAT``.
    """

    file: str
    """Which file."""
    line: int
    """Which line, from 1; 0 where the problem is the file as a whole."""

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
