"""What sessions shipped, as a topic."""

from datetime import datetime

from agentdyno.records import plural
from agentdyno.reports.numbers import dollars, in_words, label, percent
from agentdyno.reports.topic import Figure, Topic, TopicTable, Value, columns
from agentdyno.studies.shipped.results import Compared, Delivery, Shipped


def render_shipped(found: Shipped) -> Topic:
    """The topic."""
    return Topic(
        anchor="shipped",
        title="What it shipped",
        lead=_lead(found),
        notes=_notes(found),
        charts=[],
        tables=[
            _units(found),
            _commits(found),
            _lost(found),
            *(_compared(by, rows) for by, rows in found.compared.items() if len(rows) > 1),
        ],
        figures=[
            Figure(found.on_main_usd, "money", f"on {label(found.main)}"),
            Figure(found.no_commit_usd, "money", "in no commit"),
        ],
    )


def _lead(found: Shipped) -> str:
    def share(usd: float) -> str:
        return f"{dollars(usd)} ({percent(usd / found.usd, 0)})" if found.usd else dollars(usd)

    commits = sum(each.on_main for each in found.commits)
    parts = [f"{share(found.on_main_usd)} in {plural(commits, 'commit')} on {label(found.main)}"]
    if found.on_branch_usd:
        parts.append(f"{share(found.on_branch_usd)} on other branches alone")
    parts.append(f"{share(found.no_commit_usd)} never reached a commit")
    if found.nothing_written_usd:
        parts.append(f"{share(found.nothing_written_usd)} in sessions that edited nothing here")
    return f"Of {dollars(found.usd)}: {'; '.join(parts)}."


def _notes(found: Shipped) -> list[str]:
    notes = [
        "Sessions and commits are joined by the lines that edits wrote, moved, reformatted and "
        "partly kept lines included; time only rules out what cannot be. A session's cost goes to "
        "its edits in order, and each line's to the first commit that has it. What commands wrote "
        "into files without an edit is nobody's."
    ]
    if found.added:
        share = percent(found.written / found.added, 0)
        notes.append(
            f"Of {found.added:,} lines that commits on {label(found.main)} added, "
            f"{found.written:,} ({share}) are from these sessions."
        )
    if found.survived.value is not None:
        share = in_words(found.survived, "share")
        notes.append(f"Of their lines on {label(found.main)}, {share} stood 14 days later.")
    if found.unpriced_turns:
        notes.append(f"{plural(found.unpriced_turns, 'turn')} without a price are in no sum.")
    if found.unread:
        notes.append(
            f"{plural(found.unread, 'trace')} could not be opened, so their edits are unknown and "
            "their cost counts as no commit's."
        )
    if found.skipped:
        notes.append(f"{plural(found.skipped, 'file')} binary or too large to compare.")
    return notes


def _units(found: Shipped) -> TopicTable:
    heads = columns("pull request or branch", "where", "last commit", "cost:money",
                    "commits:count", "sessions:count", "lines:count", "of added:share")  # fmt: skip
    rows: list[list[Value]] = [
        [_name(each, found), _where(each, found), _day(each), each.usd, each.commits,
         len(each.sessions), each.written, _share(each)]
        for each in found.units
    ]  # fmt: skip
    return TopicTable("By pull request and branch", heads, rows, False)


def _commits(found: Shipped) -> TopicTable:
    heads = columns("commit", "subject", "where", "day", "cost:money", "sessions:count",
                    "lines:count", "of added:share", "stood 14 days:share")  # fmt: skip
    rows: list[list[Value]] = [
        [each.name[:10], label(each.subject, limit=60), _where(each, found), _day(each), each.usd,
         len(each.sessions), each.written, _share(each), each.survived]
        for each in found.commits
    ]  # fmt: skip
    return TopicTable("By commit", heads, rows, False)


def _lost(found: Shipped) -> TopicTable:
    heads = columns("session", "never reached a commit:money", "cost:money", "lines:count",
                    f"on {label(found.main)}:count", "on a branch:count")  # fmt: skip
    rows: list[tuple[float, list[Value]]] = []
    for each in found.sessions:
        lost = (each.usd or 0.0) - each.on_main_usd - each.on_branch_usd
        if lost > 0.005 and each.lines:
            name = label(each.title or each.session, limit=60)
            rows.append((lost, [name, lost, each.usd, each.lines, each.on_main, each.on_branch]))
    ordered = [row for _, row in sorted(rows, key=lambda row: -row[0])]
    return TopicTable("Work that never reached a commit", heads, ordered, False)


def _compared(by: str, rows: list[Compared]) -> TopicTable:
    heads = columns(by, "sessions:count", "cost:money", "on the main branch:share",
                    "cost per line there:money", "stood 14 days:share")  # fmt: skip
    cells: list[list[Value]] = [
        [label(each.name), each.sessions, each.usd, each.on_main, each.usd_per_line, each.survived]
        for each in rows
    ]
    return TopicTable(f"By {by}", heads, cells, False)


def _name(each: Delivery, found: Shipped) -> str:
    return label(f"{each.name}, directly" if each.name == found.main else each.name)


def _where(each: Delivery, found: Shipped) -> str:
    return label(found.main) if each.on_main else "not merged"


def _day(each: Delivery) -> str:
    return f"{datetime.fromtimestamp(each.at):%Y-%m-%d}"


def _share(each: Delivery) -> float | None:
    return each.written / each.added if each.added else None
