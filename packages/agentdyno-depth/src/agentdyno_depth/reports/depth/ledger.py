"""Turns of a ledger that a model has just read: takes a `LedgerDepth`, returns a topic."""

from agentdyno.records import plural, printable, shortened
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import Topic, TopicTable, table_of
from agentdyno_depth.reports.depth.tables import name_setting
from agentdyno_depth.studies.depth.ledger_depth import LedgerDepth

MOST_TURNS = 40
"""Turns that people are shown; the ledger's table has them all."""


def render_ledger_depth(depth: LedgerDepth) -> Topic:
    """The settings, the first turns, and what was done."""
    read = plural(depth.added.trajectories, "trajectory", "trajectories")
    return Topic(
        anchor="depth",
        title=f"How hard the turns were for {label(depth.model)}",
        lead=f"{read} read now, {depth.added.known:,} known before, {depth.added.left:,} left out "
        f"by --limit; g {depth.g}, rho {depth.rho}. Rows are in the ledger's table depth.",
        notes=_notes(depth),
        charts=[],
        tables=[_settings(depth), _turns(depth)],
    )


def _notes(depth: LedgerDepth) -> list[str]:
    notes = [f"Texts were given by: {printable(depth.template, 200)}."]
    if depth.called == "reading":
        notes.append("These numbers are a reading of the texts, not a measure of thinking.")
    if depth.written_by_others:
        names = ", ".join(printable(name, 48) for name in depth.written_by_others[:3])
        notes.append(
            f"{label(depth.model)} did not write these texts (by {names}): the numbers say how "
            "hard they are for it, not how hard the agent thought."
        )
    missing = list(depth.added.missing.items())[:5]
    return notes + [f"Not read: {shortened(name)}: {printable(why, 200)}." for name, why in missing]


def _settings(depth: LedgerDepth) -> TopicTable:
    return table_of(
        "by setting",
        depth.settings,
        {
            "setting": lambda row: name_setting(row.setting),
            "trajectories:count": "trajectories",
            "DTR:correlation": "dtr",
            "of calls:correlation": "call_dtr.value",
            "of the rest:correlation": "rest_dtr.value",
            "solved:correlation": "solved_dtr.value",
            "unsolved:correlation": "unsolved_dtr.value",
        },
        folded=False,
    )


def _turns(depth: LedgerDepth) -> TopicTable:
    turns = [row for row in depth.turns if row.call is None]
    more = f"{len(turns) - MOST_TURNS:,} more turns" if len(turns) > MOST_TURNS else ""
    return table_of(
        "turns",
        turns[:MOST_TURNS],
        {
            "turn": lambda row: f"{shortened(row.trajectory_id, 36)} {row.turn}",
            "tokens:count": "depth_tokens",
            "DTR:correlation": "dtr",
            "call tokens:count": "call_tokens",
            "DTR of calls:correlation": "call_dtr",
            "log-prob:correlation": "mean_log_prob",
        },
        folded=False,
        note=more,
    )
