"""Processes that are measured: the environment of an installed command, and their own peak."""

import os
import resource
from pathlib import Path


def as_installed(folder: Path) -> dict[str, str]:
    """With compiled modules, as an installed package has them: a shell may forbid to write any,
    which costs every process a third of a second. With the threads of numpy that the verb
    `measure` asks for."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(folder.resolve() / "compiled")
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    return env


def peak_mb() -> float:
    """The most memory that this process ever held. Not `ru_maxrss` where the system tells more:
    that begins with what the process before `exec` held, here the script that writes traces."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
