"""Many alignments in one process through the Python package: memory after the last must be what it was after the
tenth, within 2%. usage: soak.py RUNS"""

import ctypes
import gc
import resource
import sys
import tempfile

import dovetail

SETTLED = 10  # runs after which memory no longer grows
PR_SET_THP_DISABLE = 41  # huge pages come and go as the system likes, 2 MiB at a time


def memory_now() -> int:
    """What is held, without what the C library keeps of memory that was given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def align_one(number: int, folder: str) -> None:
    pair = dovetail.generate(
        folder + "/pair", entities=200 + 40 * (number % SETTLED), seed=number, seed_ratio=0.3,
        labels=number % 2 == 0, overwrite=True,
    )
    model = dovetail.align(pair, seed=number, dimension=32, epochs=2)
    list(model.links)
    model.save(folder + "/out", overwrite=True)


def main() -> int:
    runs = int(sys.argv[1])
    ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)
    settled = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, runs + 1):
            align_one(number, folder)
            if number == SETTLED:
                settled = memory_now()
            if number % SETTLED == 0:
                print(f"after {number:>4} runs {memory_now() / 2**20:.1f} MiB", flush=True)
    growth = memory_now() / settled - 1
    print(f"{100 * growth:+.2f}% since the tenth; at most +2%")
    return 0 if growth <= 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
