"""`agentdyno depth`: how much of a response was settled only in the deepest layers."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options

if TYPE_CHECKING:
    from agentdyno.reports.topic import Topic
    from agentdyno_depth.pipelines.depth import DepthOptions, DepthResult
    from agentdyno_depth.records.depth import Thresholds


class Files(NamedTuple):
    """Files to write beside the printed answer."""

    page: Path | None
    png: Path | None

    def write(self, title: str, topics: "Callable[[], list[Topic]]") -> None:
        """Topics are made only when somebody wants to see them."""
        from agentdyno.cli.files import write_topics

        if self.page is not None or self.png is not None:
            write_topics(title, topics(), self.page, self.png)


class DistanceName(StrEnum):
    """How far a layer's prediction is from the last layer's."""

    jsd = "jsd"
    kl = "kl"
    cosine = "cosine"


class ConventionName(StrEnum):
    """Conventions that are not ours."""

    norm_nats = "norm-nats"
    bare_bits = "bare-bits"
    bare_nats = "bare-nats"


class Options(Struct, frozen=True, kw_only=True):
    texts: Path | None = None
    """JSON lines: "prompt", "response" (generated when missing), "correct"."""
    model: str = "smollm2"
    """smollm2 (embedded), a GGUF file, a folder, or a name on the hub."""
    sources: opt.Sources = None
    ledger: Annotated[Path | None, typer.Option(callback=opt.finish_interrupted)] = None
    """Read a ledger's turns, and add their depth to it."""
    replay: Path | None = None
    """Read recorded profiles; no model is needed."""
    g: list[float] | None = None
    """Distance at which a layer has settled; may be repeated. 0.5."""
    rho: list[float] | None = None
    """Share of layers where deep ones begin; may be repeated. 0.85."""
    distance: DistanceName = DistanceName.jsd
    """Distance between predictions."""
    convention: list[ConventionName] | None = None
    """Compare with another convention, bare: without the final norm; may be repeated."""
    tokens: Annotated[bool, typer.Option()] = False
    """Show every token's settling depth."""
    profiles: Path | None = None
    """Keep whole profiles in this Parquet file."""
    record: Path | None = None
    """Write each response here as it is done; a run that stopped goes on."""
    report: opt.Page = None
    png: opt.Png = None
    limit: Annotated[int | None, typer.Option(min=1)] = None
    """Only so many texts, or trajectories spread over the settings."""
    raw: Annotated[bool, typer.Option()] = False
    """Prompts as they are, without chat template."""
    max_new_tokens: Annotated[int, typer.Option(min=1)] = 256
    """Length of responses that are generated."""
    temperature: Annotated[float, typer.Option(min=0.0)] = 1.0
    """While generating."""
    top_p: Annotated[float, typer.Option(min=0.0, max=1.0)] = 1.0
    """While generating."""
    seed: int = 0
    """While generating."""
    dtype: str | None = None
    """float32, bfloat16 or float16; by default by device."""
    device: str | None = None
    """cpu or cuda; by default what there is."""
    readout: str | None = None
    """Declare a family: decoder=PATH,layers=PATH,norm=PATH,scale=1,soft_cap=30."""
    json: opt.Json = False


@takes_options
def command(args: Options) -> int:
    """Measure how hard a model thinks: the share of its tokens that settle only in the deepest
    layers."""
    from agentdyno.cli.files import check_page
    from agentdyno_depth.pipelines.depth import DepthOptions

    _one_input(args.texts, args.ledger, args.replay)
    check_page(args.report)
    options = copy_options(
        args,
        DepthOptions,
        thresholds=_thresholds(args.g or [0.5], args.rho or [0.85]),
        conventions=tuple(each.value for each in args.convention or ()),
        first_profile=any(path is not None for path in (args.report, args.png)),
    )
    if args.ledger is not None:
        _only_for_texts(options)
        return _ledger(args.ledger, options, Files(args.report, args.png), args.json)
    result = _measure(args.texts, args.replay, options)
    return _show(result, options, Files(args.report, args.png), args.json)


def _thresholds(gs: list[float], rhos: list[float]) -> "tuple[Thresholds, ...]":
    from agentdyno.records import InputError
    from agentdyno_depth.records.depth import Thresholds

    if bad := [value for value in gs if not value >= 0]:
        raise InputError(f"--g: expected a distance of at least 0, got {bad[0]}.")
    if bad := [value for value in rhos if not 0 < value <= 1]:
        raise InputError(f"--rho: expected a share above 0 and at most 1, got {bad[0]}.")
    return tuple(Thresholds(g, rho) for g in gs for rho in rhos)


