"""Watches what all processes of a sandbox take together, which no limit of one process bounds.

Takes the host's number of the sandbox's first process; returns the limit that was passed. Looks
twenty times a second. Memory is counted soundly, never too low: what the processes hold alone and
their part of what they share (asked from the kernel only when a cheap overestimate is above the
limit), every shared anonymous mapping at its full size, because pages that nobody maps any more
stay in it, and for every socket and pipe as much as it can buffer.
"""

import os
from pathlib import Path

import anyio

from agentdyno.benchmarks.tools.config import PythonConfig
from agentdyno.benchmarks.tools.python.execution import Stop

_INTERVAL_SECONDS = 0.05
_SOCKET_BYTES, _PIPE_BYTES = 2 * 212_992, 64 * 1024
"""What one can hold at the most: send and receive buffer; a pipe as it is made."""
_FREE_ENDS = 24
"""Sockets and pipes that any program has, not counted."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


async def watch(first: int, config: PythonConfig) -> Stop:
    """Returns when the sandbox has taken too much."""
    while True:
        members = _members(first)
        hidden = _hidden_bytes(members)
        room = config.memory_bytes - hidden
        if _resident_bytes(members) > room and _shared_out_bytes(members) > room:
            return "memory"
        if any(_files(first, place) > config.files for place in ("tmp", "dev/shm")):
            return "files"
        await anyio.sleep(_INTERVAL_SECONDS)


def _members(first: int) -> list[int]:
    """The first process and all below it: orphans become the first's children."""
    found = [first]
    for process in found:  # The list grows while it is walked.
        for thread in _listed(f"/proc/{process}/task"):
            found += map(int, _words(f"/proc/{process}/task/{thread}/children"))
    return found


def _resident_bytes(members: list[int]) -> int:
    words = (_words(f"/proc/{process}/statm") for process in members)
    return sum(int(w[1]) * _PAGE for w in words if len(w) > 2)


def _shared_out_bytes(members: list[int]) -> int:
    return sum(map(_proportional_bytes, members))


def _hidden_bytes(members: list[int]) -> int:
    """What no process's own count shows: shared mappings as they are, and buffers of the kernel."""
    shared: dict[str, int] = {}
    ends: dict[str, int] = {}
    for process in members:
        shared |= _shared_mappings(process)
        ends |= _ends(process)
    buffers = sorted(ends.values(), reverse=True)[: max(0, len(ends) - _FREE_ENDS)]
    return sum(shared.values()) + sum(buffers)


def _shared_mappings(process: int) -> dict[str, int]:
    """Shared anonymous mappings by their inode, with their sizes."""
    found: dict[str, int] = {}
    try:
        lines = Path(f"/proc/{process}/maps").read_text().splitlines()
    except OSError:
        return {}
    for line in lines:
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[1][3] == "s" and parts[5].startswith("/dev/zero"):
            low, _, high = parts[0].partition("-")
            found[parts[4]] = found.get(parts[4], 0) + int(high, 16) - int(low, 16)
    return found


def _ends(process: int) -> dict[str, int]:
    """Sockets and pipes that a process holds, with what each can buffer."""
    found: dict[str, int] = {}
    for name in _listed(f"/proc/{process}/fd"):
        try:
            target = os.readlink(f"/proc/{process}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:"):
            found[target] = _SOCKET_BYTES
        elif target.startswith("pipe:"):
            found[target] = _PIPE_BYTES
    return found


def _proportional_bytes(process: int) -> int:
    words = _words(f"/proc/{process}/smaps_rollup")
    if "Pss:" in words:
        return int(words[words.index("Pss:") + 1]) * 1024
    return _resident_bytes([process])


def _files(first: int, place: str) -> int:
    inside = f"/proc/{first}/root/{place}"
    try:
        # Held open: what is asked twice must be one place while the sandbox is still moving in.
        held = os.open(inside, os.O_PATH)
    except OSError:
        return 0  # Gone, or not set up yet.
    try:
        if os.fstat(held).st_dev in _host_devices(place):
            return 0  # Still on its way in: this is the host's.
        state = os.fstatvfs(held)
    finally:
        os.close(held)
    return state.f_files - state.f_ffree


def _host_devices(place: str) -> set[int]:
    return {os.stat(path).st_dev for path in ("/", f"/{place}") if os.path.exists(path)}


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _words(path: str) -> list[str]:
    try:
        return Path(path).read_text().split()
    except OSError:
        return []
