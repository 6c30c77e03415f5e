"""Does a tool pay? Takes a `Worth`, returns a topic: the verdict, what changed, and the bill."""

from agentdyno.records import plural, printable
from agentdyno.reports.numbers import UNKNOWN, dollars, short
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno.reports.topics.comparison import metric_cells
from agentdyno.studies.comparison.results import MetricComparison
from agentdyno_bench.utility.worth.results import Decision, Worth

HEAD = ("metric", "with", "without", "change", "interval", "p:p", "p (Holm):p", "n:count")
BILL_HEAD = ("per attempt", "with", "without", "change", "interval", "n:count")


def render_worth(worth: Worth) -> Topic:
    """The verdict first; A is with the tools, B without them."""
    first, second = printable(worth.first, 60), printable(worth.second, 60)
    tools = ", ".join(printable(tool, 40) for tool in worth.tools[:8])
    more = f" and {len(worth.tools) - 8:,} more" if len(worth.tools) > 8 else ""
    rows = [m for m in worth.metrics if m.a_mean is not None or m.b_mean is not None]
    return Topic(
        anchor="worth",
        title=f"{second} against {first}",
        lead=f"{_describe(worth.decision)} A is {first}, B is {second}.",
        notes=[
            f"Tools in question: {tools or 'none, both sides have the same'}{more}.",
            _describe_tasks(worth, first, second),
            *(printable(line, 400) for line in worth.warnings),
        ],
        charts=[],
        tables=[
            TopicTable("With and without", columns(*HEAD), [*map(metric_cells, rows)], False),
            TopicTable("The bill by part", columns(*BILL_HEAD), [*map(_cells, worth.bill)], False),
        ][: 1 + bool(worth.bill)],
    )


def _describe(decision: Decision) -> str:
    if decision.verdict != "undecided":
        return f"{decision.verdict}: {decision.reason}"
    many = decision.more_tasks
    needed = "" if many is None else f": {plural(many, 'more task')} would decide it"
    return f"undecided{needed}: {decision.reason}"


def _describe_tasks(worth: Worth, first: str, second: str) -> str:
    p = "" if worth.mcnemar_p is None else f" (McNemar p = {worth.mcnemar_p:.3g})"
    share, menu = worth.menu_outweighs, ""
    if share is not None:
        menu = f" On {100 * share:.0f} % of the tasks the schemas cost more than the results."
    solved = f"{worth.only_first:,} solved only by {first}, {worth.only_second:,} only by {second}"
    return f"{solved}{p}.{menu}"


def _cells(row: MetricComparison) -> list[Value]:
    part, _, unit = row.metric.rpartition(" ")
    write = dollars if unit == "usd" else short

    def signed(value: float | None) -> str:
        return UNKNOWN if value is None else f"{'-' if value < 0 else '+'}{write(abs(value))}"

    interval = None if row.low is None else f"{signed(row.low)} to {signed(row.high)}"
    title = f"{part or 'all'}, {'USD' if unit == 'usd' else 'PTE'}"
    return [title, write(row.a_mean), write(row.b_mean), signed(row.effect), interval, row.n]
