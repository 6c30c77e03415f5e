"""Judging a ledger: texts in, verdicts in the ledger out. The same for every kind.

    kinds       what is judged, and how the question is put    studies.verdicts.kinds
    things      what of a ledger is judged, with its texts     judging.judged_things
    planned     who is asked what, and how much money          studies.verdicts.planned
    asking      concurrent, limited, each paid once            judges.questions, journal
    verdicts    what was answered, added to the ledger         judge.verdicts
    checks      does the order or the record steer the judge   studies.verdicts.checks

Killed at any moment, a run goes on where it stopped: the journal has every answer that came.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from agentdyno.cost.prices import Price, money
from agentdyno.ledger.file_names import refuse_links
from agentdyno.records.verdicts import ANSWERS_FILE
from agentdyno_bench.shared.judges.asking import Ask
from agentdyno_bench.shared.judges.citations import unfounded
from agentdyno_bench.shared.judges.clients import Reachable
from agentdyno_bench.shared.judges.digests import digest
from agentdyno_bench.shared.judges.journal import Journal
from agentdyno_bench.shared.judges.questions import Asking, JudgeReply, Progress, Question
from agentdyno_bench.shared.judging.checking import check_judges
from agentdyno_bench.shared.judging.judged_things import Reader
from agentdyno_bench.shared.judging.verdicts import add_verdicts
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.verdicts.checks import check_questions
from agentdyno_bench.shared.verdicts.expected_cost import Estimated, judge_price, refuse_above
from agentdyno_bench.shared.verdicts.kinds import InstructedKind, Kind
from agentdyno_bench.shared.verdicts.options import Check, Judged, JudgeOptions, Unfounded
from agentdyno_bench.shared.verdicts.planned import Item, Judge, estimate, judges_of, questions

ANSWERS, JOURNAL = ANSWERS_FILE.split("/")
"""The folder of a ledger that holds the journal, and the journal."""

Announce = Callable[[Estimated], None]


def judge_ledger(
    folder: Path,
    kind: Kind,
    models: list[Ask],
    options: JudgeOptions | None = None,
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> Judged:
    """Asks every judge about everything that the kind judges, and records what they say."""
    options = options or JudgeOptions()
    if options.instructions:
        kind = InstructedKind(kind, options.instructions)
    judges, reader = judges_of(kind, models), Reader(folder, kind, options.sample)
    checked = list(Reader(folder, kind, options.check).items()) if options.check else []
    with Journal(options.answers or _own_answers(folder)) as journal:
        estimated = estimate(
            questions(kind, reader.items(), judges, options.repeats),
            check_questions(kind, checked, judges, journal),
            journal,
            options.prices,
        )
        refuse_above(estimated, options.ask.max_usd)
        if announce:
            announce(estimated)
        if estimated.to_pay:
            _require_reachable(models)
        total = estimated.questions + estimated.check_questions
        asking = Asking(journal, options.ask, _cost(models, options), progress, total)
        collector = _Taken(kind, judges)
        checks = asyncio.run(_ask(asking, reader, collector, checked, options))
        added = add_verdicts(folder, collector.verdicts)
    return _judge(estimated, collector, added, asking, reader, checks)


def _own_answers(folder: Path) -> Path:
    """The journal inside the ledger; one that is a link would be cut short somewhere else."""
    refuse_links(folder, (ANSWERS, f"{ANSWERS}/{JOURNAL}"))
    return folder / ANSWERS


def _require_reachable(models: list[Ask]) -> None:
    """Without a network the first line says so, instead of hundreds of questions one by one."""
    for ask in models:
        if isinstance(ask, Reachable):
            ask.require_reachable()


async def _ask(
    asking: Asking, reader: Reader, collector: "_Taken", checked: list[Item], options: JudgeOptions
) -> list[Check]:
    """All of it in one loop: a provider's connections do not outlive theirs."""
    kind, judges = collector.kind, collector.judges
    items = (collector.noted(item) for item in reader.items())
    try:
        await asking.run(questions(kind, items, judges, options.repeats), collector)
        return await check_judges(asking, kind, checked, judges) if checked else []
    finally:
        for judge in judges:
            await judge.ask.close()


class _Taken:
    """Turns answers into verdicts as they come."""

    def __init__(self, kind: Kind, judges: list[Judge]) -> None:
        self.kind, self.judges = kind, judges
        self.verdicts: list[tuple[str, Verdict]] = []
        self.unfounded: list[Unfounded] = []
        self.unanswered = 0
        self.unasked: Counter[str] = Counter()

    def noted(self, item: Item) -> Item:
        """A thing that nobody can judge is recorded at once."""
        if item.thing.problem is not None:
            self.unasked[item.thing.problem] += 1
            self.verdicts += [
                (item.volume, self._count_unasked(item, judge)) for judge in self.judges
            ]
        return item

    def _count_unasked(self, item: Item, judge: Judge) -> Verdict:
        why, name = item.thing.problem or "", judge.ask.name
        return Verdict(
            kind=self.kind.name,
            trajectory_id=item.trajectory_id,
            turn=item.thing.turn,
            call=item.thing.call,
            judge=judge.framing,
            model=name,
            label=None,
            problem=why,
            rubric="",
            digest=digest(self.kind.name, judge.framing, name, why),
            attempts=0,
        )

    def __call__(self, question: Question, reply: JudgeReply | None) -> None:
        if reply is None:
            self.unanswered += 1
            return
        item, judge, parsed = question.about.item, question.about.judge, reply.parsed
        verdict = Verdict(
            kind=self.kind.name,
            trajectory_id=item.trajectory_id,
            turn=item.thing.turn,
            call=item.thing.call,
            judge=judge.framing if question.repeat == 1 else f"{judge.framing}~{question.repeat}",
            model=question.ask.name,
            label=parsed.label,
            confidence=parsed.confidence,
            score=parsed.score,
            **parsed.scores,
            rationale=parsed.rationale,
            problem=parsed.problem if parsed.label is None else None,
            rubric=digest(question.prompt.system),
            digest=question.key,
            attempts=reply.attempts,
            cached=reply.cached,
        )
        self.verdicts.append((item.volume, verdict))
        if spans := unfounded(parsed.rationale, question.prompt):
            self.unfounded.append(
                Unfounded(
                    trajectory_id=verdict.trajectory_id,
                    turn=verdict.turn,
                    call=verdict.call,
                    judge=verdict.judge,
                    model=verdict.model,
                    spans=spans,
                )
            )


def _judge(
    estimated: Estimated,
    collector: _Taken,
    added: int,
    asking: Asking,
    reader: Reader,
    checks: list[Check],
) -> Judged:
    produced = [verdict for _, verdict in collector.verdicts]
    return Judged(
        estimated=estimated,
        verdicts=len(produced),
        added=added,
        paid=asking.paid,
        repaired=sum(entry.attempts == 2 and entry.label is not None for entry in produced),
        unread=sum(entry.attempts > 0 and entry.label is None for entry in produced),
        unasked=dict(collector.unasked),
        unanswered=collector.unanswered,
        last_error=asking.last_error,
        spent_usd=None if estimated.unpriced else asking.spent_usd,
        missing=reader.missing,
        checks=checks,
        unfounded=collector.unfounded,
    )


def _cost(models: list[Ask], options: JudgeOptions) -> Callable[[str, int, int], float | None]:
    prices: dict[str, Price | None] = {
        ask.name: judge_price(ask.name, options.prices) for ask in models
    }
    return lambda model, asked, stated: money(prices[model], asked, None, None, stated)


__all__ = ["ANSWERS", "JudgeOptions", "Judged", "judge_ledger"]
