"""What a change would save, on a terminal and as Markdown: every figure with its assumption."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.records import counted, printable
from agentdyno.reports.markdown import escape
from agentdyno.reports.numbers import UNKNOWN, dollars, label, seconds, short
from agentdyno.studies.whatif.results import Figure, Scenario, WhatIf

TITLES = {
    "pte": "PTE",
    "pte_growth": "PTE with growth",
    "gpu_seconds": "GPU-seconds",
    "usd": "money",
}
HEAD = ("", "before", "after", "difference", "change", "per trajectory", "n")


def print_whatif(console: Console, w: WhatIf) -> None:
    """A headline, every change alone, all together, and what to know."""
    console.print(Text(_headline(w, label(w.hardware)), style="bold"))
    for scenario in w.scenarios:
        _print_scenario(console, scenario, scenario.title)
    title = f"together: {w.together.title}" if w.scenarios else w.together.title
    _print_scenario(console, w.together, title, brief=bool(w.scenarios))
    for note in w.notes:
        console.print(Text(printable(note, 300), style="yellow"))


def render_whatif(w: WhatIf) -> str:
    """The same as Markdown."""
    blocks = [f"**{_headline(w, escape(label(w.hardware)))}**"]
    blocks += [_block(scenario, scenario.title) for scenario in w.scenarios]
    title = f"together: {w.together.title}" if w.scenarios else w.together.title
    blocks.append(_block(w.together, title))
    blocks += [f"> {escape(printable(note, 300))}" for note in w.notes]
    return "\n\n".join(blocks) + "\n"


def _headline(w: WhatIf, hardware: str) -> str:
    pte, _, taken, usd = w.together.figures
    unit, first = ("GPU-seconds", taken) if w.several_models else ("PTE", pte)
    said = f"{_amount(first, first.before)} {unit} would become {_amount(first, first.after)}"
    if first.change is not None:
        said += f" ({_change(first)})"
    if usd.change is not None:
        said += f", {dollars(usd.before)} would become {dollars(usd.after)} ({_change(usd)})"
    covered = counted(w.trajectories, "trajectory", "trajectories")
    if pte.left_out:
        covered = f"{pte.trajectories:,} of {covered}"
    at_once = f", {w.concurrency} at once"
    return f"{said}; {covered}, {w.cache} cache, {hardware}{at_once}."


def _print_scenario(console: Console, s: Scenario, title: str, brief: bool = False) -> None:
    console.print()
    console.print(Text(title, style="bold cyan"))
    if not brief:
        console.print(Text(s.touched, style="dim"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(HEAD[0], no_wrap=True)
    for column in HEAD[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    for figure in _known(s):
        table.add_row(*_cells(figure))
    console.print(table)
    for line in _lines(s, brief):
        console.print(Text(line, style="dim"))


def _block(s: Scenario, title: str) -> str:
    rows = [list(HEAD), ["---"] + ["---:"] * (len(HEAD) - 1), *map(_cells, _known(s))]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    lines = "\n".join(f"- {escape(line)}" for line in _lines(s, brief=False))
    return f"### {escape(title)}\n\n{escape(s.touched)}.\n\n{table}\n\n{lines}"


def _known(s: Scenario) -> list[Figure]:
    return [figure for figure in s.figures if figure.before is not None]


def _lines(s: Scenario, brief: bool) -> list[str]:
    """Assumptions once for each figure that differs in them, then what is left out."""
    lines = []
    if s.turns_after != s.turns_before:
        lines.append(f"turns: {s.turns_before:,} would become {s.turns_after:,}.")
    if brief:
        lines.append("assumes all of the above.")
    else:
        pte, *_, usd = s.figures
        lines.append(f"PTE assumes: {pte.assumption}")
        rest = usd.assumption.removeprefix(pte.assumption).strip()
        lines.append(f"money {'is unknown' if usd.before is None else 'assumes besides'}: {rest}")
    lines += [
        f"cannot say for {counted(many, 'trajectory', 'trajectories')}: {reason}."
        for reason, many in s.cannot_say.items()
    ]
    unpriced = s.figures[-1].left_out - sum(s.cannot_say.values())
    if unpriced > 0 and s.figures[-1].before is not None:
        lines.append(
            f"no price before or after: {counted(unpriced, 'trajectory', 'trajectories')}."
        )
    return lines


def _cells(figure: Figure) -> list[str]:
    means = f"{_amount(figure, figure.before_mean)} → {_amount(figure, figure.after_mean)}"
    return [
        TITLES[figure.name],
        _amount(figure, figure.before),
        _amount(figure, figure.after),
        _difference(figure),
        _change(figure),
        means,
        f"{figure.trajectories:,}",
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
