"""Writes a training's progress: a line of JSON for every step, kept with the checkpoint's state.

Takes what the trainer logs, returns nothing; a resumed training drops the lines of steps that it
makes again.
"""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

METRICS = "metrics.jsonl"
STATE = "curriculum.json"
_DROPPED = frozenset({"epoch", "total_flos", "train_runtime", "train_samples_per_second",
                      "train_steps_per_second"})  # fmt: skip

Progress = Callable[[int, dict[str, float]], None]
"""Gets the step and its numbers, to show them."""


class MetricsFile:
    """One line a step."""

    def __init__(self, folder: Path, progress: Progress | None = None) -> None:
        self._path, self._progress, self._began = folder / METRICS, progress, time.perf_counter()

    def rewind(self, step: int) -> None:
        """Drops what comes after this step."""
        if self._path.exists():
            lines = self._path.read_text("utf-8").splitlines()
            state_of = [line for line in lines if line and json.loads(line)["step"] <= step]
            self._path.write_text("".join(f"{line}\n" for line in state_of), "utf-8")

    def add(self, step: int, logs: dict[str, Any]) -> None:
        """A step's numbers."""
        numbers = {
            name: round(float(value), 6)
            for name, value in logs.items()
            if name not in _DROPPED and isinstance(value, (int, float)) and math.isfinite(value)
        }
        if not numbers:
            return
        seconds = round(time.perf_counter() - self._began, 2)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, "seconds": seconds, **numbers}) + "\n")
        if self._progress is not None:
            self._progress(step, numbers)


def read_metrics(folder: Path) -> list[dict[str, float]]:
    """Every line so far."""
    path = folder / METRICS
    return [json.loads(x) for x in path.read_text("utf-8").splitlines()] if path.exists() else []


def callback(
    metrics: MetricsFile, state_of: Callable[[], dict[str, Any]], seconds: float | None
) -> Any:
    """The trainer's callback: logs to the file, state beside checkpoints, an end in time."""
    from transformers import TrainerCallback

    began = time.perf_counter()

    class Writes(TrainerCallback):  # type: ignore[no-untyped-call,unused-ignore]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            metrics.add(state.global_step, logs or {})

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            (folder / STATE).write_text(json.dumps(state_of()), "utf-8")

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
            if seconds is not None and time.perf_counter() - began > seconds:
                control.should_training_stop = control.should_save = True
            return control

    return Writes()


def without_broken_steps(metrics: MetricsFile) -> Any:
    """The callback of a trainer that leaves a step out whose gradient is not finite.

    One such step makes every weight NaN, and everything that is trained after it.
    """
    import torch
    from transformers import TrainerCallback

    class LeavesOut(TrainerCallback):  # type: ignore[no-untyped-call,unused-ignore]
        def on_pre_optimizer_step(
            self, args: Any, state: Any, control: Any, model: Any = None, **_: Any
        ) -> None:
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            if gradients and not torch.stack(torch._foreach_norm(gradients)).isfinite().all():
                model.zero_grad(set_to_none=True)  # The optimizer passes over what has none.
                metrics.add(state.global_step + 1, {"left_out": 1.0})

    return LeavesOut()


def last_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint that is whole."""
    checkpoints = [path for path in folder.glob("checkpoint-*") if (path / STATE).is_file()]
    return max(checkpoints, key=lambda path: int(path.name.partition("-")[2]), default=None)
