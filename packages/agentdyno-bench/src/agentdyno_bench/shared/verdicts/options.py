"""Options and results of judging."""

from pathlib import Path

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno_bench.shared.judges.framing import Framing
from agentdyno_bench.shared.judges.questions import AskOptions
from agentdyno_bench.shared.verdicts.expected_cost import Estimated


class JudgeOptions(Struct, frozen=True):
    """Options of a judging run."""

    framing: Framing = Framing()
    """How the question about utility is put."""
    repeats: int = 1
    """How often every judge is asked about everything."""
    sample: int | None = None
    """Only so many calls or trajectories, spread over the ledger; None for all."""
    check: int | None = None
    """On how many of them it is checked whether anything but the evidence moves the judges."""
    rules: LogicalTools = LogicalTools()
    """Which tool a call is of, and which are left out."""
    ask: AskOptions = AskOptions()
    """Limits on asking."""
    answers: Path | None = None
    """Folder of the journal, to share it between ledgers; None keeps it in the ledger."""
    prices: Path | None = None
    """A price table that goes before the bundled one."""
    instructions: tuple[str, ...] = ()
    """Texts in place of our rubrics, one for each framing in turn."""


class Check(Struct, frozen=True, kw_only=True):
    """How often a label moved."""

    name: str
    """`swap` or `injection`."""
    judge: str
    model: str
    calls: int
    """Calls, or trajectories, with a label both times."""
    moved: int
    """Labels of these that moved."""
    unanswered: int
    """Questions that failed, that the money did not reach, or whose answer could not be read."""
    share: Estimate
    """Moved over labelled, with its interval."""


class Unfounded(Struct, frozen=True, kw_only=True):
    """A verdict whose reason cites what its judge was not shown."""

    trajectory_id: str
    """The trajectory that was judged."""
    turn: int | None
    """The turn of the call that was judged; None when the whole trajectory was."""
    call: int | None
    """The call within that turn; None when the whole trajectory was."""
    judge: str
    model: str
    spans: list[str]
    """What of the reason stands nowhere in the evidence, in any notation."""


class Judged(Struct, frozen=True, kw_only=True):
    """Counts of a judging run."""

    estimated: Estimated
    verdicts: int
    """Verdicts of this run's questions that the ledger now has."""
    added: int
    """Those that are new in it."""
    paid: int
    """Answers that were paid for now, repairs and checks included."""
    repaired: int
    """Verdicts that took a second answer and then had a label."""
    unread: int
    """Verdicts without a label, because the answer could not be read."""
    unasked: dict[str, int]
    """Calls or trajectories that nobody was asked about, because nobody could say, by reason."""
    unanswered: int
    """Questions that failed or that the money did not reach; run again to ask them."""
    last_error: str
    """What the last question that failed ended with; empty when none did."""
    spent_usd: float | None
    """Money by the reported usage; None when a price is unknown."""
    missing: dict[str, str]
    """Files whose calls could not be judged, with the reason."""
    checks: list[Check]
    unfounded: list[Unfounded] = []
    """Verdicts whose reason cites what the judge was not shown: a figure, a day, an id, a quote."""
