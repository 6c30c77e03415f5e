"""Asks a judge: questions in, verdicts out. Cached, repaired once, never without the judge's name.

A `Question` is all that a judge sees of one thing to judge; an `Ask` is how a model is reached, so
that tests need none. `inspect_ask` reaches any model that Inspect knows.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from msgspec import Struct

from agentdyno.judges.asking import Message, question, repair
from agentdyno.judges.cache import VerdictCache, digest
from agentdyno.judges.forms import Form
from agentdyno.judges.parsing import Parsed, parse_answer
from agentdyno.judges.prompt import Prompt
from agentdyno.records import printable
from agentdyno.records.verdicts import Verdict, VerdictKind

CONCURRENCY = 16


Ask = Callable[[Sequence[Message]], Awaitable[str]]
"""Sends messages to a model and gives its reply."""


class Judge(Struct, frozen=True):
    """A framing of a rubric, with the model that answers."""

    name: str
    """Unique in its ensemble."""
    model: str
    """The model, as its provider names it."""
    kind: VerdictKind
    """What it judges."""
    rubric: str
    """Its instructions: the system message."""


class Question(Struct, frozen=True):
    """One thing to judge."""

    trajectory_id: str
    """The trajectory, or the task where there is no trace."""
    prompt: str
    """What the judge is shown, foreign text quoted."""
    labels: tuple[str, ...]
    """What it may say."""
    turn: int | None = None
    """The turn of the call in question; None for the whole trajectory."""
    call: int | None = None
    """The call within that turn."""


async def judge_all(
    judge: Judge,
    questions: Sequence[Question],
    ask: Ask,
    cache: VerdictCache | None = None,
    concurrency: int = CONCURRENCY,
) -> list[Verdict]:
    """A verdict for each question, in their order."""
    gate = asyncio.Semaphore(concurrency)

    async def one(question: Question) -> Verdict:
        async with gate:
            return await judge_one(judge, question, ask, cache)

    return list(await asyncio.gather(*(one(question) for question in questions)))


async def judge_one(
    judge: Judge, question: Question, ask: Ask, cache: VerdictCache | None = None
) -> Verdict:
    """From the cache where the same was asked before; from the model otherwise."""
    name = digest(judge.name, judge.model, judge.rubric, question.prompt, *question.labels)
    if cache and (known := cache.read(name)):
        return _for(question, known)
    parsed, attempts = await _asked(judge, question, ask)
    verdict = Verdict(
        kind=judge.kind,
        trajectory_id=question.trajectory_id,
        turn=question.turn,
        call=question.call,
        judge=judge.name,
        model=judge.model,
        label=parsed.label,
        confidence=parsed.confidence,
        rationale=parsed.rationale,
        problem=None if parsed.label else printable(parsed.problem or "", 200),
        rubric=digest(judge.rubric),
        digest=name,
        attempts=attempts,
    )
    if cache:
        cache.write(verdict)
    return verdict


def _for(question: Question, known: Verdict) -> Verdict:
    """The same content may stand at another place than where it was judged first."""
    from msgspec.structs import replace

    return replace(
        known, trajectory_id=question.trajectory_id, turn=question.turn, call=question.call
    )


async def _asked(judge: Judge, asked: Question, ask: Ask) -> tuple[Parsed, int]:
    prompt = Prompt(judge.rubric, asked.prompt, Form(asked.labels))
    try:
        reply = await ask(question(prompt))
        parsed = parse_answer(reply, prompt.form)
        if parsed.label is not None:
            return parsed, 1
        again = await ask(repair(prompt, reply, parsed.problem or ""))
        return parse_answer(again, prompt.form), 2
    except Exception as error:
        # A judge that cannot be reached gives no label; the others still may.
        return Parsed(None, problem=f"the judge failed: {type(error).__name__}: {error}"), 1


def inspect_ask(model: str, base_url: str | None = None, **arguments: Any) -> Ask:
    """Any model that Inspect knows, at temperature 0."""
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        get_model,
    )

    opened = get_model(model, base_url=base_url, **arguments)
    makers = {"system": ChatMessageSystem, "user": ChatMessageUser}

    async def ask(messages: Sequence[Message]) -> str:
        sent: list[ChatMessage] = [
            makers[m.role](content=m.text)
            if m.role in makers
            else ChatMessageAssistant(content=m.text)
            for m in messages
        ]
        output = await opened.generate(sent, config=GenerateConfig(temperature=0, seed=42))
        return output.completion

    return ask
