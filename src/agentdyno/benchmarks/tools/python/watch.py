"""Watches what all processes of a sandbox take together, which no limit of one process bounds.

Enters the host's number of the sandbox's first process; leaves the limit that was passed. Looks
ten times a second. Memory is the sum of what the processes hold alone and their part of what they
share, asked from the kernel only when a cheap overestimate is above the limit.
"""

import os
from pathlib import Path

import anyio

from agentdyno.benchmarks.tools.config import PythonConfig
from agentdyno.benchmarks.tools.python.execution import Stop

_INTERVAL_SECONDS = 0.1
_PAGE = os.sysconf("SC_PAGE_SIZE")


async def watch(first: int, config: PythonConfig) -> Stop:
    """Returns when the sandbox has taken too much."""
    while True:
        members = _members(first)
        if _resident_bytes(members) > config.memory_bytes < _shared_out_bytes(members):
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
    return sum((int(w[1]) - int(w[2])) * _PAGE for w in words if len(w) > 2)


def _shared_out_bytes(members: list[int]) -> int:
    return sum(map(_proportional_bytes, members))


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
