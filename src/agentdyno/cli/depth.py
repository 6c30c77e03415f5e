"""`agentdyno depth`: how much of a response was settled only in the deepest layers."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from agentdyno.pipelines.depth import DepthOptions, DepthResult


class DistanceName(StrEnum):
    """How far a layer's prediction is from the last layer's."""

    jsd = "jsd"
    kl = "kl"
    cosine = "cosine"


def command(
    texts: Annotated[
        Path | None,
        typer.Option(help='JSON lines: "prompt", "response" (generated when missing), "correct".'),
    ] = None,
    model: Annotated[
        str, typer.Option(help="smollm2 (embedded), a GGUF file, a folder, or a name on the hub.")
    ] = "smollm2",
    ledger: Annotated[
        Path | None, typer.Option(help="Read a ledger's turns instead of texts.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Read recorded profiles; no model is needed.")
    ] = None,
    g: Annotated[
        list[float] | None,
        typer.Option(help="Distance at which a layer has settled; may be repeated. 0.5."),
    ] = None,
    rho: Annotated[
        list[float] | None,
        typer.Option(help="Share of layers where deep ones begin; may be repeated. 0.85."),
    ] = None,
    distance: Annotated[
        DistanceName, typer.Option(help="Distance between predictions.")
    ] = DistanceName.jsd,
    tokens: Annotated[bool, typer.Option(help="Show every token's settling depth.")] = False,
    profiles: Annotated[
        Path | None, typer.Option(help="Keep whole profiles in this Parquet file.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the first response's heat map: .png or .svg.")
    ] = None,
    raw: Annotated[bool, typer.Option(help="Prompts as they are, without chat template.")] = False,
    max_new_tokens: Annotated[
        int, typer.Option(min=1, help="Length of responses that are generated.")
    ] = 256,
    temperature: Annotated[float, typer.Option(min=0.0, help="While generating.")] = 1.0,
    top_p: Annotated[float, typer.Option(min=0.0, max=1.0, help="While generating.")] = 1.0,
    seed: Annotated[int, typer.Option(help="While generating.")] = 0,
    dtype: Annotated[
        str | None, typer.Option(help="float32, bfloat16 or float16; by default by device.")
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cpu or cuda; by default what there is.")
    ] = None,
    readout: Annotated[
        str | None,
        typer.Option(help="Declare an unknown family: decoder=PATH,norm=PATH,scale=1,soft_cap=30."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Measure thinking depth: the share of tokens that settle only in the deepest layers."""
    from agentdyno.pipelines.depth import DepthOptions

    options = DepthOptions(
        model=model,
        thresholds=_thresholds(g or [0.5], rho or [0.85]),
        distance=distance.value,
        tokens=tokens,
        profiles=profiles,
        picture=picture,
        raw=raw,
        max_new_tokens=max_new_tokens,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        dtype=dtype,
        device=device,
        readout=readout,
    )
    _one_input(texts, ledger, replay)
    if ledger is not None:
        return _show_turns(ledger, options, json)
    return _show(_measured(texts, replay, options), options, json)


def _thresholds(gs: list[float], rhos: list[float]) -> Any:
    from agentdyno.records import InputError
    from agentdyno.records.depth import Thresholds

    if bad := [value for value in gs if not value >= 0]:
        raise InputError(f"--g: expected a distance of at least 0, got {bad[0]}.")
    if bad := [value for value in rhos if not 0 < value <= 1]:
        raise InputError(f"--rho: expected a share above 0 and at most 1, got {bad[0]}.")
    return tuple(Thresholds(g, rho) for g in gs for rho in rhos)


def _one_input(*given: Path | None) -> None:
    from agentdyno.records import InputError

    if sum(path is not None for path in given) != 1:
        raise InputError("expected one of --texts FILE, --ledger LEDGER and --replay FILE.")


