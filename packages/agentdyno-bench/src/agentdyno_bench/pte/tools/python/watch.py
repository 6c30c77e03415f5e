"""Watches what all processes of a sandbox take together, which no limit of one process bounds.

Takes the host's number of the sandbox's first process; returns the limit that was passed. Where the
program has a control group, the kernel keeps its memory and this only looks whether it had to.
Where there is none, memory is counted here, twenty times a second and more often the less is left.
The count is sound, never too low: what the processes hold alone and their part of what they share
(asked from the kernel only when a cheap overestimate is above the limit), every shared anonymous
mapping at its full size, because pages that nobody maps any more stay in it, for every socket and
pipe as much as it can buffer, and what the kernel spends on mappings. Between two looks a program
can still take what the machine fills in that time; `bench/sandbox.py` measures how much that is.
"""

import os
import secrets
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import anyio

from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python.boot import DESCRIPTORS
from agentdyno_bench.pte.tools.python.control_groups import Group
from agentdyno_bench.pte.tools.python.execution import Stop

_INTERVAL_SECONDS, _SHORTEST_SECONDS = 0.05, 0.001
_LIMIT_SHARE = 0.92
"""A program that is counted is stopped here: between two looks it goes on."""
_FILLED_BYTES_A_SECOND = 2e9
"""What one processor can fill at the most; a program that is counted has no more than one."""
_PIPE_BYTES = 64 * 1024
"""What a pipe holds as it is made; the filter keeps it from growing."""
_MAPPING_BYTES, _FREE_MAPPINGS = 4096, 500
"""What the kernel keeps for each mapping at the most, its part of a page table included; and how
many any process has. Programs of very many would also take long to count."""
_FREE_ENDS = 24
"""Sockets and pipes that any program has, not counted."""
_LISTENING, _OVER = "0A", "06"
_PAGE = os.sysconf("SC_PAGE_SIZE")


def hold_back(first: int) -> None:
    """Gives a program that is counted one processor: the count must be quicker than the program. It
    has no way to get another."""
    with suppress(OSError):
        os.sched_setaffinity(first, {secrets.choice(sorted(os.sched_getaffinity(0)))})


async def watch(first: int, config: PythonConfig, group: Group | None = None) -> Stop:
    """Returns when the sandbox has taken too much."""
    while True:
        if group is None:
            if await _exceeds_memory(first, config.memory_bytes):
                return "memory"
        elif group.ran_out():
            return "memory"
        else:
            await anyio.sleep(_INTERVAL_SECONDS)
        if any(_files(first, folder) > config.files for folder in ("tmp", "dev/shm")):
            return "files"


async def _exceeds_memory(first: int, limit: int) -> bool:
    """True once the program takes more than the limit. What counts slowly is checked once, what
    fills quickly again and again, the sooner the less is left."""
    members = _members(first)
    room = int(limit * _LIMIT_SHARE) - _count_hidden_bytes(first, members)
    began, first_left = time.monotonic(), None
    while True:
        remaining = room - _resident_bytes(members)
        if remaining < 0:
            remaining = room - _count_shared_out_bytes(members)
        if remaining < 0:
            return True
        first_left = remaining if first_left is None else first_left
        pause = max(_SHORTEST_SECONDS, remaining / 2 / _FILLED_BYTES_A_SECOND)
        again = began + min(_INTERVAL_SECONDS, first_left / 2 / _FILLED_BYTES_A_SECOND)
        await anyio.sleep(max(0, min(pause, again - time.monotonic())))
        if time.monotonic() >= again:
            return False


def _members(first: int) -> list[int]:
    """The first process and all below it: orphans become the first's children."""
    members = [first]
    for process in members:  # The list grows while it is walked.
        for thread in _list_folder(f"/proc/{process}/task"):
            members += map(int, _words(f"/proc/{process}/task/{thread}/children"))
    return members


def _resident_bytes(members: list[int]) -> int:
    words = (_words(f"/proc/{process}/statm") for process in members)
    return sum(int(w[1]) * _PAGE for w in words if len(w) > 2)


def _count_shared_out_bytes(members: list[int]) -> int:
    return sum(map(_proportional_bytes, members))


