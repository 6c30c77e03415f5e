"""Tables whose rows an older version made, told."""

from agentdyno.records import plural
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno.studies.outdated import OldTable


def render_outdated(found: list[OldTable]) -> Topic:
    """One row for each rule that has changed since."""
    rows = [
        [old.table, rule, old.made[rule] or None, old.now[rule]]
        for old in found
        for rule in old.now
    ]
    tables = plural(len(found), "group of tables holds", "groups of tables hold")
    return Topic(
        anchor="outdated",
        title="Made by an older version",
        lead=f"{tables} rows that an older version made; what is derived is made again where the "
        "traces are still there and the ledger can be written.",
        notes=[
            "Bring the traces back, measure them again (agentdyno measure TRACES --out LEDGER), "
            "and report once more."
        ],
        charts=[],
        tables=[
            TopicTable(
                "Rules that have changed since",
                columns("table", "rule", "version then:count", "version now:count"),
                rows,
            )
        ],
    )
