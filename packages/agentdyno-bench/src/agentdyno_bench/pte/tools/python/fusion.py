"""Runs programs on a SandboxFusion server, by its POST /run_code.

Takes a program's text; returns what the server says of it. The isolation is the server's.
"""

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.http import (
    Limits,
    RefusedError,
    Target,
    exchange,
    parse_target,
)
from agentdyno_bench.pte.tools.python.execution import Execution, shell_exit_code

_SERVER_SECONDS = 30
"""Beyond the program's time, for the server's queue and the way."""


class SandboxFusion:
    """The backend."""

    name = "fusion"

    def __init__(self, config: PythonConfig) -> None:
        if config.fusion_url is None:
            raise InputError(
                "expected the address of a SandboxFusion server in python.fusion_url, found none."
            )
        self._config = config
        self._target = _target(config.fusion_url)
        # JSON may take six bytes for one; a longer answer is the server's fault.
        body = 12 * config.output_bytes + 64 * 1024
        self._limits = Limits(config.time_seconds + _SERVER_SECONDS, body)

    async def execute(self, code: str) -> Execution:
        """Has one program run."""
        try:
            answer = await exchange(
                "POST",
                self._target,
                self._limits,
                headers={"Content-Type": "application/json"},
                content=self._request(code),
            )
        except RefusedError as error:
            raise ToolFailedError(f"The sandbox server is unavailable: {error}.") from None
        if not answer.is_complete:
            return Execution("", "", None, "output")
        return self._execution(answer.status, answer.body)

    def _request(self, code: str) -> bytes:
        return msgspec.json.encode(
            {
                "code": code.encode("utf-8", "replace").decode("utf-8"),
                "language": "python",
                "run_timeout": self._config.time_seconds,
                "memory_limit_MB": self._config.memory_bytes // MIB,
            }
        )

    def _execution(self, status: int, body: bytes) -> Execution:
        try:
            answer = msgspec.json.decode(body, type=_Answer)
        except msgspec.DecodeError:
            answer = _Answer("SandboxError", f"status {status}")
        ran = answer.run_result
        if answer.status == "SandboxError" or ran is None:
            raise ToolFailedError(f"The sandbox server failed: {printable(answer.message)}.")
        room = self._config.output_bytes
        stdout, stderr = ran.stdout or "", ran.stderr or ""
        if ran.status == "TimeLimitExceeded":
            return Execution(stdout[:room], stderr[:room], None, "time", ran.execution_time)
        too_long = len(stdout) + len(stderr) > room
        return Execution(
            stdout[:room],
            stderr[: max(0, room - len(stdout))],
            None if too_long else shell_exit_code(ran.return_code),
            "output" if too_long else None,
            ran.execution_time,
        )


class _Ran(Struct):
    status: str
    execution_time: float | None = None
    return_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class _Answer(Struct):
    status: str
    message: str = ""
    run_result: _Ran | None = None


def _target(url: str) -> Target:
    try:
        return parse_target(url.rstrip("/") + "/run_code")
    except RefusedError as error:
        raise InputError(f"python.fusion_url: expected a web address, found {error}.") from None
