"""Asks many questions at once: questions in, answers in the journal out.

Within a number of concurrent calls, a rate, a number of tries and a sum of money. What is in the
journal is not asked. An answer that cannot be read is asked for once more, in the same
conversation. A question that fails is left for another time; when question after question fails,
the provider does, and the run stops with what it said.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.judges.asking import Answer, Ask, Message, question, repair
from agentdyno_bench.shared.judges.evidence_budget import CHARACTERS_PER_TOKEN
from agentdyno_bench.shared.judges.forms import Form, Prompt
from agentdyno_bench.shared.judges.journal import Entry, Journal, key_of
from agentdyno_bench.shared.judges.parsing import Parsed, parse_answer

FAILURES_IN_A_ROW = 8
"""Questions that fail one after the other before the provider is given up."""

Progress = Callable[[int, int], None]
Cost = Callable[[str, int, int], float | None]
"""Money for a model's tokens of question and answer."""


class Question(Struct, frozen=True):
    """One thing to ask one model."""

    ask: Ask
    prompt: Prompt
    repeat: int = 1
    """Which time, from 1."""
    about: Any = None
    """Whatever the asker wants back with the answer."""

    @property
    def key(self) -> str:
        """Names the question."""
        return key_of(question(self.prompt), self.prompt.form, self.ask, self.repeat)


class JudgeReply(Struct, frozen=True):
    """A judge's verdict, and how many requests it took."""

    parsed: Parsed
    """The verdict in its answer, or why there is none."""
    attempts: int
    cached: bool
    """Whether nothing had to be paid for it now."""


Take = Callable[[Question, JudgeReply | None], None]


class AskOptions(Struct, frozen=True):
    """Limits on asking."""

    concurrency: int = 16
    """Questions in flight."""
    per_minute: float | None = None
    """Questions started in a minute at most; None for no limit."""
    tries: int = 4
    """How often a question that fails is sent."""
    first_pause_seconds: float = 1.0
    """Pause before the second try; doubled before every other one."""
    max_usd: float | None = None
    """No further question is sent once so much was spent; None for no limit."""


class Asking:
    """One run of questions."""

    def __init__(
        self,
        journal: Journal,
        options: AskOptions,
        cost: Cost | None = None,
        progress: Progress | None = None,
        total: int = 0,
    ) -> None:
        self.journal = journal
        self.options = options
        self.spent_usd = 0.0
        self.paid = 0
        self._cost = cost
        self._progress = progress
        self._done, self._total = 0, total
        self._failed_in_a_row = 0
        self.last_error = ""
        self._next_start = 0.0
        self._in_flight: dict[str, asyncio.Future[Entry | None]] = {}

    async def run(self, questions: Iterable[Question], take: Take) -> None:
        """Asks as the questions come and hands over what became of each: None for one that failed
        or that the money did not reach."""
        waiting = iter(questions)

        async def ask_next() -> None:
            for item in waiting:
                take(item, await self._ask_once(item))
                self._done += 1
                if self._progress:
                    self._progress(self._done, self._total)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, self.options.concurrency)):
                    group.create_task(ask_next())
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None

    async def _ask_once(self, item: Question) -> JudgeReply | None:
        prompt = item.prompt
        first, paid = await self._entry(item, question(prompt))
        if first is None:
            return None
        parsed = parse_answer(first.text, prompt.form)
        if parsed.problem is None:
            return JudgeReply(parsed, 1, not paid)
        second, paid_again = await self._entry(item, repair(prompt, first.text, parsed.problem))
        if second is None:
            return None
        again = parse_answer(second.text, prompt.form)
        return JudgeReply(_better(parsed, again), 2, not (paid or paid_again))

    async def _entry(
        self, item: Question, messages: tuple[Message, ...]
    ) -> tuple[Entry | None, bool]:
        """From the journal, from somebody who asks the same right now, or paid for."""
        key = key_of(messages, item.prompt.form, item.ask, item.repeat)
        if (recorded := self.journal.get(key)) is not None:
            return recorded, False
        if (asking := self._in_flight.get(key)) is not None:
            return await asking, False
        future: asyncio.Future[Entry | None] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = future
        entry = None
        try:
            entry = await self._sum_paid(key, item, messages)
            return entry, True
        finally:
            del self._in_flight[key]
            future.set_result(entry)

    async def _sum_paid(
        self, key: str, item: Question, messages: tuple[Message, ...]
    ) -> Entry | None:
        if self.options.max_usd is not None and self.spent_usd >= self.options.max_usd:
            return None
        answer = await self._try(item.ask, messages, item.prompt.form)
        if answer is None:
            return None
        self.paid += 1
        if self._cost:
            self.spent_usd += self._cost(item.ask.name, *_usage(answer, messages)) or 0.0
        return self.journal.add(key, item.ask.name, answer)

    async def _try(self, ask: Ask, messages: tuple[Message, ...], form: Form) -> Answer | None:
        pause = self.options.first_pause_seconds
        for attempt in range(self.options.tries):
            await self._turn_to_start()
            try:
                answer = await ask.ask(messages, form)
                self._failed_in_a_row = 0
                return answer
            except InputError:
                raise
            except Exception as error:
                self.last_error = printable(f"{type(error).__name__}: {error}", 300)
            if attempt + 1 < self.options.tries:
                await asyncio.sleep(pause)
                pause *= 2
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= FAILURES_IN_A_ROW:
            raise InputError(
                f"{ask.name}: {self._failed_in_a_row} questions in a row failed, the last with: "
                f"{self.last_error}. What was answered is kept; run the command again to go on."
            )
        return None

    async def _turn_to_start(self) -> None:
        if not self.options.per_minute:
            return
        now = time.monotonic()
        start = max(now, self._next_start)
        self._next_start = start + 60 / self.options.per_minute
        await asyncio.sleep(start - now)


def _usage(answer: Answer, messages: tuple[Message, ...]) -> tuple[int, int]:
    """Input and output tokens as reported, else estimated by length so that a cap still holds."""
    input_tokens, reported = answer.input_tokens, answer.output_tokens
    length = sum(len(message.text) for message in messages)
    return (
        length // CHARACTERS_PER_TOKEN if input_tokens is None else input_tokens,
        len(answer.text) // CHARACTERS_PER_TOKEN if reported is None else reported,
    )


def _better(first: Parsed, second: Parsed) -> Parsed:
    """The repaired answer when it can be read; else the first, which may have a label at least."""
    if second.label is not None:
        return second
    return first if first.label is not None else second
