"""Asks the process that compares formulas, and ends it when it takes too long.

One process, started when it is first needed, asked one question at a time from a thread of its
own. Its death or a comparison without end costs one answer, which is then "cannot tell".
"""

import asyncio
import atexit
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

TIME_SECONDS = 15.0
"""A comparison may take this long; ordinary ones take milliseconds, on a busy machine seconds."""
START_SECONDS = 120.0


class Verifier:
    """The process, and who is next to ask it."""

    def __init__(self, time_seconds: float = TIME_SECONDS) -> None:
        self._time_seconds = time_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="agentdyno-verifier")

    async def equal(self, expected: str, answer: str) -> bool | None:
        """Compare two formulas; None when undecided."""
        future = self._asking.submit(self._compare, expected, answer)
        return await asyncio.wrap_future(future)

    def _compare(self, expected: str, answer: str) -> bool | None:
        try:
            process = self._ensure_process()
            assert process.stdin is not None
            process.stdin.write(json.dumps([expected, answer]).encode() + b"\n")
            process.stdin.flush()
            verdict = json.loads(_line(process, self._time_seconds))
        except (OSError, ValueError):
            self._end()
            return None
        return verdict if isinstance(verdict, bool) else None

    def _ensure_process(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._process = subprocess.Popen(
                # -P: a file in the current folder must not stand in for a module.
                [sys.executable, "-P", "-m", "agentdyno_bench.pte.tir.verify_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is ours to answer.
            )
            _line(self._process, START_SECONDS)
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def close(self) -> None:
        """Ends the process; a later question starts another."""
        self._asking.submit(self._end).result()


def _line(process: "subprocess.Popen[bytes]", seconds: float) -> bytes:
    """The next line; a process that takes too long is ended, which ends its line too."""
    assert process.stdout is not None
    limit = threading.Timer(seconds, process.kill)
    limit.start()
    try:
        return process.stdout.readline()
    finally:
        limit.cancel()


def _environment() -> dict[str, str]:
    """Without keys: what models write is looked at in there."""
    passed_on = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV")
    return {name: os.environ[name] for name in passed_on if name in os.environ}


@lru_cache(maxsize=1)
def verifier() -> Verifier:
    """This process's own."""
    instance = Verifier()
    atexit.register(instance._end)  # The thread is idle by then: the pool has been waited for.
    return instance
