"""Looks that a library of the build asks no more of a CPU than x86-64 has had from its beginning, but in functions that
Highway calls only where the CPU has what they need.

usage: baseline.py LIBRARY
"""

import collections
import re
import subprocess
import sys

# Whatever is encoded as AVX, works on its registers, or came with SSE3 to SSE4.2, POPCNT, BMI and FMA.
LATER = re.compile(
    r"\t(v[a-z0-9]+ .*%[xyz]mm|.*%(ymm|zmm)|"
    r"(pshufb|palignr|pabs[bwd]|ph(add|sub)\w+|pmaddubsw|pmulhrsw|psign[bwd]|pmulld|pmuldq|p(max|min)(sb|sd|uw|ud)|"
    r"pextr[bdq]|pinsr[bdq]|round[ps][sd]|p?blend\w+|ptest|pcmpeqq|pcmpgtq|pmov[sz]x\w+|packusdw|dpp[sd]|mpsadbw|"
    r"addsubp[sd]|h(add|sub)p[sd]|lddqu|mov(ddup|shdup|sldup)|crc32\w|popcnt\w?|lzcnt\w?|andn[lq]?|bextr\w?|bzhi\w?|"
    r"pdep|pext|mulx\w?|sarx\w?|shlx\w?|shrx\w?|rorx\w?)\b)"
)


def main(library):
    lines = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", library], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    function, dispatched, found = "", 0, collections.Counter()
    for line in lines:
        if line.endswith(">:"):
            function = line
        elif LATER.search(line):
            if re.search(r"N_(AVX|SSSE3|SSE4)", function):
                dispatched += 1
            else:
                found[function] += 1
    for function, count in found.most_common(10):
        print(f"{count} later instructions in {function}")
    assert dispatched > 1000, "none were found where they belong: this looks at nothing"
    print(f"{library}: {dispatched:,} later instructions in functions that are dispatched, {found.total()} elsewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
