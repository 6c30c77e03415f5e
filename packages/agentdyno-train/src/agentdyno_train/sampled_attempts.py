"""Attempts of a torch model at many lessons at once, as a trainer needs them: tokens with a mask.

Takes lessons and a decoder, returns for each the prompt, everything after it, which of those tokens
the model wrote itself, and the reward. Contexts only grow, token by token as they were generated,
so that what is learnt from is exactly what was sampled.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno.findings.rewards import Weights
from agentdyno_depth.engines.chat import chat_ids, end_tokens, following_ids, shown_text
from agentdyno_train.attempts import TurnTokens
from agentdyno_train.chat_tokens import in_tokens
from agentdyno_train.decoding import Decoder
from agentdyno_train.environment import Environment, Scored, opening
from agentdyno_train.lessons import Lesson
from agentdyno_train.merged import SamplingCopy
from agentdyno_train.options import TrainSettings
from agentdyno_train.plans import conversation
from agentdyno_train.rewards import Meter, Rewarded, rewarded


class Played(Struct, frozen=True):
    """One attempt, in tokens."""

    lesson: Lesson
    """What was attempted."""
    prompt: list[int]
    """Tokens before the first that the model wrote."""
    completion: list[int]
    """Everything after, results included."""
    own: list[int]
    """1 where the model wrote the token, 0 where the world did."""
    scored: Scored
    """What it is worth, by outcome."""
    rewarded: Rewarded
    """The reward."""


class Player:
    """A model that attempts lessons."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        settings: TrainSettings,
        weights: Weights,
        meter: Meter | None = None,
    ) -> None:
        self._copy, self._tokenizer, self._settings = SamplingCopy(model), tokenizer, settings
        self._weights, self._meter = weights, meter
        self._ends = list(end_tokens(tokenizer, model))
        self._decoders: dict[int, Decoder] = {}
        self._references: dict[str, float | None] = {}
        self._prompts: dict[str, list[int]] = {}

    def fits(self, lesson: Lesson) -> bool:
        """Whether a lesson leaves room to be worked on."""
        prompt = self._prompt(lesson)
        return len(prompt) + 2 * self._settings.turn_tokens <= self._settings.window

    def play(
        self, lessons: Sequence[Lesson], seed: int, temperature: float | None = None
    ) -> list[Played]:
        """One attempt at each lesson; the same lesson may stand there several times."""
        self._copy.refresh()
        attempts = [_Attempt(lesson, self) for lesson in lessons]
        decoder = self._decoder(len(attempts))
        decoder.begin([attempt.context for attempt in attempts])
        heat = self._settings.temperature if temperature is None else temperature
        for turn in range(self._settings.turns + 1):
            active = [not attempt.over for attempt in attempts]
            if not any(active):
                break
            said = decoder.decode(active, self._settings.turn_tokens, heat, seed * 1009 + turn)
            chunks = [
                attempt.take(ids) if on else []
                for attempt, ids, on in zip(attempts, said, active, strict=True)
            ]
            if any(chunks):
                self._feed(decoder, attempts, chunks)
        return [attempt.played() for attempt in attempts]

    def _feed(self, decoder: Decoder, attempts: "list[_Attempt]", chunks: list[list[int]]) -> None:
        if decoder.has_room(chunks, self._settings.turn_tokens):
            decoder.feed(chunks)
        else:  # Columns that only some rows use have filled the room: the others begin anew.
            first = self._ends[:1]
            decoder.begin([first if attempt.over else attempt.context for attempt in attempts])

    def _decoder(self, rows: int) -> Decoder:
        if rows not in self._decoders:
            capacity = self._settings.window * 3 // 2
            copy = self._copy
            self._decoders[rows] = Decoder(copy.model, self._ends, rows, capacity, copy.step)
        return self._decoders[rows]

    def _prompt(self, lesson: Lesson) -> list[int]:
        if lesson.key not in self._prompts:
            messages = opening(lesson.task, lesson.tools)
            self._prompts[lesson.key] = list(chat_ids(self._tokenizer, messages))
        return self._prompts[lesson.key]

    def reference(self, lesson: Lesson) -> float | None:
        """What the lesson's reference plan costs."""
        if self._meter is None:
            return None
        if lesson.key not in self._references:
            tokens = reference_tokens(lesson, self._tokenizer)
            self._references[lesson.key] = None if tokens is None else self._meter.cost(tokens)
        return self._references[lesson.key]


class _Attempt:
    """One row in progress."""

    def __init__(self, lesson: Lesson, player: Player) -> None:
        self._player, self._settings = player, player._settings
        self.lesson = lesson
        self._environment = _environment(lesson, self._settings)
        self._prompt = player._prompt(lesson)
        self.context = list(self._prompt)
        self._own: list[int] = []
        self.over = False

    def take(self, ids: list[int]) -> list[int]:
        """Takes a turn; returns the tokens that the model reads next."""
        ended = bool(ids) and ids[-1] in self._player._ends
        text = shown_text(self._player._tokenizer, ids)
        step = self._environment.step(text, TurnTokens(len(self.context), len(ids)), ended)
        self.context += ids
        self._own += [1] * len(ids)
        if step.done:
            self.over = True
            return []
        more = [] if ended else self._player._ends[:1]
        more = [*more, *following_ids(self._player._tokenizer, step.messages)]
        if len(self.context) + len(more) + self._settings.turn_tokens > self._settings.window:
            self._environment.stopped = "token limit"
            self.over = True
            return []
        self.context += more
        self._own += [0] * len(more)
        return more

    def played(self) -> Played:
        scored = self._environment.score()
        player = self._player
        found = rewarded(scored, player._weights, player._meter, player.reference(self.lesson))
        completion = self.context[len(self._prompt) :]
        return Played(self.lesson, self._prompt, completion, self._own, scored, found)


def _environment(lesson: Lesson, settings: TrainSettings) -> Environment:
    return Environment(
        lesson.task, lesson.world_seed, lesson.tools, settings.faults, settings.turns
    )


def reference_tokens(lesson: Lesson, tokenizer: Any) -> list[TurnTokens] | None:
    """The model calls of the reference plan; None when it does not solve the task."""
    plan = conversation(lesson.task, lesson.tools, lesson.world_seed)
    if plan is None:
        return None
    turns = in_tokens(tokenizer, plan.messages).turns
    return [TurnTokens(turn.start, turn.end - turn.start) for turn in turns]
