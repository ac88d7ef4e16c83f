"""Prints python/dovetail/_parameters.py; test_parameters.py looks that it is current."""

import dovetail


def text() -> str:
    lines = [
        '"""The keywords of ``dovetail.align``, for editors and type checkers."""',
        "",
        "from typing import TypedDict",
        "",
        "",
        "class Parameters(TypedDict, total=False):",
        '    """Made by python/tests/package/make_parameters.py; docs/parameters.md says what they mean."""',
        "",
    ]
    lines += [f"    {name}: {type(value).__name__}" for name, value in dovetail.parameters().items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(text(), end="")
