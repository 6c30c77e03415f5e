"""What used the weekly limit, as a topic."""

from datetime import datetime

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import dollars, label
from agentdyno.reports.topic import Place, Topic, TopicTable, Value, columns
from agentdyno.studies.quota import Quota, Used


def render_quota(found: Quota) -> Topic:
    """The topic."""
    return Topic(
        anchor="quota",
        title="The weekly limit",
        lead=_lead(found),
        notes=[
            _charge(found.cached_charge),
            "Points between two readings are shared among the turns between them by what these "
            "cost at list prices. Those of files are their share of what their sessions cost.",
        ],
        charts=[],
        tables=[
            table
            for title, rows in (
                ("By session", found.sessions),
                ("Where it went", found.origins),
                ("By file", found.files),
            )
            if (table := _table(title, rows)).rows
        ],
    )


def _lead(found: Quota) -> str:
    read = f"{datetime.fromtimestamp(found.read_at):%A %H:%M}"
    stated = f"{found.used:.0f} % of the week was used on {read}"
    if found.resets_at is not None:
        stated += f"; it starts again on {datetime.fromtimestamp(found.resets_at):%A %H:%M}"
    stated += f". {found.points:.0f} points were read in {plural(found.weeks, 'week')}"
    if found.elsewhere >= 0.5:
        stated += f", {found.elsewhere:.0f} of them while nothing ran that this ledger knows"
    worth = found.usd_per_point
    if worth.value is None:
        return f"{stated}. What a point is worth is unknown: {worth.reason}."
    return f"{stated}. A point is worth {dollars(worth.value)} at list prices{_interval(worth)}."


def _interval(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" ({found.confidence:.0%}: {dollars(found.low)} to {dollars(found.high)})".replace(
        "%:", " %:"
    )


def _charge(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return f"What the plan charges for a cached token is unknown: {found.reason}."
    return (
        f"The plan charges a cached token {found.value:.2f} times its list price (95 %: "
        f"{found.low:.2f} to {found.high:.2f}), if it charges models as the list does and nothing "
        "was used elsewhere meanwhile."
    )


def _table(title: str, rows: list[Used]) -> TopicTable:
    heads = columns("what", "points of the week:mean", "cost:money")
    cells: list[list[Value]] = [
        [Place(each.trajectory_id, text=each.name) if each.trajectory_id
         else label("/".join(each.name.split("/")[-3:]), limit=60),
         each.points, each.usd]
        for each in rows
        if each.points >= 0.05
    ]  # fmt: skip
    return TopicTable(title, heads, cells, False)
