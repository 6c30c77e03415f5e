"""Tables whose rows an older version made, told."""

from agentdyno.records import counted
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno.studies.outdated import OldTable


def tell_outdated(found: list[OldTable]) -> Topic:
    """One row for each rule that has changed since."""
    rows = [
        [old.table, rule, old.made[rule] or None, old.now[rule]]
        for old in found
        for rule in old.now
    ]
    tables = counted(len(found), "table holds", "tables hold")
    return Topic(
        anchor="outdated",
        title="Made by an older version",
        lead=f"{tables} rows that rules of an older version made; the traces behind them are gone "
        "or have changed, or the ledger cannot be written, so the newer rules have not seen them.",
        notes=["Bring the traces back, or measure them again, and report once more."],
        charts=[],
        tables=[
            TopicTable(
                "Rules that have changed since",
                columns("table", "rule", "version then:count", "version now:count"),
                rows,
            )
        ],
    )
