"""What a change would save: takes a `WhatIf`, returns a topic. Every figure has its assumption."""

from agentdyno.records import plural, printable
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import UNITS, UNKNOWN, dollars, label, seconds, short
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno.reports.topics.cost.estimates import estimate_line
from agentdyno.studies.whatif.results import Figure, Scenario, WhatIf

TITLES = {
    "pte": "PTE",
    "pte_growth": "PTE with growth",
    "gpu_seconds": "GPU-seconds",
    "usd": "money",
}
HEAD = ("", "before", "after", "difference", "change", "per trajectory", "n:count")


def render_whatif(w: WhatIf) -> Topic:
    """A headline, every change alone, all together, and what to know."""
    title = f"together: {w.together.title}" if w.scenarios else w.together.title
    return Topic(
        anchor="whatif",
        title="What it would save",
        lead=_headline(w),
        notes=[
            *_unit(w),
            *_evidence(w),
            *_estimates(w),
            *(printable(note, 300) for note in w.notes),
        ],
        charts=[],
        tables=[
            *(_table(w.unit, scenario, scenario.title) for scenario in w.scenarios),
            _table(w.unit, w.together, title, brief=bool(w.scenarios)),
        ],
    )


def _unit(w: WhatIf) -> list[str]:
    """Why PTE are not there."""
    if w.unit == "pte" or w.together.figures[0].before is not None:
        return []
    if w.unit == "usd":
        return []
    return ["These models differ in architecture, so savings are in GPU-seconds."]


def _evidence(w: WhatIf) -> list[str]:
    if w.unit != "gpu_seconds" or w.evidence is None:
        return []
    return [f"GPU-seconds are replayed. {w.evidence.describe()}."]


def _estimates(w: WhatIf) -> list[str]:
    return [estimate_line(w.estimated)] if w.estimated else []


def _headline(w: WhatIf) -> str:
    by_name = {figure.name: figure for figure in w.together.figures}
    first, usd = by_name[w.unit], by_name["usd"]
    unit = "" if w.unit == "usd" else f" {UNITS[w.unit]}"
    sentence = f"{_amount(first, first.before)}{unit} would become {_amount(first, first.after)}"
    if first.change is not None:
        sentence += f" ({_change(first)})"
    if usd.change is not None and w.unit != "usd":
        sentence += f", {dollars(usd.before)} would become {dollars(usd.after)} ({_change(usd)})"
    covered = plural(w.trajectories, "trajectory", "trajectories")
    if first.left_out:
        covered = f"{first.trajectories:,} of {covered}"
    if w.unit == "usd":
        return f"{sentence}; {covered}, {w.cache} cache."
    at_once = f", {w.concurrency} at once" if w.concurrency else ", as recorded"
    return f"{sentence}; {covered}, {w.cache} cache, {label(w.hardware)}{at_once}."


def _table(unit: CostUnit, s: Scenario, title: str, brief: bool = False) -> TopicTable:
    """Money alone where that is the unit: the others are there on request."""
    figures = s.figures[-1:] if unit == "usd" else s.figures
    rows = [_cells(figure) for figure in figures if figure.before is not None]
    lines = [*([] if brief else [f"{s.touched}."]), *_lines(unit, s, brief)]
    return TopicTable(title, columns(*HEAD), rows, False, " ".join(lines))


def _lines(unit: CostUnit, s: Scenario, brief: bool) -> list[str]:
    """Assumptions once for each figure that differs in them, then what is left out."""
    lines = []
    if s.turns_after != s.turns_before:
        lines.append(f"Turns: {s.turns_before:,} would become {s.turns_after:,}.")
    lines += ["Assumes all of the above."] if brief else _assumptions(unit, s)
    lines += [
        f"Cannot say for {plural(many, 'trajectory', 'trajectories')}: {reason}."
        for reason, many in s.cannot_say.items()
    ]
    unpriced = s.figures[-1].left_out - sum(s.cannot_say.values())
    if unpriced > 0 and s.figures[-1].before is not None:
        lines.append(f"No price before or after: {plural(unpriced, 'trajectory', 'trajectories')}.")
    return lines


def _assumptions(unit: CostUnit, s: Scenario) -> list[str]:
    if unit == "usd":
        return [f"Assumes: {s.figures[-1].assumption}"]
    pte, _, seconds, usd = s.figures
    remainder = usd.assumption.removeprefix(pte.assumption).strip()
    summed = pte.before is None and seconds.before is not None
    cost = "GPU-seconds assume" if summed else "PTE assumes"
    how = "is unknown" if usd.before is None else "assumes besides"
    return [f"{cost}: {pte.assumption}", f"Money {how}: {remainder}"]


def _cells(figure: Figure) -> list[Value]:
    return [
        TITLES.get(figure.name, figure.name),
        _amount(figure, figure.before),
        _amount(figure, figure.after),
        _difference(figure),
        _change(figure),
        f"{_amount(figure, figure.before_mean)} → {_amount(figure, figure.after_mean)}",
        figure.trajectories,
    ]


def _amount(figure: Figure, value: float | None) -> str:
    if figure.name == "gpu_seconds":
        return UNKNOWN if value is None else seconds(value)
    return dollars(value) if figure.name == "usd" else short(value)


def _difference(figure: Figure) -> str:
    if figure.difference is None:
        return UNKNOWN
    sign = "-" if figure.difference < 0 else "+"
    return sign + _amount(figure, abs(figure.difference))


def _change(figure: Figure) -> str:
    return UNKNOWN if figure.change is None else f"{100 * figure.change:+.1f} %"
