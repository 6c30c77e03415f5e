"""What could be changed, told: every lever with its amount, its unit and how sure it is."""

from agentdyno.reports.numbers import UNITS, figure, label, percent
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno.studies.levers import Lever

OF_THE = {
    "pte": "of the PTE",
    "gpu_seconds": "of the GPU-seconds",
    "usd": "of the money",
    "seconds": "of the time",
}
NAMED = 3


def tell_levers(levers: list[Lever]) -> Topic:
    """The topic."""
    return Topic(
        anchor="levers",
        title="What could be changed",
        lead=lever_sentence(levers[0]),
        notes=[
            "Everything on which at least 1 % of the cost hangs. Amounts overlap and do not add "
            "up. Predicted ones are computed by `agentdyno whatif` with the options shown."
        ],
        charts=[],
        tables=[
            TopicTable(
                title="Levers",
                columns=columns("what", "saves:share", "how sure", f"{_unit(levers)}:amount", "if",
                                "whatif"),
                rows=[
                    [_named(lever), lever.share, lever.certainty, lever.amount, lever.assumption,
                     lever.command or None]
                    for lever in levers
                ],
                folded=False,
            )
        ],
    )  # fmt: skip


def _unit(levers: list[Lever]) -> str:
    """What amounts are counted in."""
    costs = [UNITS[lever.unit] for lever in levers if lever.unit in ("pte", "gpu_seconds")]
    return costs[0] if costs else UNITS["pte"]


def lever_sentence(lever: Lever) -> str:
    """The lever in one sentence."""
    what = _named(lever)
    amount = f"{percent(lever.share)} {OF_THE[lever.unit]} ({figure(lever.amount, 'amount')})"
    said = {
        "already taken": f"saved {amount} already",
        "at most": f"would save at most {amount}",
        "predicted": f"would save {amount} by recomputation",
        "proved": f"would save {amount}, as the same tasks show",
    }[lever.certainty]
    return f"{what[:1].upper()}{what[1:]}: that {said}, if {lever.assumption}."


def _named(lever: Lever) -> str:
    if not lever.where:
        return lever.what
    names = ", ".join(label(name) for name in lever.where[:NAMED])
    left = len(lever.where) - NAMED
    more = f" and {left:,} more" if left > 0 else ""
    return f"{lever.what} ({names}{more})"
