"""Judging the calls of a ledger: texts in, verdicts in the ledger out.

    calls       every call with the state around it           judge.calls
    estimate    how many questions, how much money            judge.estimate
    asking      concurrent, limited, each paid once           judge.asking, journal
    verdicts    what was answered, added to the ledger        judge.verdicts
    checks      does the order or the record steer the judge  judge.checks

Killed at any moment, a run goes on where it stopped: the journal has every answer that came.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from agentdyno.judges.utility.asking import Ask
from agentdyno.judges.utility.prompt import Framing, build_prompt, rubric_digest
from agentdyno.metrics.cost.prices import Price, money
from agentdyno.metrics.utility.logical import LogicalTools
from agentdyno.pipelines.judge.asking import Asked, Asking, AskOptions, Progress, Question
from agentdyno.pipelines.judge.calls import CallToJudge, Reader
from agentdyno.pipelines.judge.estimate import (
    Estimated,
    expected_usd,
    judge_price,
    refuse_above,
)
from agentdyno.pipelines.judge.journal import Journal
from agentdyno.pipelines.judge.verdicts import add_verdicts
from agentdyno.records.verdicts import Verdict

ANSWERS = "judging"
"""Folder of a ledger that holds the journal."""


class JudgeOptions(Struct, frozen=True):
    """What a user may choose."""

    framing: Framing = Framing()
    """How the question is put."""
    repeats: int = 1
    """How often every judge is asked about every call."""
    sample: int | None = None
    """Only so many calls, spread over the ledger; None for all."""
    rules: LogicalTools = LogicalTools()
    """Which tool a call is of, and which are left out."""
    ask: AskOptions = AskOptions()
    """Limits on asking."""
    answers: Path | None = None
    """Folder of the journal, to share it between ledgers; None keeps it in the ledger."""
    prices: Path | None = None
    """A price table that goes before the bundled one."""


class Judged(Struct, frozen=True, kw_only=True):
    """What a run did."""

    estimated: Estimated
    """What was expected."""
    verdicts: int
    """Verdicts of this run's questions that the ledger now has."""
    added: int
    """Those that are new in it."""
    paid: int
    """Answers that were paid for now, repairs included."""
    unread: int
    """Verdicts without a label."""
    unanswered: int
    """Questions that failed or that the money did not reach; run again to ask them."""
    last_error: str
    """What the last question that failed ended with; empty when none did."""
    spent_usd: float | None
    """Money by the reported usage; None when a price is unknown."""
    missing: dict[str, str]
    """Files whose calls could not be judged, with the reason."""


def judge_utility(
    folder: Path,
    judges: list[Ask],
    options: JudgeOptions | None = None,
    progress: Progress | None = None,
    announce: Callable[[Estimated], None] | None = None,
) -> Judged:
    """Asks every judge about every call and records what they say."""
    options = options or JudgeOptions()
    reader = Reader(folder, options.rules, options.sample)
    with Journal(options.answers or folder / ANSWERS) as journal:
        estimated = estimate(reader, judges, options, journal)
        refuse_above(estimated, options.ask.max_usd)
        if announce:
            announce(estimated)
        asking = Asking(journal, options.ask, _cost(judges, options), progress)
        taken = _Taken(options)
        asking.run(questions(reader, judges, options), taken, estimated.questions)
        added = add_verdicts(folder, taken.verdicts)
    return Judged(
        estimated=estimated,
        verdicts=len(taken.verdicts),
        added=added,
        paid=asking.paid,
        unread=sum(verdict.label is None for _, verdict in taken.verdicts),
        unanswered=taken.unanswered,
        last_error=asking.last_error,
        spent_usd=None if estimated.unpriced else asking.spent_usd,
        missing=reader.missing,
    )


def questions(reader: Reader, judges: list[Ask], options: JudgeOptions) -> Iterator[Question]:
    """One for every call, judge and repeat."""
    for call in reader.calls():
        prompt = build_prompt(call.state, options.framing)
        for ask in judges:
            for repeat in range(1, options.repeats + 1):
                yield Question(ask, prompt, repeat, call)


def estimate(
    reader: Reader, judges: list[Ask], options: JudgeOptions, journal: Journal
) -> Estimated:
    """What is to be asked, and what that will cost."""
    places, many, to_pay = set(), 0, 0
    characters = dict.fromkeys((ask.name for ask in judges), 0)
    counts = dict.fromkeys(characters, 0)
    for one in questions(reader, judges, options):
        many += 1
        places.add((one.about.trajectory_id, one.about.turn, one.about.call))
        if journal.get(one.key) is None:
            to_pay += 1
            characters[one.ask.name] += one.prompt.characters
            counts[one.ask.name] += 1
    prices = {name: judge_price(name, options.prices) for name in characters}
    costs = [expected_usd(prices[name], characters[name], counts[name]) for name in characters]
    known = [cost for cost in costs if cost is not None]
    return Estimated(
        calls=len(places),
        questions=many,
        to_pay=to_pay,
        usd=sum(known) if len(known) == len(costs) else None,
        unpriced=tuple(name for name, price in prices.items() if price is None),
    )


class _Taken:
    """Turns answers into verdicts as they come."""

    def __init__(self, options: JudgeOptions) -> None:
        self.verdicts: list[tuple[str, Verdict]] = []
        self.unanswered = 0
        self._framing = options.framing
        self._rubric = rubric_digest(options.framing)

    def __call__(self, one: Question, asked: Asked | None) -> None:
        if asked is None:
            self.unanswered += 1
            return
        call: CallToJudge = one.about
        name = self._framing.name if one.repeat == 1 else f"{self._framing.name}~{one.repeat}"
        verdict = Verdict(
            kind="utility",
            trajectory_id=call.trajectory_id,
            turn=call.turn,
            call=call.call,
            judge=name,
            model=one.ask.name,
            label=asked.parsed.label,
            confidence=asked.parsed.confidence,
            rationale=asked.parsed.rationale,
            problem=asked.parsed.problem if asked.parsed.label is None else None,
            rubric=self._rubric,
            digest=one.key,
            attempts=asked.attempts,
            cached=asked.cached,
        )
        self.verdicts.append((call.volume, verdict))


def _cost(
    judges: list[Ask], options: JudgeOptions
) -> Callable[[str, int | None, int | None], float | None]:
    prices: dict[str, Price | None] = {
        ask.name: judge_price(ask.name, options.prices) for ask in judges
    }
    return lambda model, asked, said: money(prices[model], asked, None, None, said)
