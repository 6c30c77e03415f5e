"""How well the Python sandbox keeps its limits: what hostile programs really took, over the limit.

Runs programs that try to take more memory, processes, time or disk than they may, once where the
kernel keeps the limit in a control group and once where memory is counted, and prints the peak as a
share of the limit. The peak of the counted ones is measured by a control group without a limit, so
this needs a machine where such groups can be made.

    python bench/sandbox.py [--limit-mb 200]
"""

import argparse
import os
import time

import anyio

from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.python import control_groups
from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap
from agentdyno_bench.pte.tools.python.control_groups import Group
from agentdyno_bench.pte.tools.python.execution import Execution
from agentdyno_bench.pte.tools.python.first_process import FirstProcess

FILL = "for k in range(0, len(x), 4096):\n    x[k] = 1\n"
MEMORY = {
    "one process, as fast as it can": "import os\nkept = []\nwhile True:\n"
    "    kept.append(b'x' * 4_000_000)",
    "shared mappings of children that leave": "import mmap, os\nheld = []\nfor _ in range(60):\n"
    "    m = mmap.mmap(-1, 20_000_000)\n    held.append(m)\n    if os.fork() == 0:\n"
    "        m.write(b'x' * 20_000_000)\n        os._exit(0)\n    os.wait()",
    "socket buffers": "import socket, time\nheld = []\nwhile len(held) < 120:\n"
    "    a, b = socket.socketpair()\n    held += [a, b]\n    for end in (a, b):\n"
    "        end.setblocking(False)\n        try:\n            while end.send(b'x' * 65536):\n"
    "                pass\n        except BlockingIOError:\n            pass\ntime.sleep(1)",
    "socket buffers of ten children": "import os, socket, time\nfor _ in range(10):\n"
    "    if os.fork() == 0:\n        break\nheld = []\nwhile len(held) < 110:\n"
    "    a, b = socket.socketpair()\n    held += [a, b]\n    for end in (a, b):\n"
    "        end.setblocking(False)\n        try:\n            while end.send(b'x' * 65536):\n"
    "                pass\n        except BlockingIOError:\n            pass\ntime.sleep(2)",
    "ten children at once": "import os, time\nfor _ in range(10):\n    if os.fork() == 0:\n"
    "        x = bytearray(100_000_000)\n        for k in range(0, len(x), 4096):\n"
    "            x[k] = 1\n        time.sleep(5)\ntime.sleep(5)",
    "ten children in small pieces": "import os, time\nfor _ in range(10):\n    if os.fork() == 0:\n"
    "        kept = []\n        while True:\n            kept.append(b'x' * 500_000)\n"
    "            time.sleep(0.002)\ntime.sleep(5)",
    "TCP to itself": "import socket, time\nheld = []\n"
    "door = socket.create_server(('127.0.0.1', 0))\nblock = bytes(2**20)\nfor _ in range(58):\n"
    "    a = socket.create_connection(door.getsockname())\n    b, _ = door.accept()\n"
    "    held += [a, b]\n    for end in (a, b):\n        end.setblocking(False)\n        try:\n"
    "            while end.send(block):\n                pass\n        except BlockingIOError:\n"
    "            pass\ntime.sleep(1)",
}
FORKS = """
import os, time
made = 0
for _ in range(200):
    try:
        if os.fork() == 0:
            time.sleep(3); os._exit(0)
        made += 1
    except OSError:
        break
print(made + 1)
"""
DISK = """
held = 0
try:
    for n in range(400):
        with open(f'/tmp/{n}', 'wb') as f:
            held += f.write(bytes(2**18))
except OSError:
    pass
print(held)
"""


class Measured(Bubblewrap):
    """Memory is counted as without groups; a group without a limit tells what was really held."""

    group: Group | None = None

    def _enter_group(self, first: FirstProcess) -> Group | None:
        self.group = control_groups.open_group(2**40, 10_000)
        if self.group is not None and first.number is not None:
            self.group.add(first.number)
        return None


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit-mb", type=int, default=200)
    limit = parser.parse_args().limit_mb * MIB
    if (problem := control_groups.unavailable()) is not None:
        raise SystemExit(f"bench/sandbox.py: {problem}")
    config = PythonConfig(
        packages=False, memory_bytes=limit, processes=12, time_seconds=8, disk_bytes=16 * MIB
    )
    print(f"load average {os.getloadavg()[0]:.1f}; limit {limit // MIB} MiB")
    print(f"{'program':42} {'group':>8} {'counted':>8}  of the limit")
    for name, code in MEMORY.items():
        grouped = anyio.run(Bubblewrap(config).execute, code)
        counting = Measured(config, groups=False)
        counted = anyio.run(counting.execute, code)
        assert counting.group is not None
        peak = counting.group.peak_bytes()
        counting.group.remove()
        print(f"{name:42} {_share(grouped.peak_bytes, limit)} {_share(peak, limit)}  "
              f"{_end(grouped)} / {_end(counted)}")  # fmt: skip
    forks = anyio.run(Bubblewrap(config).execute, FORKS)
    print(f"processes: {forks.stdout.strip()} of {config.processes}")
    disk = anyio.run(Bubblewrap(config).execute, DISK)
    print(f"disk: {int(disk.stdout) / config.disk_bytes:.3f} of {config.disk_bytes // MIB} MiB")
    began = time.monotonic()
    anyio.run(Bubblewrap(PythonConfig(packages=False, time_seconds=3)).execute, "while True: pass")
    print(f"time: {time.monotonic() - began:.2f} s of 3, start and end included")


def _share(peak: int | None, limit: int) -> str:
    return f"{'-' if peak is None else format(peak / limit, '.3f'):>8}"


def _end(done: Execution) -> str:
    return done.stopped or f"exit {done.exit_code}"


if __name__ == "__main__":
    main()
