"""The tools of the benchmarks: `python`, `search` and `visit`, real, safe and replaceable.

    config = load_tool_config(Path("tools.toml"))          which backends, which limits
    build_tools(["search", "visit"], config)               Inspect tools
    Task(..., sandbox=task_sandbox(config))                needed where code runs in docker
    await PythonTool(config.python).run("print(2**10)")    without Inspect

Importing this package imports no Inspect.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from agentdyno_bench.pte.tools.config import (
    PythonConfig,
    SearchConfig,
    ToolConfig,
    VisitConfig,
    load_tool_config,
)
from agentdyno_bench.pte.tools.failure import ToolFailedError

if TYPE_CHECKING:
    from inspect_ai.tool import Tool
    from inspect_ai.util import SandboxEnvironmentSpec

__all__ = [
    "PythonConfig",
    "SearchConfig",
    "ToolConfig",
    "ToolFailedError",
    "VisitConfig",
    "build_tools",
    "load_tool_config",
    "python_place",
    "task_sandbox",
]


def build_tools(names: list[str], config: ToolConfig | None = None) -> "list[Tool]":
    """Inspect tools by name: `python`, `search`, `visit`."""
    from agentdyno_bench.pte.tools.inspect_tools import build_tools as build

    return build(names, config)


def read_tool_config(path: str | None, unsafe_python: bool = False) -> ToolConfig:
    """The configuration in a TOML file, None for the usual one, and whether code may run
    unprotected where there is no sandbox."""
    config = load_tool_config(Path(path)) if path else ToolConfig()
    if not unsafe_python:
        return config
    return replace(config, python=replace(config.python, unsafe_python=True))


def python_place(config: ToolConfig | None = None) -> str:
    """Where the tool `python` runs programs, and who keeps the limit on their memory."""
    from agentdyno_bench.pte.tools.python import choose_backend
    from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap

    backend = choose_backend((config or ToolConfig()).python)
    if isinstance(backend, Bubblewrap):
        return f"{backend.name}, memory kept by {backend.memory_limited_by}"
    return backend.name


def task_sandbox(config: ToolConfig | None = None) -> "SandboxEnvironmentSpec | None":
    """The sandbox a task with the tool `python` needs; None where it needs none."""
    from agentdyno_bench.pte.tools.python import choose_backend, docker_sandbox

    config = config or ToolConfig()
    backend = choose_backend(config.python)
    return docker_sandbox(config.python) if backend.name == "docker" else None
