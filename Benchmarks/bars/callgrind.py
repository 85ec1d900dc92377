"""The counts of valgrind's callgrind: instructions and allocations of a run, or of a part of a run."""

import re
import shutil
import subprocess

from . import servers

ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}


class Counts:
    """The number of instructions, of instructions that clear memory, and of calls of an allocator.

    Clearing is counted separately, because callgrind counts one instruction per byte, whereas the processor uses about one per 32 bytes.
    """

    def __init__(self, path):
        """Parses callgrind's format: `fn=(12) memset` defines the name of a function, which is `(12)` from then on. A line with a position and a cost is the
        function's own cost. The line after `calls=7 …` is the cost of the callee."""
        self.instructions = self.cleared = self.allocations = 0
        names, here, called, inclusive = {}, "", "", False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("calls="):
                    inclusive = True
                    if names.get(called) in ALLOCATORS:
                        self.allocations += int(line[6:].split()[0])
                elif named := re.match(r"(c?)fn=(\(\d+\))(?: (.*))?", line):
                    if named.group(3):
                        names[named.group(2)] = re.sub(r"'\d+$", "", named.group(3))
                    if named.group(1):
                        called = named.group(2)
                    else:
                        here = named.group(2)
                elif line[0] in "+-*0123456789":
                    if not inclusive and "memset" in names.get(here, ""):
                        self.cleared += int(line.split()[1])
                    inclusive = False
                elif line.startswith(("summary:", "totals:")):
                    self.instructions = int(line.split()[1])


class Service:
    """A service under callgrind. `output`: the path of callgrind's own files, for inspection; they end with .1, .2, …"""

    def __init__(self, folder, output, settings=None):
        if not shutil.which("valgrind"):
            subprocess.run(["scripts/install-needed", "thresholds"], check=True)
        program = f"{folder}/cairn"
        # Valgrind cannot read Swift's debug information, so it is removed.
        subprocess.run(["strip", "-g", "-o", program, servers.binary()], check=True)
        under = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", "--quiet"]
        self.server = servers.cairn(folder, settings=settings, under=under, program=program)
        self.output, self.dumps = output, 0

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *given):
        return self.server.__exit__(*given)

    def counts(self, run):
        """The counts of what the service does during a call of `run`."""
        self._control("-z")
        run()
        self._control("-d")
        self.dumps += 1
        return Counts(f"{self.output}.{self.dumps}")

    def _control(self, option):
        process = str(self.server.process.pid)
        subprocess.run(["callgrind_control", option, process], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
