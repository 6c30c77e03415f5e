"""Attempts of a torch model at many tasks at once, as a trainer needs them: tokens with a mask.

Takes training tasks and a model, returns for each the prompt, everything after it, which of those
tokens the model wrote itself, and the reward. Contexts only grow, token by token as they were
generated, so that what is learnt from is exactly what was sampled.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from msgspec import Struct

from agentdyno_bench.shared.rewards import Weights
from agentdyno_depth.engines.chat import chat_ids, continuation_ids, decode_text, end_tokens
from agentdyno_depth.engines.sampling import draw
from agentdyno_train.attempts import TurnTokens
from agentdyno_train.chat_tokens import tokenize_chat
from agentdyno_train.environment import Environment, Scored, open_task
from agentdyno_train.generation import continue_rows
from agentdyno_train.options import TrainSettings
from agentdyno_train.plans import conversation
from agentdyno_train.rewards import Meter, Rewarded, compute_reward
from agentdyno_train.training_tasks import TrainingTask

ROWS = 64
"""Attempts that are decoded at once: keys and values of more do not fit beside other trainings."""


class SampledAttempt(Struct, frozen=True):
    """One attempt, in tokens."""

    training_task: TrainingTask
    prompt: list[int]
    """Tokens before the first that the model wrote."""
    completion: list[int]
    """Everything after, results included."""
    own: list[int]
    """1 where the model wrote the token, 0 where the world did."""
    scored: Scored
    """What it is worth, by outcome."""
    reward_result: Rewarded
    """The reward with its parts."""


class RolloutWorker:
    """A model that attempts training tasks."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        settings: TrainSettings,
        weights: Weights,
        meter: Meter | None = None,
    ) -> None:
        self._model, self._tokenizer, self._settings = model, tokenizer, settings
        self._weights, self._meter = weights, meter
        self._ends = list(end_tokens(tokenizer, model))
        self._references: dict[str, float | None] = {}
        self._prompts: dict[str, list[int]] = {}

    def fits(self, training_task: TrainingTask) -> bool:
        """True when a task leaves enough of the window for an attempt."""
        prompt = self._prompt(training_task)
        return len(prompt) + 2 * self._settings.turn_tokens <= self._settings.window

    def sample(
        self, training_tasks: Sequence[TrainingTask], seed: int, temperature: float | None = None
    ) -> list[SampledAttempt]:
        """One attempt at each task; the same task may be given several times."""
        import torch

        attempts = [_Attempt(task, self) for task in training_tasks]
        heat = self._settings.temperature if temperature is None else temperature
        numbers = torch.Generator().manual_seed(seed)

        def choose(logits: Any) -> Any:
            uniform = torch.rand(len(logits), generator=numbers, dtype=torch.float64)
            return draw(logits.float(), heat, 1.0, uniform.to(logits.device))

        for _ in range(self._settings.turns + 1):
            # Those of nearly one length together: the shorter are filled up.
            going = sorted((one for one in attempts if not one.over), key=lambda x: len(x.context))
            for first in range(0, len(going), ROWS):
                rows = [_Turn(one, self._ends) for one in going[first : first + ROWS]]
                with self._autocast():
                    continue_rows(self._model, rows, self._settings.turn_tokens, choose)
                for row in rows:
                    row.attempt.take(row.said)
        return [attempt.finish() for attempt in attempts]

    def _autocast(self) -> Any:
        import torch

        on_gpu = next(self._model.parameters()).device.type == "cuda"
        return torch.autocast("cuda", torch.bfloat16) if on_gpu else nullcontext()

    def _prompt(self, training_task: TrainingTask) -> list[int]:
        if training_task.key not in self._prompts:
            messages = open_task(training_task.task, training_task.tools)
            self._prompts[training_task.key] = list(chat_ids(self._tokenizer, messages))
        return self._prompts[training_task.key]

    def reference(self, training_task: TrainingTask) -> float | None:
        """Cost of the task's reference plan."""
        if self._meter is None:
            return None
        if training_task.key not in self._references:
            tokens = reference_tokens(training_task, self._tokenizer)
            self._references[training_task.key] = (
                None if tokens is None else self._meter.cost(tokens)
            )
        return self._references[training_task.key]


class _Turn:
    """The model's next turn in an attempt."""

    def __init__(self, attempt: "_Attempt", ends: Sequence[int]) -> None:
        self.attempt, self._ends = attempt, ends
        self.prompt = attempt.context
        self.said: list[int] = []

    def take(self, token: int) -> bool:
        self.said.append(token)
        return token in self._ends


class _Attempt:
    """One attempt in progress."""

    def __init__(self, training_task: TrainingTask, worker: RolloutWorker) -> None:
        self._worker, self._settings = worker, worker._settings
        self.training_task = training_task
        self._environment = _environment(training_task, self._settings)
        self._prompt = worker._prompt(training_task)
        self.context = list(self._prompt)
        self._own: list[int] = []
        self.over = False

    def take(self, ids: list[int]) -> None:
        """Takes a turn, and the world's reply into the context."""
        ended = bool(ids) and ids[-1] in self._worker._ends
        text = decode_text(self._worker._tokenizer, ids)
        step = self._environment.step(text, TurnTokens(len(self.context), len(ids)), ended)
        self.context += ids
        self._own += [1] * len(ids)
        if step.done:
            self.over = True
            return
        more = [] if ended else self._worker._ends[:1]
        more = [*more, *continuation_ids(self._worker._tokenizer, step.messages)]
        if len(self.context) + len(more) + self._settings.turn_tokens > self._settings.window:
            self._environment.stopped = "token limit"
            self.over = True
            return
        self.context += more
        self._own += [0] * len(more)

    def finish(self) -> SampledAttempt:
        scored = self._environment.score()
        worker = self._worker
        rewarded = compute_reward(
            scored, worker._weights, worker._meter, worker.reference(self.training_task)
        )
        completion = self.context[len(self._prompt) :]
        return SampledAttempt(
            self.training_task, self._prompt, completion, self._own, scored, rewarded
        )


def _environment(training_task: TrainingTask, settings: TrainSettings) -> Environment:
    return Environment(
        training_task.task,
        training_task.world_seed,
        training_task.tools,
        settings.faults,
        settings.turns,
    )


def reference_tokens(training_task: TrainingTask, tokenizer: Any) -> list[TurnTokens] | None:
    """The model calls of the reference plan; None when it does not solve the task."""
    plan = conversation(training_task.task, training_task.tools, training_task.world_seed)
    if plan is None:
        return None
    turns = tokenize_chat(tokenizer, plan.messages).turns
    return [TurnTokens(turn.start, turn.end - turn.start) for turn in turns]
