"""Chooses where code runs, or refuses. Nothing unsafe is ever chosen unasked."""

from collections.abc import Callable

from agentdyno.records import InputError
from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python import bubblewrap, docker
from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap
from agentdyno_bench.pte.tools.python.docker import InspectSandbox
from agentdyno_bench.pte.tools.python.execution import PythonBackend
from agentdyno_bench.pte.tools.python.fusion import SandboxFusion
from agentdyno_bench.pte.tools.python.unsafe import UnsafeHost

Check = Callable[[], str | None]


def choose_backend(
    config: PythonConfig,
    no_bubblewrap: Check = bubblewrap.unavailable,
    no_docker: Check = docker.unavailable,
) -> PythonBackend:
    """The backend that a configuration asks for; an error that names what to install otherwise."""
    if config.backend == "unsafe":
        return _unsafe(config)
    if config.backend == "fusion" or (config.backend == "auto" and config.fusion_url):
        return SandboxFusion(config)
    problems = []
    if config.backend in ("auto", "bubblewrap"):
        problems.append(no_bubblewrap())
        if problems[-1] is None:
            return Bubblewrap(config)
    if config.backend in ("auto", "docker"):
        problems.append(no_docker())
        if problems[-1] is None:
            return InspectSandbox(config)
    if config.backend == "auto" and config.unsafe_python:
        return UnsafeHost(config)
    raise InputError(_refusal([problem for problem in problems if problem]))


def _unsafe(config: PythonConfig) -> PythonBackend:
    if config.unsafe_python:
        return UnsafeHost(config)
    raise InputError(
        'python.backend = "unsafe" runs model-written code without protection: expected '
        "unsafe_python = true beside it (--unsafe-python), found none."
    )


def _refusal(problems: list[str]) -> str:
    return (
        "expected a sandbox for model-written code, found none. "
        + " ".join(problems)
        + " Or name a SandboxFusion server in python.fusion_url. On a machine that is thrown away "
        "afterwards, --unsafe-python (unsafe_python = true) runs the code without protection."
    )