def _count_hidden_bytes(first: int, members: list[int]) -> int:
    """Memory missing from the processes' own counts: shared mappings and the kernel's own."""
    shared: dict[str, int] = {}
    ends: dict[str, int] = {}
    mappings = 0
    for process in members:
        lines = _lines(f"/proc/{process}/maps")
        mappings += max(0, len(lines) - _FREE_MAPPINGS)
        shared |= _find_shared_mappings(lines)
        ends |= _ends(process)
    counted = sorted(ends.values(), reverse=True)[: max(0, len(ends) - _FREE_ENDS)]
    # Sockets can be sent through sockets; what is on its way nobody holds.
    posted = DESCRIPTORS * _socket_bytes() if max(counted, default=0) > _PIPE_BYTES else 0
    kernel = mappings * _MAPPING_BYTES + _tables_bytes(members) + _tcp_bytes(first)
    return sum(shared.values()) + sum(counted) + posted + kernel


def _find_shared_mappings(lines: list[str]) -> dict[str, int]:
    """Shared anonymous mappings by their inode, with their sizes."""
    sizes: dict[str, int] = {}
    for line in lines:
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[1][3] == "s" and parts[5].startswith("/dev/zero"):
            low, _, high = parts[0].partition("-")
            sizes[parts[4]] = sizes.get(parts[4], 0) + int(high, 16) - int(low, 16)
    return sizes


def _ends(process: int) -> dict[str, int]:
    """Sockets and pipes that a process holds, with what each can buffer."""
    capacities: dict[str, int] = {}
    for name in _list_folder(f"/proc/{process}/fd"):
        try:
            target = os.readlink(f"/proc/{process}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:"):
            capacities[target] = _socket_bytes()
        elif target.startswith("pipe:"):
            capacities[target] = _PIPE_BYTES
    return capacities


@cache
def _socket_bytes() -> int:
    """The most that a socket buffers for its neighbour: as it is made, and the message that is one
    too many; the filter keeps it from growing."""
    return 2 * int((_words("/proc/sys/net/core/wmem_default") or ["212992"])[0])


@cache
def _connection_bytes() -> int:
    """The most that one end of a TCP connection buffers, both ways."""
    limits = (_words(f"/proc/sys/net/ipv4/tcp_{direction}mem") for direction in "rw")
    return sum(int(values[2]) if len(values) == 3 else 6 * 2**20 for values in limits)


def _tcp_bytes(first: int) -> int:
    """Ends of connections, those included that nobody holds any more, as full as they can be."""
    rows = _lines(f"/proc/{first}/net/tcp")[1:] + _lines(f"/proc/{first}/net/tcp6")[1:]
    open_ends = [row for row in rows if row.split()[3] not in (_LISTENING, _OVER)]
    return len(open_ends) * _connection_bytes()


def _tables_bytes(members: list[int]) -> int:
    """Page tables."""
    total = 0
    for process in members:
        words = _words(f"/proc/{process}/status")
        total += int(words[words.index("VmPTE:") + 1]) * 1024 if "VmPTE:" in words else 0
    return total


def _proportional_bytes(process: int) -> int:
    words = _words(f"/proc/{process}/smaps_rollup")
    if "Pss:" in words:
        return int(words[words.index("Pss:") + 1]) * 1024
    return _resident_bytes([process])


def _files(first: int, folder: str) -> int:
    inside = f"/proc/{first}/root/{folder}"
    try:
        # Held open: what is asked twice must be one place while the sandbox is still moving in.
        descriptor = os.open(inside, os.O_PATH)
    except OSError:
        return 0  # Gone, or not set up yet.
    try:
        if os.fstat(descriptor).st_dev in _host_devices(folder):
            return 0  # Still on its way in: this is the host's.
        state = os.fstatvfs(descriptor)
    finally:
        os.close(descriptor)
    return state.f_files - state.f_ffree


def _host_devices(folder: str) -> set[int]:
    return {os.stat(path).st_dev for path in ("/", f"/{folder}") if os.path.exists(path)}


def _list_folder(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def _words(path: str) -> list[str]:
    return " ".join(_lines(path)).split()
