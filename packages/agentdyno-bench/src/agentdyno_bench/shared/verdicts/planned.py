"""Who is asked what: things to judge and judges in, questions and their cost out."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from agentdyno_bench.shared.judges.asking import Ask
from agentdyno_bench.shared.judges.journal import Journal
from agentdyno_bench.shared.judges.questions import Question
from agentdyno_bench.shared.verdicts.expected_cost import Estimated, estimate_usd, judge_price
from agentdyno_bench.shared.verdicts.kinds import Kind, Thing

Place = tuple[str, int | None, int | None]


class Item(Struct, frozen=True):
    """One thing to judge, and where it belongs."""

    volume: str
    """The ledger's volume that holds it."""
    trajectory_id: str
    thing: Thing

    @property
    def place(self) -> Place:
        """Trajectory, turn and call."""
        return self.trajectory_id, self.thing.turn, self.thing.call


class Judge(Struct, frozen=True):
    """A model that is asked in one framing."""

    ask: Ask
    framing: str


class About(Struct, frozen=True):
    """The subject of a question, and the judge that answers it."""

    item: Item
    judge: Judge


def judges_of(kind: Kind, models: list[Ask]) -> list[Judge]:
    """One judge per model, the framings dealt out in turn; a model alone takes all of them."""
    if len(models) == 1:
        return [Judge(models[0], framing) for framing in kind.framings]
    framings = kind.framings
    return [Judge(ask, framings[index % len(framings)]) for index, ask in enumerate(models)]


def questions(
    kind: Kind, items: Iterable[Item], judges: list[Judge], repeats: int = 1
) -> Iterator[Question]:
    """One for every thing, judge and repeat; a thing that nobody can judge has none."""
    for item in items:
        if item.thing.problem is not None:
            continue
        for judge in judges:
            prompt = kind.prompt(item.thing.evidence, judge.framing)
            for repeat in range(1, repeats + 1):
                yield Question(judge.ask, prompt, repeat, About(item, judge))


def estimate(
    main: Iterable[Question], checking: Iterable[Question], journal: Journal, prices: Path | None
) -> Estimated:
    """Estimate questions and cost; the same question is paid for once."""
    bill = _Bill(journal)
    places: set[Place] = set()
    for item in main:
        places.add(item.about.item.place)
        bill.add(item)
    main_questions, due = bill.asked, bill.due
    for item in checking:
        bill.add(item)
    rates = {name: judge_price(name, prices) for name in bill.characters}
    costs = [estimate_usd(rates[name], bill.characters[name], bill.counts[name]) for name in rates]
    priced = [cost for cost in costs if cost is not None]
    return Estimated(
        calls=len(places),
        questions=main_questions,
        check_questions=bill.asked - main_questions,
        to_pay=bill.due,
        check_to_pay=bill.due - due,
        usd=sum(priced) if len(priced) == len(costs) else None,
        unpriced=tuple(name for name, price in rates.items() if price is None),
    )


class _Bill:
    """Adds up what no earlier answer settles."""

    def __init__(self, journal: Journal) -> None:
        self.asked = self.due = 0
        self.characters: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self._journal = journal
        self._seen: set[str] = set()

    def add(self, item: Question) -> None:
        name = item.ask.name
        self.characters.setdefault(name, 0)
        self.counts.setdefault(name, 0)
        self.asked += 1
        if item.key in self._seen or self._journal.get(item.key) is not None:
            return
        self._seen.add(item.key)
        self.due += 1
        self.characters[name] += item.prompt.characters
        self.counts[name] += 1
