"""Runs programs in the sample's Inspect sandbox, which is a docker container for each sample.

Takes a program's text; returns what it printed and how it ended. The container has no network, a
read-only file system, a small /tmp, no capabilities, and bounds on memory, processes and CPU;
`docker_sandbox` describes it, and a task must be made with it. Processes that a program leaves
behind live, within the bounds, until the sample ends and its container with it.
"""

import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from agentdyno.records import InputError
from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python.execution import Execution, Stop, shell_exit_code

if TYPE_CHECKING:
    from inspect_ai.util import SandboxEnvironmentSpec

INSTALL = "Install docker and start it: https://docs.docker.com/engine/install/"
PATIENCE_SECONDS = 10.0
"""How long docker may take to say its version."""
_TIMED_OUT = 124


class InspectSandbox:
    """The backend."""

    name = "docker"

    def __init__(self, config: PythonConfig) -> None:
        self._config = config

    async def execute(self, code: str) -> Execution:
        """Runs one program."""
        from inspect_ai.util import OutputLimitExceededError, sandbox

        limit = max(1, round(self._config.time_seconds))
        try:
            environment = sandbox()
        except ProcessLookupError:
            raise InputError(
                "expected a task with a docker sandbox for the tool python, found none. Make the "
                "task with sandbox=task_sandbox(config)."
            ) from None
        try:
            result = await environment.exec(
                # timeout(1) also ends what ignores the gentle signal.
                ["timeout", "-k", "1", str(limit), "python3", "-u", "-"],
                input=code.encode("utf-8", "replace"),
                timeout=limit + 10,
                timeout_retry=False,
            )
        except TimeoutError:
            return Execution("", "", None, "time")
        except OutputLimitExceededError as error:
            return Execution(
                (error.truncated_output or "")[: self._most_output], "", None, "output"
            )
        return self._execution(result.stdout, result.stderr, result.returncode)

    @property
    def _most_output(self) -> int:
        return self._config.output_bytes

    def _execution(self, stdout: str, stderr: str, code: int) -> Execution:
        stopped: Stop | None = "time" if code == _TIMED_OUT else None
        stopped = "output" if len(stdout) + len(stderr) > self._most_output else stopped
        outputs = stdout[: self._most_output], stderr[: max(0, self._most_output - len(stdout))]
        return Execution(*outputs, None if stopped else shell_exit_code(code), stopped)


def docker_sandbox(config: PythonConfig) -> "SandboxEnvironmentSpec":
    """The container that a task must ask for."""
    from inspect_ai.util import ComposeConfig, SandboxEnvironmentSpec

    service = {
        "image": config.docker_image,
        "command": "tail -f /dev/null",
        "init": True,
        "network_mode": "none",
        "read_only": True,
        "tmpfs": [f"/tmp:size={config.disk_bytes},mode=1777"],
        "working_dir": "/tmp",
        "user": "65534:65534",
        "environment": {"HOME": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"},
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "mem_limit": f"{config.memory_bytes}b",
        "memswap_limit": f"{config.memory_bytes}b",
        # Inspect's own helpers run in there as well.
        "pids_limit": config.processes + 16,
        "cpus": 1.0,
    }
    compose = ComposeConfig.model_validate({"services": {"default": service}})
    return SandboxEnvironmentSpec("docker", compose)


@cache
def unavailable() -> str | None:
    """Why docker cannot be used on this machine; None when it can."""
    if shutil.which("docker") is None:
        return f"docker is not installed. {INSTALL}"
    try:
        info = subprocess.run(
            ["docker", "version", "--format", "{{.Server.Version}}"],
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"docker does not answer. {INSTALL}"
    return None if info.returncode == 0 else f"docker's service does not run. {INSTALL}"
