"""Trains an agent in our world: tasks, training, the adapter and its recipe, in order.

A folder holds one training. The same command goes on where a killed one stopped; other settings in
the same folder are refused. What comes out lies in `adapter` (or `model`, with all weights), with
`recipe.json` beside it: settings, weights, versions, tasks, seconds.
"""

import platform
import shutil
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_bench.shared.rewards import Weights
from agentdyno_train.examples import SUFFIX, Example, read_examples, write_examples
from agentdyno_train.loading import load_base, require_model
from agentdyno_train.options import TrainSettings
from agentdyno_train.progress import Progress, last_checkpoint, read_metrics
from agentdyno_train.rewards import Meter
from agentdyno_train.training_tasks import (
    TrainingTask,
    make_training_tasks,
    read_training_tasks,
    write_training_tasks,
)

SETTINGS_FILE, RECIPE, TASKS_FILE = "settings.json", "recipe.json", "lessons.jsonl.gz"


class Trained(Struct, frozen=True):
    """Result of a training."""

    folder: str
    """Where the adapter or the model lies."""
    recipe: str
    """The file that says how it was made."""
    steps: int
    """Optimizer steps that were made."""
    resumed_at: int
    """The step that this run began with; 0 for a new training."""
    seconds: float
    """Wall-clock seconds of this run."""
    last: dict[str, float]
    """Metrics of the last step."""


def train(
    settings: TrainSettings,
    weights: Weights,
    out: Path,
    tasks_file: Path | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Trains, or goes on."""
    began = time.perf_counter()
    require_model(settings.model)
    out.mkdir(parents=True, exist_ok=True)
    _check_settings(out, settings, weights)
    resumed = last_checkpoint(out)
    examples, training_tasks = _material(out, settings, tasks_file)
    model, tokenizer = _stage(settings, weights, out, training_tasks, examples, seconds, progress)
    final = _save(model, tokenizer, settings, out)
    elapsed = round(time.perf_counter() - began, 1)
    rows = read_metrics(out)
    last = rows[-1] if rows else {}
    steps = int(last.get("step", 0))
    recipe = _write_recipe(final, settings, weights, training_tasks, len(examples), steps, elapsed)
    at = 0 if resumed is None else int(resumed.name.partition("-")[2])
    return Trained(str(final), str(recipe), steps, at, elapsed, last)


def write_data(settings: TrainSettings, path: Path) -> int:
    """Writes what a training learns from to a file; how many rows.

    A warm-up's `.npz` holds conversations in tokens, any other name the tasks.
    """
    training_tasks = make_training_tasks(settings)
    if path.suffix != SUFFIX:
        write_training_tasks(path, training_tasks)
        return len(training_tasks)
    from agentdyno_train.sft import make_examples

    rows = make_examples(training_tasks, settings, load_base(settings.model)[1])
    write_examples(path, rows)
    return len(rows)


def _check_settings(out: Path, settings: TrainSettings, weights: Weights) -> None:
    """Writes the settings; another training in the same folder is refused."""
    encoded = msgspec.json.encode({"settings": settings, "weights": weights}, order="sorted")
    file = out / SETTINGS_FILE
    if file.exists() and file.read_bytes() != encoded:
        raise InputError(
            f"{out}: expected the training that began here, found other settings "
            f"({SETTINGS_FILE}). Pass the same ones to continue, or another --out."
        )
    file.write_bytes(encoded)


def _material(
    out: Path, settings: TrainSettings, file: Path | None
) -> tuple[list[Example], list[TrainingTask]]:
    """Examples that were made before, or training tasks."""
    if file is not None and file.suffix == SUFFIX:
        return read_examples(file), []
    return [], _read_tasks(out, settings, file)


def _read_tasks(out: Path, settings: TrainSettings, file: Path | None) -> list[TrainingTask]:
    if file is not None:
        return read_training_tasks(file)
    if (out / TASKS_FILE).exists():
        return read_training_tasks(out / TASKS_FILE)
    training_tasks = make_training_tasks(settings)
    write_training_tasks(out / TASKS_FILE, training_tasks)
    return training_tasks


def _stage(
    settings: TrainSettings,
    weights: Weights,
    out: Path,
    training_tasks: list[TrainingTask],
    examples: list[Example],
    seconds: float | None,
    progress: Progress | None,
) -> tuple[Any, Any]:
    if settings.stage == "sft":
        from agentdyno_train.sft import train_sft

        return train_sft(settings, training_tasks, out, progress, seconds, examples)
    from agentdyno_train.grpo import train_grpo

    meter = _meter(settings, weights)
    return train_grpo(settings, training_tasks, weights, out, progress, seconds, meter)


def _meter(settings: TrainSettings, weights: Weights) -> Meter:
    model = (
        Meter().model if settings.model == "smollm2" else str(Path(settings.model) / "config.json")
    )
    return Meter(weights.cost_unit, model)


def _save(model: Any, tokenizer: Any, settings: TrainSettings, out: Path) -> Path:
    """The result in half precision, complete or not at all."""
    import torch

    final = out / ("adapter" if settings.tune == "lora" else "model")
    staging = out / f".{final.name}.aside"
    shutil.rmtree(staging, ignore_errors=True)
    kind = torch.float16 if settings.tune == "lora" else torch.bfloat16
    for config in getattr(model, "peft_config", {}).values():
        # Not the place on this machine that the weights were read from.
        config.base_model_name_or_path = settings.model
    model.to(kind).save_pretrained(staging)
    tokenizer.save_pretrained(staging)
    shutil.rmtree(final, ignore_errors=True)
    staging.rename(final)
    return final


def _write_recipe(
    final: Path, settings: TrainSettings, weights: Weights, training_tasks: list[TrainingTask],
    examples: int, steps: int, seconds: float,
) -> Path:  # fmt: skip
    recipe = {
        "settings": settings,
        "weights": weights,
        "steps": steps,
        "seconds": seconds,
        "lessons": len(training_tasks) or None,
        "examples": examples or None,
        "worlds": sorted({training_task.world_seed for training_task in training_tasks}),
        "versions": {
            name: _version(name) for name in ("agentdyno", "torch", "transformers", "trl", "peft")
        },
        "machine": platform.machine(),
    }
    file = final / RECIPE
    file.write_bytes(msgspec.json.format(msgspec.json.encode(recipe), indent=1))
    return file


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
