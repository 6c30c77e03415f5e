"""Which tools a task offers, and who makes them.

The ordinary tools are imported when they are needed. Another maker can stand in for them: a
function, or the name `package.module:function` of one, that takes tool names and returns Inspect
tools.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.pte.tir.benchmarks import Benchmark

Toolmaker = Callable[[list[str]], list[Any]]
KNOWN = ("python", "search", "visit")


class Toolset(Struct, frozen=True):
    """Tools, and what a task needs besides them."""

    tools: list[Any]
    """The tools as Inspect takes them."""
    sandbox: Any = None
    """Inspect's sandbox, where code runs in docker; None otherwise."""
    python: str | None = None
    """Where code runs and who keeps its memory; None without the tool `python`."""


def choose_tools(benchmark: Benchmark, selection: Sequence[str] | None) -> list[str]:
    """The benchmark's own tools, or those chosen in their place; an empty choice offers none."""
    names = list(benchmark.tools if selection is None else selection)
    for name in names:
        if name not in KNOWN:
            raise InputError(
                f"expected tools out of {', '.join(KNOWN)}, or none; found {printable(name)!r}."
            )
    return names


def make_tools(
    names: list[str],
    tool_config: str | None = None,
    unsafe_python: bool = False,
    toolmaker: "str | Toolmaker | None" = None,
) -> Toolset:
    """The tools of these names."""
    if not names:
        return Toolset([])
    if callable(toolmaker):
        return Toolset(toolmaker(names))
    if toolmaker is not None:
        module, _, name = toolmaker.partition(":")
        return Toolset(getattr(import_module(module), name)(names))
    from agentdyno_bench.pte.tools import (
        build_tools,
        python_place,
        read_tool_config,
        task_sandbox,
    )

    config = read_tool_config(tool_config, unsafe_python)
    if "python" not in names:
        return Toolset(build_tools(names, config))
    return Toolset(build_tools(names, config), task_sandbox(config), python_place(config))
