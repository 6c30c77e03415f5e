"""Reads the settings that the logs of a run were made with, from the run's folder.

Takes the path of a log, returns its recipe, its model and how it was run; None for a log that does
not lie in such a folder. Knows nothing of what the recipe makes; whoever builds from it decides
which recipes are allowed.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe


class RunSettings(Struct, frozen=True):
    """One settings file; what is missing in an older one is as usual."""

    task: TaskRecipe
    """How the task was made."""
    model: ModelSpec
    """The model that was measured."""
    roles: dict[str, ModelSpec] = {}
    """Other models of the task."""
    max_tokens: int | None = None
    """Tokens that one model call might generate."""
    temperature: float | None = None
    """Sampling temperature of the model."""
    stream: bool = False
    """Whether the provider was asked to stream."""
    variant: str | None = None
    """The tool suite's name."""
    max_tool_output_bytes: int = 2**20
    """Longer tool results were cut."""
    sample_seconds: int | None = None
    """After this a sample was stopped."""
    generation: dict[str, Any] = {}
    """Further fields of Inspect's GenerateConfig."""

    def run_options(self, out: Path, concurrency: int) -> RunOptions:
        """The same way of running, in another folder; the sampling's seed is left open."""
        settings = structs.asdict(self)
        del settings["task"], settings["model"]
        return RunOptions(out, concurrency, **settings)


def settings_file(log: Path) -> Path | None:
    """OUT/settings/TASK/MODEL.json of OUT/logs/TASK/MODEL/NAME.eval; None where it is not so."""
    parts = log.absolute().parts
    if len(parts) < 5 or parts[-4] != "logs":
        return None
    file = Path(*parts[:-4]) / "settings" / parts[-3] / f"{parts[-2]}.json"
    return file if file.is_file() else None


def read_settings(log: Path) -> RunSettings | None:
    """Read the settings that a log was made with."""
    file = settings_file(log)
    if file is None:
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=RunSettings)
    except (OSError, msgspec.DecodeError):
        return None
