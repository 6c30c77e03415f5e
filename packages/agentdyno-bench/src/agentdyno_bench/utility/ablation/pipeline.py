"""A benchmark under several tool suites: variants in, a table and paired tests out.

    variants   `no-mcp:-mcp_*` -> the tools that stay          studies.ablation.variants
    run        every variant, the same tasks and seeds         benchmarks.ablatable
    measure    all of them into one ledger                     pipelines.measure
    judge      which calls helped, if somebody is to say       judge, rollout
    table      by variant, and each against the first          studies.ablation.table

Interrupted, it goes on: finished samples, answers and continuations are kept.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, printable
from agentdyno_bench.utility.ablation.ablatable import AblationBench, Progress
from agentdyno_bench.utility.ablation.results import Ablation
from agentdyno_bench.utility.ablation.table import build_ablation
from agentdyno_bench.utility.ablation.variants import Variant, suite_of

Judging = Callable[[Path], str]
"""Adds verdicts to a ledger and says who gave them."""


class AblateOptions(Struct, frozen=True):
    """Options of an ablation."""

    variants: tuple[Variant, ...]
    """The suites, the baseline first."""
    out: Path
    """Folder of logs and ledger."""
    measuring: MeasureOptions = MeasureOptions()
    """How the logs are measured."""
    rules: LogicalTools = LogicalTools()
    """Which tool a call is of, and which are left out."""
    margin: float = 2.0
    """Points fewer solved that count as no loss."""


def ablate(
    bench: AblationBench,
    options: AblateOptions,
    judging: Judging | None = None,
    progress: Progress | None = None,
) -> Ablation:
    """Runs, measures, judges and compares."""
    suites = _suites(bench, options.variants)
    _claim(options.out, bench)
    notes: list[str] = []
    for name, suite in suites.items():
        notes += bench.run(name, suite, options.out, progress)
    ledger = options.out / "ledger"
    measure([options.out / "logs"], ledger, options.measuring)
    judged_by = judging(ledger) if judging else None
    seen, rules = ReadableLedger(ledger), options.rules
    ablation = build_ablation(bench.name, seen, suites, judged_by, rules, options.margin)
    return structs.replace(ablation, notes=[*notes, *ablation.notes])


def _claim(out: Path, bench: AblationBench) -> None:
    """One folder for one benchmark and one model: variants of two would be mixed otherwise."""
    file, ours = out / "ablation.json", {"benchmark": bench.name, "model": bench.model}
    if file.exists():
        had = msgspec.json.decode(file.read_bytes(), type=dict[str, str | None])
        previous = f"{had.get('benchmark')} by {had.get('model') or 'no model'}"
    elif (out / "logs").exists():
        had, previous = {}, "logs of something else"
    else:
        out.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(ours))
        return
    if had != ours:
        raise InputError(
            f"{out}: expected a folder of its own for {bench.name} by {bench.model or 'no model'}, "
            f"found {printable(previous, 120)}. Choose another --out."
        )


def _suites(bench: AblationBench, variants: tuple[Variant, ...]) -> dict[str, tuple[str, ...]]:
    names = [variant.name for variant in variants]
    if len(set(names)) < len(names):
        raise InputError(f"--variant: expected different names, found {', '.join(names)}.")
    suites = {variant.name: suite_of(variant, bench.tools()) for variant in variants}
    if not suites:
        raise InputError("--variant: expected at least one, such as --variant default.")
    return suites


__all__ = ["AblateOptions", "Judging", "ablate"]
