"""`agentdyno measure`: traces in, a cost ledger out."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli.views import ArchView, CacheView, HardwareView, PricesView, chosen_view

if TYPE_CHECKING:
    from agentdyno.studies.views import View


class EngineName(StrEnum):
    """Where jobs are done."""

    local = "local"
    ray = "ray"


class Count(StrEnum):
    """How parts of reported totals are sized."""

    fast = "fast"
    exact = "exact"


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files, folders or URLs of traces. None: the bundled sample traces."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder or URL of the ledger.")] = Path("ledger"),
    format: Annotated[
        str | None, typer.Option(help="Read every file as this format instead of detecting it.")
    ] = None,
    hardware: HardwareView = None,
    arch: ArchView = None,
    cache: CacheView = None,
    count: Annotated[
        Count,
        typer.Option(help="Split reported totals by text length (fast) or by tokens (exact)."),
    ] = Count.fast,
    tokenizer: Annotated[
        Path | None, typer.Option(help="A tokenizer.json that counts every model's tokens.")
    ] = None,
    prices: PricesView = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; by default one per processor.")
    ] = None,
    max_record_mb: Annotated[
        int, typer.Option(min=1, help="Records larger than this are reported as bad.")
    ] = 64,
    keep_secrets: Annotated[
        bool,
        typer.Option("--keep-secrets", help="Keep keys, tokens and passwords in the ledger."),
    ] = False,
    engine: Annotated[
        EngineName,
        typer.Option(help="Processes of this machine, or a Ray cluster (agentdyno[scale])."),
    ] = EngineName.local,
    costs_only: Annotated[
        bool,
        typer.Option(
            "--costs-only",
            help="Leave patterns and schedules to the first report, which reads the traces again.",
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Measure traces: what every turn, tool and call cost, and where the cost went."""
    # Costs take no products of matrices, and the threads that numpy starts for them spin for a
    # while: one for each processor, in every worker.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from agentdyno.cli.output import byte_progress
    from agentdyno.pipelines.measure import MeasureOptions, measure
    from agentdyno.pipelines.samples import sample_traces

    options = MeasureOptions(
        format=format,
        hardware=hardware or "h100-pcie",
        arch=arch or "auto",
        cache="evicted" if cache is None else cache.value,
        count=count.value,
        tokenizer=str(tokenizer) if tokenizer else None,
        prices=str(prices) if prices else None,
        workers=workers,
        max_record_mb=max_record_mb,
        keep_secrets=keep_secrets,
        engine=engine.value,
        costs_only=costs_only,
    )
    with byte_progress("measuring") as progress:
        measured = measure(paths or [sample_traces()], out, options, progress)
    return _show(measured, json, chosen_view(cache, hardware, arch, prices))


def _show(measured: object, as_json: bool, view: "View | None") -> int:
    import sys

    import msgspec

    from agentdyno.cli.output import console, print_glance, print_json
    from agentdyno.pipelines.measure import Measured
    from agentdyno.pipelines.report import glance
    from agentdyno.records import counted
    from agentdyno.records.secrets import count_rules

    assert isinstance(measured, Measured)
    report = glance(measured.ledger, view)
    summary = report.results["glance"].summary
    unrecognised = [msgspec.to_builtins(item) for item in measured.unrecognised]
    if as_json:
        extra = {
            "files": measured.files,
            "new_files": measured.new_files,
            "read_again": measured.read_again,
            "apart": measured.apart,
            "unread": measured.unread,
            "secrets": measured.secrets,
            "redaction_rules": count_rules(),
            "gone": measured.gone,
            "unrecognised": unrecognised,
        }
        print_json({**msgspec.to_builtins(summary), **extra})
    elif summary.trajectories:
        print_glance(console(), report.topics[0], report.ledger)
        _mention(unrecognised)
        _mention([{"name": name, "reason": why} for name, why in measured.unread.items()])
        if measured.secrets:
            print(_redacted(measured.secrets), file=sys.stderr)
        if measured.apart:
            files = counted(measured.apart, "file in the ledger was", "files in the ledger were")
            print(
                f"{files} measured by another version or with other options, and left as measured; "
                "agentdyno ledger migrate reads them again.",
                file=sys.stderr,
            )
        if measured.gone:
            gone = counted(len(measured.gone), "source is", "sources are")
            print(f"{gone} gone; the rows stay.", file=sys.stderr)
    if not summary.trajectories:
        return _nothing(summary.bad)
    return 0


def _redacted(secrets: dict[str, int]) -> str:
    """What the rules found; no rules find everything, so nothing here may sound like it."""
    from agentdyno.records.secrets import count_rules

    kinds = ", ".join(f"{many} {kind}" for kind, many in secrets.items())
    return (
        f"Redacted by {count_rules()} rules: {kinds}. Rules miss some secrets; "
        "report --share leaves out all free text."
    )


def _mention(skipped: list[dict[str, str]]) -> None:
    from agentdyno.cli.output import console
    from agentdyno.records import printable

    unrecognised = [item for item in skipped if item.get("is_trace", True)]
    beside = [item["name"] for item in skipped if not item.get("is_trace", True)]
    for item in unrecognised[:5]:
        console().print(
            f"not read: {printable(item['name'], 70)}: {printable(item['reason'], 300)}",
            style="dim",
        )
    if len(unrecognised) > 5:
        console().print(f"not read: {len(unrecognised) - 5} more files", style="dim")
    if beside:
        names = ", ".join(printable(name, 40) for name in beside[:3])
        more = f" and {len(beside) - 3} more" if len(beside) > 3 else ""
        console().print(f"no traces by their names: {names}{more}", style="dim")


def _nothing(bad: list[dict[str, str]]) -> int:
    import sys

    from agentdyno.reports.topics.cost.glance import bad_line

    print(
        "agentdyno: expected at least one trajectory, found none that could be read.",
        file=sys.stderr,
    )
    for row in bad[:5]:
        print(f"  {bad_line(row)}", file=sys.stderr)
    return 2
