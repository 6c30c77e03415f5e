"""Models by benchmarks: accuracy, tokens, tool uses and PTE, as the PTE paper's Tables 5 and 6.

Takes what `studies.benchmarks` found, returns a `Topic`.
Tokens are those prefilled and generated over all turns; ranks are by mean cost within a benchmark,
1 the cheapest, and equal costs share the better rank. The gap that the lead names is the largest
ratio of mean PTE between two models whose accuracies' intervals overlap (section 6.1).

Worked: mean PTE 900 (40 % solved, 30 to 50) and 300 (45 %, 35 to 55) -> ranks 2 and 1, gap 3.0.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from math import inf

from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import AXES, UNITS, amount
from agentdyno.reports.topic import (
    PlaneChart,
    PlanePoint,
    Topic,
    TopicChart,
    TopicColumn,
    TopicTable,
    Value,
    table_of,
)
from agentdyno_bench.shared.benchmarks import (
    Benchmarks,
    Place,
    cost_of,
    error_of,
    on_benchmark,
    ranks_of,
)

SIDE_BY_SIDE = 3
"""Benchmarks in one table."""
MOST_NAMES = 12
"""Points of a chart that are named."""
_MINI = "_mini"


def render_benchmarks(results: Benchmarks) -> Topic:
    places, names, unit = results.places, results.names, UNITS[results.unit]
    return Topic(
        anchor="benchmarks",
        title="Model by benchmark",
        lead=_lead(places, names, results.unit),
        notes=_notes(names, results.left_out, unit),
        charts=_charts(places, names, results.unit),
        tables=[
            *_side_by_side(places, names, unit),
            *_rank_table(places, names, unit),
            _intervals(places, unit),
        ],
    )


# What the numbers say -----------------------------------------------------------------------------


def _lead(places: list[Place], names: list[str], unit: CostUnit) -> str:
    rows = {entry.model for entry in places}
    if len(rows) == 1:
        return _one_model(places, names, unit)
    shared = [name for name in names if len(on_benchmark(places, name)) > 1]
    what = "models" if all(entry.variant is None for entry in places) else "models and tool suites"
    sentence = f"{len(rows)} {what} on {_count(len(names), 'benchmark')}"
    if not shared:
        return f"{sentence}, but no two on the same one: their costs are not comparable."
    cheap, good = (_most_often(places, shared, measure) for measure in (cost_of, error_of))
    sentence += (
        f". {cheap[0]} is the cheapest by {UNITS[unit]} on {_of(cheap[1], shared)}" if cheap else ""
    )
    sentence += f". {good[0]} solves the largest share on {_of(good[1], shared)}" if good else ""
    return f"{sentence}. {_gap(places, shared)}"


def _of(number: int, names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{number} of {len(names)}"


def _one_model(places: list[Place], names: list[str], unit: CostUnit) -> str:
    priced = sorted((p for p in places if p.cost.value is not None), key=cost_of)
    sentence = f"{places[0].model} on {_count(len(names), 'benchmark')}"
    if len(priced) < 2:
        return f"{sentence}."
    low, high = priced[0], priced[-1]
    least, most = (_write(entry.cost.value or 0.0, unit) for entry in (low, high))
    return (
        f"{sentence}: an attempt costs from {least} {UNITS[unit]} on {low.benchmark} to {most} on "
        f"{high.benchmark}."
    )


def _write(cost: float, unit: CostUnit) -> str:
    return f"{cost:,.0f}" if unit == "pte" else amount(cost, unit)


def _gap(places: list[Place], shared: list[str]) -> str:
    """The largest difference in cost that no difference in accuracy explains."""
    pairs = [
        (cost_of(dear) / cost_of(cheap), name, cheap, dear)
        for name in shared
        for cheap, dear in combinations(sorted(on_benchmark(places, name), key=cost_of), 2)
        if cheap.cost.value and dear.cost.value is not None and _overlap(cheap, dear)
    ]
    if not pairs:
        return "Where the costs differ, so do the accuracies."
    ratio, name, cheap, dear = max(pairs, key=lambda each: each[0])
    return (
        f"The widest gap in cost between accuracies that cannot be told apart is on {name}: "
        f"{dear.model} costs {ratio:.1f} times as much as {cheap.model}."
    )


def _overlap(first: Place, other: Place) -> bool:
    a, b = first.accuracy, other.accuracy
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return False
    return a.low <= b.high and b.low <= a.high


def _most_often(
    places: list[Place], shared: list[str], measure: Callable[[Place], float]
) -> tuple[str, int] | None:
    """Who is alone at the lowest value on the most benchmarks, and on how many."""
    winners: Counter[str] = Counter()
    for name in shared:
        lowest = min(map(measure, on_benchmark(places, name)))
        first = [p.model for p in on_benchmark(places, name) if measure(p) == lowest < inf]
        winners.update(first if len(first) == 1 else [])
    best = winners.most_common(2)
    tie = len(best) == 2 and best[0][1] == best[1][1]
    return best[0] if best and not tie else None


def _notes(names: list[str], left_out: int, unit: str) -> list[str]:
    notes = [
        "Tokens are those prefilled and generated over all turns, under the ledger's assumption "
        f"about the cache; tool uses are calls in an attempt; rank 1 is the lowest mean {unit}."
    ]
    if any(name.endswith(_MINI) for name in names):
        notes.append(
            f"Names that end in {_MINI} are the few bundled questions: they try the path and say "
            "nothing of the published benchmark."
        )
    if left_out:
        notes.append(f"{_count(left_out, 'smaller benchmark')} left out.")
    return notes


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


# Charts and tables --------------------------------------------------------------------------------


def _charts(places: list[Place], names: list[str], unit: CostUnit) -> list[TopicChart]:
    """All benchmarks in one plane; each by itself stands with the settings."""
    if len(names) < 2:
        return []
    points = [PlanePoint(p.benchmark, p.cost, p.accuracy, p.model) for p in places]
    return [
        PlaneChart(
            "models-by-benchmarks",
            f"Accuracy against {UNITS[unit]}: a colour for each model, a point for each benchmark",
            f"mean {UNITS[unit]} of an attempt",
            "solved",
            points,
            across_kind=AXES[unit],
            named=len(points) <= MOST_NAMES,
        )
    ]


def _side_by_side(places: list[Place], names: list[str], unit: str) -> list[TopicTable]:
    """Models down, benchmarks across, a few benchmarks to a table."""
    by = {(entry.model, entry.benchmark): entry for entry in places}
    models = list(dict.fromkeys(entry.model for entry in places))
    produced = []
    for start in range(0, len(names), SIDE_BY_SIDE):
        some = names[start : start + SIDE_BY_SIDE]
        columns = [TopicColumn("model"), *(c for name in some for c in _columns(name, unit))]
        rows: list[list[Value]] = [
            [model, *(v for name in some for v in _values(by.get((model, name))))]
            for model in models
            if any((model, name) in by for name in some)
        ]
        title = f"Accuracy, tokens, tool uses and {unit}: {', '.join(some)}"
        produced.append(TopicTable(title, columns, rows, folded=False))
    return produced


def _columns(name: str, unit: str) -> list[TopicColumn]:
    return [
        TopicColumn(f"{name}: solved", "share"),
        TopicColumn("tokens", "amount"),
        TopicColumn("tool uses", "ratio"),
        TopicColumn(unit, "amount"),
    ]


def _values(entry: Place | None) -> list[Value]:
    if entry is None:
        return [None] * 4
    return [entry.accuracy.value, entry.tokens.value, entry.calls.value, entry.cost.value]


def _rank_table(places: list[Place], names: list[str], unit: str) -> list[TopicTable]:
    """Models by their ranks; nothing where no benchmark has two."""
    shared = [name for name in names if len(on_benchmark(places, name)) > 1]
    ranks = {name: ranks_of(on_benchmark(places, name)) for name in shared}
    rows: list[tuple[float, list[Value]]] = []
    for model in dict.fromkeys(entry.model for entry in places):
        ranks_of_model = [ranks[name].get(model) for name in shared]
        valid_ranks = [rank for rank in ranks_of_model if rank is not None]
        if valid_ranks:
            mean = sum(valid_ranks) / len(valid_ranks)
            rows.append((mean, [model, *ranks_of_model, mean, len(valid_ranks)]))
    if not rows:
        return []
    columns = [TopicColumn("model"), *(TopicColumn(name, "count") for name in shared)]
    columns += [TopicColumn("mean rank", "ratio"), TopicColumn("benchmarks", "count")]
    ordered = [row for _, row in sorted(rows, key=lambda item: item[0])]
    return [TopicTable(f"Models ranked by {unit}", columns, ordered, folded=False)]


def _intervals(places: list[Place], unit: str) -> TopicTable:
    return table_of(
        "The same with 95 % intervals",
        places,
        {
            "model": "model",
            "benchmark": "benchmark",
            "n:count": "trajectories",
            "solved:share": "accuracy",
            "tokens:amount": "tokens",
            "tool uses:ratio": "calls",
            f"{unit}:amount": "cost",
        },
    )
