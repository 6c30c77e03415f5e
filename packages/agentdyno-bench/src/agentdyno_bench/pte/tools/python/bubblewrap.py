"""Runs programs behind bubblewrap on the host. Linux only.

Takes a program's text; returns what it printed and how it ended. When `execute` returns, every
process of the program is gone and its files with them: they lived in memory. The program's text
reaches the sandbox through a descriptor, so nothing is written to the host's disk. The sandbox
waits at a gate until its first process is in a control group, where the system gives one.
"""

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import Process
from msgspec import Struct

from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python import control_groups, seccomp
from agentdyno_bench.pte.tools.python.capture import Capture
from agentdyno_bench.pte.tools.python.control_groups import Group
from agentdyno_bench.pte.tools.python.execution import Execution, Stop, shell_exit_code
from agentdyno_bench.pte.tools.python.first_process import FirstProcess
from agentdyno_bench.pte.tools.python.interpreter import Interpreter, current_interpreter
from agentdyno_bench.pte.tools.python.walls import command
from agentdyno_bench.pte.tools.python.watch import hold_back, watch

# A user of its own, that owns nothing and runs nothing else: the kernel counts processes by user,
# so that programs in different sandboxes do not use up each other's.
_LOWEST, _HIGHEST = 2_000_000_000, 2_100_000_000


