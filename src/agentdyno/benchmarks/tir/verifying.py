"""Asks the process that compares formulas, and ends it when it takes too long.

One process for each event loop, started when it is first needed, asked one question at a time.
Its death or a comparison without end costs one answer, which is then "cannot tell".
"""

import asyncio
import json
import os
import sys
from importlib.util import find_spec
from weakref import WeakKeyDictionary

from agentdyno.records import InputError

TIME_SECONDS = 5.0
"""A comparison may take this long; ordinary ones take milliseconds."""
START_SECONDS = 60.0


class Verifier:
    """The process, and who is next to ask it."""

    def __init__(self, time_seconds: float = TIME_SECONDS) -> None:
        self._time_seconds = time_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def equal(self, expected: str, given: str) -> bool | None:
        """Whether two formulas are equal; None when that cannot be told."""
        async with self._turn:
            try:
                return await self._ask(expected, given)
            except (TimeoutError, OSError, ValueError):
                await self.close()
                return None
            except BaseException:
                await self.close()  # The next one must not get this one's answer.
                raise

    async def _ask(self, expected: str, given: str) -> bool | None:
        process = await self._started()
        assert process.stdin is not None
        process.stdin.write(json.dumps([expected, given]).encode() + b"\n")
        await process.stdin.drain()
        told = json.loads(await self._line(process, self._time_seconds))
        return told if isinstance(told, bool) else None

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "agentdyno.benchmarks.tir.verify_worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is ours to answer.
            )
            await self._line(self._process, START_SECONDS)
        return self._process

    async def _line(self, process: asyncio.subprocess.Process, seconds: float) -> bytes:
        assert process.stdout is not None
        async with asyncio.timeout(seconds):
            return await process.stdout.readline()

    async def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


def _environment() -> dict[str, str]:
    """Without keys: what models write is looked at in there."""
    kept = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV")
    return {name: os.environ[name] for name in kept if name in os.environ}


_verifiers: "WeakKeyDictionary[asyncio.AbstractEventLoop, Verifier]" = WeakKeyDictionary()


def verifier() -> Verifier:
    """The running loop's own."""
    loop = asyncio.get_running_loop()
    if loop not in _verifiers:
        _verifiers[loop] = Verifier()
    return _verifiers[loop]


def require_math_verify() -> None:
    """An error that names the command when math-verify is not installed."""
    if find_spec("math_verify") is None:
        raise InputError(
            "expected the package math-verify, which compares answers, found none. "
            "Install it: pip install 'agentdyno[bench]'"
        )