def _measured(texts: Path | None, replay: Path | None, options: "DepthOptions") -> "DepthResult":
    from agentdyno.pipelines.depth import measure_depth, replay_depth
    from agentdyno.pipelines.depth.files import read_profiles, write_profiles
    from agentdyno.pipelines.depth.pictures import draw_heat_map

    if replay is not None:
        result = replay_depth(read_profiles(replay), options)
    else:
        assert texts is not None
        result = measure_depth(texts, options)
    if options.profiles is not None and result.profiles:
        write_profiles(result.profiles, options.profiles)
    if options.picture is not None and result.profiles:
        draw_heat_map(result.profiles[0], options.picture, options.distance)
    return result


def _show(result: "DepthResult", options: "DepthOptions", as_json: bool) -> int:
    from agentdyno.cli.output import console, print_json, table
    from agentdyno.pipelines.depth.analyses import correlations

    found = correlations(result.sequences)
    if as_json:
        print_json(_as_json(result, options, found))
        return 0
    shown = table("response", "tokens", "DTR", "log-prob", "entropy", "self-certainty")
    for row in result.sequences:
        b = row.baselines
        entropy = None if b.negative_entropy is None else -b.negative_entropy
        numbers = (row.dtr, b.mean_log_prob, entropy, b.self_certainty)
        shown.add_row(_name(row.id), f"{b.length:,}", *map(_number, numbers))
    out = console()
    out.print(shown)
    pair = options.thresholds[0]
    out.print(
        f"{result.model}: {result.layers} layers, deep from layer {result.cut}; "
        f"{result.distance}, g {pair.g}, rho {pair.rho}"
    )
    for line in found:
        estimate = _number(line.binned.estimate)
        out.print(f"with being right: {line.measure} {line.level or ''} r = {estimate}")
    for bad in result.bad[:5]:
        out.print(f"not read: {bad}", style="dim")
    return 0


def _as_json(result: "DepthResult", options: "DepthOptions", found: Any) -> dict[str, Any]:
    import msgspec

    pair = options.thresholds[0]
    return {
        "model": result.model,
        "layers": result.layers,
        "deep_from_layer": result.cut,
        "distance": result.distance,
        "g": pair.g,
        "rho": pair.rho,
        "sequences": [_sequence_json(row, len(options.thresholds) > 1) for row in result.sequences],
        "correlations": msgspec.to_builtins(found),
        "work": msgspec.to_builtins(result.work),
        "bad": [str(bad) for bad in result.bad],
    }


def _sequence_json(row: Any, several: bool) -> dict[str, Any]:
    import msgspec

    flat: dict[str, Any] = {"id": row.id, "dtr": row.dtr, **msgspec.to_builtins(row.baselines)}
    if several:
        flat["sweep"] = [{"g": p.g, "rho": p.rho, "dtr": ratio} for p, ratio in row.sweep]
    optional = {name: getattr(row, name) for name in ("correct", "level", "response", "tokens")}
    flat.update({k: msgspec.to_builtins(v) for k, v in optional.items() if v is not None})
    return flat


def _show_turns(ledger: Path, options: "DepthOptions", as_json: bool) -> int:
    from agentdyno.cli.output import console, print_json, table
    from agentdyno.pipelines.depth.turns import ledger_depths
    from agentdyno.probes.loading import open_model

    opened = open_model(options.model, options.dtype, options.device, options.readout)
    rows = list(ledger_depths(ledger, opened, options.thresholds[0]))
    if as_json:
        print_json({"model": options.model, "turns": rows})
        return 0
    shown = table("turn", "tokens", "DTR", "call tokens", "DTR of calls")
    for row in rows:
        name = _name(f"{row.trajectory_id} {row.turn}")
        calls = (f"{row.call_tokens:,}", _number(row.call_dtr))
        shown.add_row(name, f"{row.depth_tokens:,}", _number(row.dtr), *calls)
    console().print(shown)
    return 0


def _name(text: str) -> str:
    from agentdyno.records import printable

    return printable(text, 48)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