def _one_input(*given: Path | None) -> None:
    from agentdyno.records import InputError

    if sum(path is not None for path in given) != 1:
        raise InputError("expected one of --texts FILE, --ledger LEDGER and --replay FILE.")


def _only_for_texts(options: "DepthOptions") -> None:
    """Refuses options that do not apply to the turns of a ledger."""
    from agentdyno.records import InputError

    refused = {
        "--tokens": options.tokens,
        "--profiles": options.profiles,
        "--record": options.record,
        f"--distance {options.distance}": options.distance != "jsd",
        "--convention": bool(options.conventions),
    }
    if wrong := [name for name, value in refused.items() if value]:
        raise InputError(
            f"--ledger: expected no {wrong[0]} beside it; that is for --texts and --replay. "
            "Pictures of a ledger's turns come with --report or --png."
        )


def _measure(texts: Path | None, replay: Path | None, options: "DepthOptions") -> "DepthResult":
    from agentdyno.cli.progress_bars import progress_bar
    from agentdyno_depth.pipelines.depth import measure_depth, replay_depth
    from agentdyno_depth.probes.profile_files import read_profiles, write_profiles

    if replay is not None:
        _refuse_conventions(options)
        result = replay_depth(read_profiles(replay)[: options.limit], options)
    else:
        assert texts is not None
        with progress_bar("responses") as progress:
            result = measure_depth(texts, options, progress)
    if options.profiles is not None and result.profiles:
        write_profiles(result.profiles, options.profiles)
    return result


def _refuse_conventions(options: "DepthOptions") -> None:
    from agentdyno.records import InputError

    if options.conventions:
        raise InputError("--replay: expected no --convention, since that needs the model's states.")


def _show(result: "DepthResult", options: "DepthOptions", files: Files, as_json: bool) -> int:
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.records import printable
    from agentdyno_depth.reports.depth.responses import depth_topics

    files.write(
        f"thinking depth of {printable(result.model)}", lambda: depth_topics(result, options)
    )
    if as_json:
        print_json(result_json(result, options))
    else:
        print_found(depth_topics(result, options))
    return 0


def _ledger(folder: Path, options: "DepthOptions", files: Files, as_json: bool) -> int:
    from agentdyno.cli.output import print_found, print_json
    from agentdyno.cli.progress_bars import progress_bar
    from agentdyno.ledger.manifest import load
    from agentdyno.ledger.reader import Ledger
    from agentdyno_depth.pipelines.depth.ledger_turns import add_depth
    from agentdyno_depth.probes.loading import open_model
    from agentdyno_depth.probes.voices import HEADERS, voice_name
    from agentdyno_depth.reports.depth.ledger import render_ledger_depth
    from agentdyno_depth.studies.depth.ledger_depth import study_ledger_depth

    load(folder)  # A folder that is no ledger is reported before a model is opened.
    opened = open_model(options.model, options.dtype, options.device, options.readout)
    with progress_bar("trajectories") as progress:
        added = add_depth(folder, opened, options.thresholds, options.limit, progress)
    pair, template = options.thresholds[0], voice_name(opened)
    depth = study_ledger_depth(
        Ledger(folder), opened.name, pair, added, template, template == HEADERS
    )
    files.write(f"thinking depth in {folder.name}", lambda: _topics(folder))
    if as_json:
        print_json(depth)
    else:
        print_found([render_ledger_depth(depth)])
    return 0


def _topics(folder: Path) -> "list[Topic]":
    from agentdyno.pipelines.sources import ReadableLedger
    from agentdyno.studies.report_context import ReportContext
    from agentdyno_depth.reports.depth import render_depth
    from agentdyno_depth.studies.depth.report import study_depth

    result = study_depth(ReportContext(ReadableLedger(folder)))
    topic = render_depth(result) if result else None
    return [] if topic is None else [topic]


def result_json(result: "DepthResult", options: "DepthOptions") -> dict[str, Any]:
    """The object."""
    import msgspec

    from agentdyno_depth.studies.depth.accuracy import correlations

    pair = options.thresholds[0]
    return {
        "model": result.model,
        "layers": result.layers,
        "deep_from_layer": result.cut,
        "distance": result.distance,
        "convention": {
            "name": "norm-bits",
            "logarithm_base": 2,
            "final_norm": True,
            "layers_counted": f"1 to {result.layers}, without the embedding",
            "prompt_tokens_counted": False,
        },
        "by_convention": result.by_convention,
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
