"""A control group for each program, where the system gives one: the kernel keeps the limits itself.

Takes limits, returns a `Group` that a program's first process is put into before it runs; all that
it starts is born there. The kernel counts every page that the group uses, shared mappings, files in
memory, pipes and socket buffers included, and ends a process when there are no more. Both versions
of control groups are known: where this process may make groups is found from the mount table, and
tried once. `unavailable` says why there are none; then `watch` counts.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from msgspec import Struct

from agentdyno_bench.pte.tools.config import MIB

_NAME = "agentdyno"
_TCP_SHARE = 16
"""Version 1 counts TCP's buffers apart: they get this part of the memory, beside it."""
_TRIES, _PAUSE_SECONDS = 40, 0.05
_numbers = count()


class Places(Struct, frozen=True):
    """Folders of control groups in which this process may make others."""

    version: int
    """Version of control groups: 1 or 2."""
    memory: Path
    processes: Path | None
    """Where the number of processes is; None where that is left to the limits of the user."""


class Group:
    """The group of one program."""

    def __init__(self, places: Places, memory_bytes: int, processes: int) -> None:
        """Makes it; raises OSError where the system does not want to."""
        name = f"{_NAME}-{os.getpid()}-{next(_numbers)}"
        self._memory = places.memory / name
        parents = {places.memory, *([places.processes] if places.processes else [])}
        self._folders = [parent / name for parent in parents]
        self._version = places.version
        try:
            for folder in self._folders:
                folder.mkdir()
            _limit(places, name, memory_bytes, processes)
        except OSError:
            self.remove()
            raise

    def add(self, process: int) -> None:
        """Takes a process in, before it starts others."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(process))

    def ran_out(self) -> bool:
        """True when the kernel ended a process of the group for lack of memory."""
        file = "memory.oom_control" if self._version == 1 else "memory.events"
        return _counts(self._memory / file).get("oom_kill", 0) > 0

    def peak_bytes(self) -> int | None:
        """The most that it ever held; None where the kernel does not tell."""
        file = "memory.max_usage_in_bytes" if self._version == 1 else "memory.peak"
        try:
            return int((self._memory / file).read_text())
        except (OSError, ValueError):
            return None

    def remove(self) -> None:
        """Takes the group away; its processes are gone by then."""
        for folder in self._folders:
            for _ in range(_TRIES):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:  # The last process is dead, and not quite buried.
                    time.sleep(_PAUSE_SECONDS)
                else:
                    break


def open_group(memory_bytes: int, processes: int) -> Group | None:
    """A group for one program; None where there are none."""
    places = _usable()
    if isinstance(places, str):
        return None
    with suppress(OSError):
        return Group(places, memory_bytes, processes)
    return None


def unavailable() -> str | None:
    """Why no groups can be made here; None when they can."""
    groups = _usable()
    return groups if isinstance(groups, str) else None


def version() -> int | None:
    """Which version keeps the limits; None where there are no groups."""
    groups = _usable()
    return None if isinstance(groups, str) else groups.version


@cache
def _usable() -> Places | str:
    """Where groups can really be made: one is made, entered by a process and taken away."""
    problem = "no control groups for memory are mounted"
    for places in candidates(Path("/proc/self/mountinfo"), Path("/proc/self/cgroup")):
        _sweep(places)
        try:
            _try(places)
        except OSError as error:
            problem = f"control groups cannot be made here ({error.strerror})"
        else:
            return places
    return problem


def candidates(mounts: Path, membership_file: Path) -> Iterator[Places]:
    """Folders that might do, best first, from the mount table and this process's groups."""
    try:
        mounted = [_mount(line) for line in mounts.read_text().splitlines()]
        groups = [line.split(":", 2) for line in membership_file.read_text().splitlines()]
    except OSError:
        return
    paths = {name: path for _, names, path in groups for name in names.split(",")}
    first = {
        name: mount / paths[name].lstrip("/")
        for kind, options, mount in mounted
        if kind == "cgroup"
        for name in ("memory", "pids")
        if name in options and name in paths
    }
    if "memory" in first:
        yield Places(1, first["memory"], first.get("pids"))
    for kind, _, mount in mounted:
        if kind == "cgroup2" and "" in paths:
            start = mount / paths[""].lstrip("/")
            # A group with processes cannot have groups with limits below it: look further up.
            for folder in (start, *start.parents):
                if folder.is_relative_to(mount) and _delegates(folder, "memory"):
                    yield Places(2, folder, folder if _delegates(folder, "pids") else None)


def _mount(line: str) -> tuple[str, list[str], Path]:
    before, _, after = line.partition(" - ")
    kind, _, options = [*after.split(" ", 2), "", ""][:3]
    mount = before.split(" ")[4].replace("\\040", " ")
    return kind, options.split(","), Path(mount)


def _delegates(folder: Path, controller: str) -> bool:
    try:
        return controller in (folder / "cgroup.subtree_control").read_text().split()
    except OSError:
        return False


def _limit(places: Places, name: str, memory_bytes: int, processes: int) -> None:
    if places.processes is not None:
        (places.processes / name / "pids.max").write_text(str(processes))
    memory = places.memory / name
    if places.version == 2:
        (memory / "memory.max").write_text(str(memory_bytes))
        _where_there_is(memory / "memory.swap.max", "0")
        _where_there_is(memory / "memory.oom.group", "1")
        return
    (memory / "memory.limit_in_bytes").write_text(str(memory_bytes))
    _where_there_is(memory / "memory.memsw.limit_in_bytes", str(memory_bytes))
    _where_there_is(memory / "memory.kmem.tcp.limit_in_bytes", str(memory_bytes // _TCP_SHARE))


def _where_there_is(file: Path, text: str) -> None:
    """Kernels are built with and without swap and TCP accounting."""
    if file.exists():
        file.write_text(text)


def _try(places: Places) -> None:
    group = Group(places, 64 * MIB, 8)
    try:
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
            group.add(child.pid)
    finally:
        group.remove()


def _sweep(places: Places) -> None:
    """Takes away groups of AgentDyno processes that were killed."""
    for parent in {places.memory, places.processes or places.memory}:
        for folder in parent.glob(f"{_NAME}-*-*"):
            owner = folder.name.split("-")[1]
            if owner.isdigit() and not Path("/proc", owner).exists():
                with suppress(OSError):
                    folder.rmdir()


def _counts(file: Path) -> dict[str, int]:
    try:
        words = file.read_text().split()
    except OSError:
        return {}
    pairs = zip(words[::2], words[1::2], strict=False)
    return {name: int(number) for name, number in pairs if number.isdigit()}