def find_unused_id(uid_map: Path = Path("/proc/self/uid_map")) -> int:
    """An unused user number, within those that exist here (few in some containers)."""
    count = _count_mapped(uid_map)
    if count > _HIGHEST:
        return _LOWEST + secrets.randbelow(_HIGHEST - _LOWEST)
    return max(1, count // 2) + secrets.randbelow(max(1, count // 2 - 1))


def _count_mapped(uid_map: Path) -> int:
    try:
        ranges = [line.split() for line in uid_map.read_text().splitlines()]
    except OSError:
        return 2**32
    return max((int(first) + int(count) for first, _, count in ranges), default=1)


INSTALL = "Install bubblewrap 0.8 or newer: apt-get install bubblewrap"
_PROBE_SECONDS = 30
_PATIENCE_SECONDS = 2


class Bubblewrap:
    """The backend."""

    name = "bubblewrap"

    def __init__(
        self,
        config: PythonConfig,
        interpreter: Interpreter | None = None,
        start_as: int | None = None,
        groups: bool = True,
    ) -> None:
        """`start_as`: the user that starts bubblewrap, where it is not one's own; without `groups`
        memory is counted even where there are control groups."""
        self._groups = groups
        self._config = config
        self._interpreter = interpreter or current_interpreter(config.packages)
        self._start_as = start_as

    async def execute(self, code: str) -> Execution:
        """Runs one program."""
        started = time.monotonic()
        capture = Capture(self._config.output_bytes)
        process, first, gate = await self._start(code)
        group: Group | None = None
        peak: int | None = None
        try:
            await first.find()
            group = self._enter_group(first)
            if group is None and first.number is not None:
                hold_back(first.number)
            gate.open()
            stopped = await self._attend(process, first, capture, group)
        finally:
            gate.close()
            with anyio.CancelScope(shield=True):
                await _end(process, first)
                if group is not None:
                    peak = group.peak_bytes()
                    await anyio.to_thread.run_sync(group.remove)
        return Execution(
            capture.text("stdout"),
            capture.text("stderr"),
            None if stopped else shell_exit_code(process.returncode),
            stopped,
            time.monotonic() - started,
            peak,
        )

    @property
    def memory_limited_by(self) -> str:
        """Who keeps the limit on memory."""
        version = control_groups.version() if self._groups else None
        return "count" if version is None else f"control group, version {version}"

    def _enter_group(self, first: FirstProcess) -> Group | None:
        """The program's own group, with its first process in it; None where it is counted."""
        if first.number is None or not self._groups:
            return None
        group = control_groups.open_group(self._config.memory_bytes, self._config.processes + 2)
        if group is None:
            return None
        try:
            group.add(first.number)
        except OSError:
            group.remove()
            return None
        return group

    async def _start(self, code: str) -> tuple[Process, FirstProcess, "_Gate"]:
        with self._prepare(code) as start:
            first = FirstProcess(start.pid_pipe)
            try:
                process = await anyio.open_process(
                    start.arguments, stdin=subprocess.DEVNULL, **start.options
                )
            except BaseException:
                first.forget()
                start.gate.close()
                raise
        return process, first, start.gate

    async def _attend(
        self, process: Process, first: FirstProcess, capture: Capture, group: Group | None
    ) -> Stop | None:
        """Follows the program until it ends or has taken too much."""
        reasons: list[Stop] = []
        async with anyio.create_task_group() as tasks:

            async def stop_after(reason: Awaitable[Stop]) -> None:
                reasons.append(await reason)
                tasks.cancel_scope.cancel()

            tasks.start_soon(stop_after, _patience(self._config.time_seconds))
            tasks.start_soon(stop_after, _overflow(capture))
            if first.number is not None:
                tasks.start_soon(stop_after, watch(first.number, self._config, group))
            await _read_and_wait(process, capture)
            tasks.cancel_scope.cancel()
        if group is not None and group.ran_out():
            return "memory"
        return "output" if capture.full.is_set() else next(iter(reasons), None)

    def probe(self) -> str | None:
        """Why no sandbox can be made here; None when one was made."""
        with self._prepare("print('walls')") as start:
            start.gate.open()
            try:
                run = subprocess.run(
                    start.arguments,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_PROBE_SECONDS,
                    check=False,
                    **start.options,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                return str(error)[:200]
            finally:
                os.close(start.pid_pipe)
                start.gate.close()
        if run.stdout == b"walls\n":
            return None
        return run.stderr.decode("utf-8", "replace").strip() or f"exit code {run.returncode}"

    @contextmanager
    def _prepare(self, code: str) -> Iterator["_Start"]:
        pid_pipe, pid_writer = os.pipe()
        waits, opens = os.pipe()
        text = code.encode("utf-8", "replace")
        descriptors = (_readable(text), _readable(seccomp.program()), pid_writer, waits)
        user = find_unused_id() if os.geteuid() == 0 and self._start_as is None else 0
        bwrap = shutil.which("bwrap") or "bwrap"
        options: dict[str, Any] = {
            "env": {},
            "cwd": "/",
            "pass_fds": descriptors,
            "start_new_session": True,
        }
        if self._start_as is not None:
            options |= {"user": self._start_as, "group": self._start_as, "extra_groups": []}
        try:
            counted = self.memory_limited_by == "count"
            walls = command(bwrap, self._interpreter, self._config, user, descriptors, counted)
            yield _Start(walls, options, pid_pipe, _Gate(opens))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


class _Gate:
    """Holds the sandbox back until it is opened, or forgotten."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def open(self) -> None:
        """Lets the sandbox run."""
        if self._descriptor is not None:
            os.write(self._descriptor, b"1")

    def close(self) -> None:
        """Lets go of the descriptor."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class _Start(Struct):
    arguments: list[str]
    options: dict[str, Any]
    pid_pipe: int
    gate: _Gate


def _readable(data: bytes) -> int:
    """A descriptor to read data from: memory, since a pipe would block."""
    descriptor = os.memfd_create("agentdyno")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


async def _read_and_wait(process: Process, capture: Capture) -> None:
    await capture.read_both(process)
    if not capture.full.is_set():
        await process.wait()


async def _patience(seconds: float) -> Stop:
    await anyio.sleep(seconds)
    return "time"


async def _overflow(capture: Capture) -> Stop:
    await capture.full.wait()
    return "output"


async def _end(process: Process, first: FirstProcess) -> None:
    """Returns when no process of the sandbox is left."""
    # The first process first: bubblewrap collects it, and ends.
    await first.wait_until_gone()
    with anyio.move_on_after(_PATIENCE_SECONDS):
        await process.wait()
    if process.returncode is None:
        process.kill()
    await process.aclose()


@cache
def unavailable() -> str | None:
    """Why bubblewrap cannot be used on this machine; None when it can."""
    if not sys.platform.startswith("linux"):
        return f"bubblewrap needs Linux, found {sys.platform}."
    if not seccomp.is_supported():
        return "bubblewrap is set up for x86_64 and aarch64 only."
    if shutil.which("bwrap") is None:
        return f"bubblewrap is not installed. {INSTALL}"
    problem = Bubblewrap(PythonConfig(packages=False)).probe()
    return problem and f"bubblewrap cannot make a sandbox here ({problem}). {INSTALL}"
