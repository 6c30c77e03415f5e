"""Reinforcement in the live world: groups of attempts at one task are compared with each other.

Takes settings, training tasks, weights and a folder, returns the trained model. TRL's trainer asks
for attempts through its rollout function; tasks are drawn by the curriculum at that moment, so its
dataset is a list of empty places. Every draw depends on the seed and the step alone, so a resumed
training makes the attempts that it would have made.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdyno_bench.shared.rewards import Weights
from agentdyno_train.curriculum import Curriculum
from agentdyno_train.loading import load_trainable, require_trl
from agentdyno_train.merged_adapters import use_merged_adapters
from agentdyno_train.options import TrainSettings
from agentdyno_train.progress import (
    STATE,
    MetricsFile,
    Progress,
    callback,
    last_checkpoint,
    without_broken_steps,
)
from agentdyno_train.rewards import Meter
from agentdyno_train.sampled_attempts import RolloutWorker, SampledAttempt
from agentdyno_train.sft import _printer, arguments
from agentdyno_train.training_tasks import TrainingTask

PLACE = "a place for a task"


def train_grpo(
    settings: TrainSettings,
    training_tasks: Sequence[TrainingTask],
    weights: Weights,
    folder: Path,
    progress: Progress | None = None,
    seconds: float | None = None,
    meter: Meter | None = None,
) -> tuple[Any, Any]:
    """Trains, or goes on from the last checkpoint; the model and its tokenizer."""
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    trl = require_trl()
    from datasets import Dataset

    model, tokenizer = load_trainable(settings)
    use_merged_adapters(model)
    metrics, resumed = MetricsFile(folder, progress), last_checkpoint(folder)
    metrics.rewind(0 if resumed is None else int(resumed.name.partition("-")[2]))
    worker = RolloutWorker(model, tokenizer, settings, weights, meter)
    usable = [training_task for training_task in training_tasks if worker.fits(training_task)]
    curriculum = Curriculum(usable, settings.seed, settings.steered)
    if resumed is not None:
        import json

        curriculum.restore(json.loads((resumed / STATE).read_text("utf-8")))
    places = settings.batch * settings.updates // settings.group
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=world_reward,
        args=trl.GRPOConfig(
            **arguments(settings, folder),
            num_generations=settings.group,
            steps_per_generation=settings.accumulate * settings.updates,
            temperature=settings.temperature,
            beta=settings.beta,
            epsilon=settings.epsilon,
            scale_rewards="group" if settings.scaled else "none",
            max_completion_length=settings.window,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=max(1, settings.steps // 20),
            shuffle_dataset=False,
        ),
        train_dataset=Dataset.from_dict({"prompt": [PLACE] * places}),
        processing_class=tokenizer,
        rollout_func=Rollouts(worker, curriculum, settings),
        callbacks=[callback(metrics, curriculum.state, seconds), without_broken_steps(metrics)],
    )
    trainer.remove_callback(_printer())
    with _sound_attention():
        trainer.train(resume_from_checkpoint=None if resumed is None else str(resumed))
    return trainer.model, tokenizer


def _sound_attention() -> Any:
    """Attention without cuDNN, whose backward pass gives NaN for masked rows of some lengths on
    Hopper cards (pytorch/pytorch#196678): all batches of a round are equally long, so whole rounds
    were lost."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    return sdpa_kernel(
        [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    )


class Rollouts:
    """TRL's rollout function: as many attempts as it has places, in groups."""

    def __init__(
        self, worker: RolloutWorker, curriculum: Curriculum, settings: TrainSettings
    ) -> None:
        self._worker, self._curriculum, self._settings = worker, curriculum, settings

    def __call__(self, prompts: list[Any], trainer: Any) -> dict[str, Any]:
        group, step = self._settings.group, trainer.state.global_step
        training_tasks = self._curriculum.draw(step, len(prompts) // group)
        rows = [training_task for training_task in training_tasks for _ in range(group)]
        training = trainer.model.training
        trainer.model.eval()
        attempts = self._worker.sample(rows, self._settings.seed * 100_003 + step)
        trainer.model.train(training)
        rewards = [attempt.reward_result.reward for attempt in attempts]
        groups = [rewards[i : i + group] for i in range(0, len(rewards), group)]
        signal = self._curriculum.learn(training_tasks, groups)
        return {
            "prompt_ids": [attempt.prompt for attempt in attempts],
            "completion_ids": [attempt.completion for attempt in attempts],
            "logprobs": None,
            "env_mask": [attempt.own for attempt in attempts],
            "world_reward": rewards,
            "world_numbers": [_numbers(attempt) | {"signal": signal} for attempt in attempts],
        }


def world_reward(
    world_reward: list[float],
    world_numbers: list[dict[str, float]],
    log_metric: Any = None,
    **_: Any,
) -> list[float]:
    """The reward of each attempt; its parts are logged."""
    if log_metric is not None:
        for name in world_numbers[0]:
            values = [n[name] for n in world_numbers if n.get(name) is not None]
            if values:
                log_metric(f"world/{name}", sum(values) / len(values))
    return world_reward


def _numbers(attempts: SampledAttempt) -> dict[str, Any]:
    attempt, parts = attempts.scored.attempt, attempts.reward_result.parts
    return {
        "completion": attempts.scored.marks.completion,
        "solved": float(attempts.scored.marks.solved),
        "harms": float(len(attempts.scored.marks.harms)),
        "outcome": parts.outcome,
        "parallelism": parts.parallelism,
        "validity": parts.validity,
        "cost": parts.cost,
        "progress": parts.progress,
        "turns": float(len(attempt.tokens or [])),
        "calls": float(len(attempt.calls)),
        "answered": float(attempt.stopped == "answered"),
    }
