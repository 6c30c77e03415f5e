"""What `agentdyno depth` prints: responses, turns of a ledger, and the same as JSON."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentdyno.estimates.values import Estimate
    from agentdyno.pipelines.depth import DepthOptions, DepthResult
    from agentdyno.pipelines.depth.reading import DepthTold
    from agentdyno.studies.depth.accuracy import Correlation

MOST_TURNS = 40
"""Turns that people are shown; the table has them all."""


def print_result(out: Any, result: "DepthResult", options: "DepthOptions") -> None:
    """The responses, and what goes with being right."""
    from agentdyno.cli.output import table
    from agentdyno.studies.depth.accuracy import correlations

    shown = table("response", "tokens", "DTR", "log-prob", "entropy", "self-certainty")
    for row in result.sequences:
        b = row.baselines
        entropy = None if b.negative_entropy is None else -b.negative_entropy
        numbers = (row.dtr, b.mean_log_prob, entropy, b.self_certainty)
        shown.add_row(_name(row.id), f"{b.length:,}", *map(_number, numbers))
    out.print(shown)
    pair = options.thresholds[0]
    out.print(
        f"{_name(result.model)}: {result.layers} layers, deep from layer {result.cut}; "
        f"{result.distance}, g {pair.g}, rho {pair.rho}"
    )
    for template in dict.fromkeys(row.record.template for row in result.sequences if row.record):
        out.print(f"prompts: {template}")
    if found := correlations(result.sequences):
        _print_correlations(out, found)
    for bad in result.bad[:5]:
        out.print(f"not read: {bad}", style="dim")


def _print_correlations(out: Any, found: "list[Correlation]") -> None:
    """A row for each measure, a column for all responses and for each level."""
    from agentdyno.cli.output import table

    levels = list(dict.fromkeys(line.level for line in found))
    shown = table("r with being right", *("all" if x is None else _name(x) for x in levels))
    for measure in dict.fromkeys(line.measure for line in found):
        own = {line.level: line.reading for line in found if line.measure == measure}
        shown.add_row(measure, *(_reading(own[level]) for level in levels))
    out.print(shown)
    out.print("Pearson over five quantile bins, with the interval of responses drawn again.")


def result_json(result: "DepthResult", options: "DepthOptions") -> dict[str, Any]:
    """The same for programs."""
    import msgspec

    from agentdyno.studies.depth.accuracy import correlations

    pair = options.thresholds[0]
    return {
        "model": result.model,
        "layers": result.layers,
        "deep_from_layer": result.cut,
        "distance": result.distance,
        "g": pair.g,
        "rho": pair.rho,
        "sequences": [_sequence_json(row, len(options.thresholds) > 1) for row in result.sequences],
        "correlations": msgspec.to_builtins(correlations(result.sequences)),
        "work": msgspec.to_builtins(result.work),
        "bad": [str(bad) for bad in result.bad],
    }


def _sequence_json(row: Any, several: bool) -> dict[str, Any]:
    import msgspec

    flat: dict[str, Any] = {"id": row.id, "dtr": row.dtr, **msgspec.to_builtins(row.baselines)}
    if several:
        flat["sweep"] = [{"g": p.g, "rho": p.rho, "dtr": ratio} for p, ratio in row.sweep]
    names = ("correct", "level", "response", "ended", "tokens", "record")
    optional = {name: getattr(row, name) for name in names}
    flat.update({k: msgspec.to_builtins(v) for k, v in optional.items() if v is not None})
    return flat


def print_ledger(out: Any, told: "DepthTold") -> None:
    """The first turns, the settings, and what was done."""
    from agentdyno.records import counted

    _print_turns(out, told)
    _print_settings(out, told)
    out.print(
        f"{_name(told.model)}, g {told.g}, rho {told.rho}: "
        f"{counted(told.added.trajectories, 'trajectory', 'trajectories')} read now, "
        f"{told.added.known:,} known before, {told.added.left:,} left out by --limit. "
        "Rows are in the ledger's table depth."
    )
    out.print("n counts trajectories; calls and others are the tokens of calls and the rest.")
    out.print(f"Texts were given by: {told.template}.")
    if told.called == "reading":
        out.print("These numbers are a reading of the texts, not a measure of thinking.")
    if told.written_by_others:
        names = ", ".join(_name(name) for name in told.written_by_others[:3])
        out.print(
            f"{_name(told.model)} did not write these texts (by {names}): the numbers say how hard "
            "they are for it, not how hard the agent thought."
        )
    for name, reason in list(told.added.missing.items())[:5]:
        out.print(f"not read: {_name(name)}: {reason}", style="dim")


def _print_turns(out: Any, told: "DepthTold") -> None:
    from agentdyno.cli.output import table

    whole = [row for row in told.turns if row.call is None]
    shown = table("turn", "tokens", "DTR", "call tokens", "DTR of calls", "log-prob")
    for row in whole[:MOST_TURNS]:
        name = f"{_end(row.trajectory_id)} {row.turn}"
        calls = (f"{row.call_tokens:,}", _number(row.call_dtr))
        numbers = (f"{row.depth_tokens:,}", _number(row.dtr), *calls, _number(row.mean_log_prob))
        shown.add_row(name, *numbers)
    out.print(shown)
    if len(whole) > MOST_TURNS:
        out.print(f"… and {len(whole) - MOST_TURNS:,} more turns", style="dim")


def _print_settings(out: Any, told: "DepthTold") -> None:
    from agentdyno.cli.output import table
    from agentdyno.reports.topics.depth.tables import setting_name

    shown = table("setting", "n", "DTR", "calls", "others", "solved", "unsolved")
    for row in told.settings:
        readings = (row.call_dtr, row.rest_dtr, row.solved_dtr, row.unsolved_dtr)
        numbers = (_number(each.value) for each in readings)
        name, count = _name(setting_name(row.setting)), f"{row.trajectories:,}"
        shown.add_row(name, count, _reading(row.dtr), *numbers)
    out.print(shown)


def _reading(found: "Estimate") -> str:
    if found.low is None or found.high is None:
        return _number(found.value)
    return f"{found.value:.3f} [{found.low:.2f}, {found.high:.2f}]"


def _name(text: str) -> str:
    from agentdyno.records import printable

    return printable(text, 48)


def _end(text: str) -> str:
    """What trajectories of one file differ in is the end of their names."""
    return _name(text if len(text) <= 40 else f"…{text[-39:]}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
