"""`agentdyno measure`: traces in, a cost ledger out."""

import os
import sys
import time
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, structs, to_builtins

from agentdyno.cli.companion import load_companion
from agentdyno.cli.option_structs import POSITIONAL, copy_options, takes_options
from agentdyno.cli.views import Cache, CostViewOptions, choose_view
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records.local_days import name_day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentdyno.cli.companion import FirstTotals
    from agentdyno.cli.short_overview import Lines
    from agentdyno.pipelines.last_run import LastRun
    from agentdyno.pipelines.measure import Measured, MeasureOptions
    from agentdyno.records.files import FileOutcome
    from agentdyno.studies.completeness import AgentCompleteness
    from agentdyno.studies.cost.summary_results import Summary
    from agentdyno.studies.outdated import OldRows
    from agentdyno.studies.views import View

STYLES = ("bold", "", "dim")
NAMED = 8
"""Files that are not read and are named with their reason."""


class EngineName(StrEnum):
    """Where jobs are done."""

    local = "local"
    ray = "ray"


class Count(StrEnum):
    """How parts of reported totals are sized."""

    fast = "fast"
    exact = "exact"


class Options(CostViewOptions, frozen=True, kw_only=True):
    """What is typed."""

    paths: Annotated[list[Path] | None, POSITIONAL] = None
    """Files, folders or URLs of traces. None: the bundled sample traces."""
    out: Path = Path("ledger")
    """Folder or URL of the ledger."""
    format: str | None = None
    """Read every file as this format instead of detecting it."""
    set: list[str] | None = None
    """State what the traces do not say: model=NAME, task=…, or path=PATTERN with named groups."""
    count: Count = Count.fast
    """Split reported totals by text length (fast) or by tokens (exact)."""
    tokenizer: Path | None = None
    """A tokenizer.json that counts every model's tokens."""
    workers: Annotated[int, Meta(ge=1)] | None = None
    """Processes; by default one per processor."""
    max_record_mb: Annotated[int, Meta(ge=1)] = 64
    """Records larger than this are reported as bad."""
    keep_secrets: bool = False
    """Keep keys, tokens and passwords in the ledger."""
    keep_equal: bool = False
    """Count byte-equal files without ids or times as samples, not as copies of a run."""
    engine: EngineName = EngineName.local
    """Processes of this machine, or a Ray cluster (needs agentdyno\\[scale])."""
    costs_only: bool = False
    """Leave patterns and schedules to the first report."""
    totals_only: bool = False
    """Print what was used by agent, model, project and day, as fast as that is known, and write
    nothing."""
    keep_texts: bool = False
    """Keep what the traces say beside the ledger, without secrets: agents delete old sessions."""
    json: bool = False
    """One JSON object on stdout."""


@takes_options
def command(options: Options) -> int:
    """Measure traces: what every turn, tool and call cost, and where the cost went."""
    return measure_again(options, None)


def measure_again(options: Options, seen: float | None) -> int:
    """The same, with what is new since somebody last looked."""
    avoid_idle_threads()
    paths = options.paths or [sample_traces()]
    if options.totals_only:
        _expect_only_totals(options)
        return load_companion().print_totals(paths, options.prices, options.json)
    from agentdyno.pipelines.last_run import find_answer

    # Today's sums are another answer tomorrow.
    traces = _digest(options, paths, (name_day(time.time()), seen))
    if traces is not None and (answer := find_answer(options.out, traces)) is not None:
        return _repeat(answer, options.json)
    from agentdyno.engines.local import same_processes

    with same_processes():
        return _measure(options, paths, traces, seen)


def _expect_only_totals(options: Options) -> None:
    """Files are scanned as they are, and nothing is kept: other options would be without effect."""
    from agentdyno.records import InputError

    allowed = {"paths", "out", "prices", "json", "totals_only", "workers", "costs_only"}
    usual = Options()
    for name in sorted({*Options.__struct_fields__} - allowed):
        if getattr(options, name) != getattr(usual, name):
            raise InputError(
                f"--totals-only: expected no option but --prices and --json, found "
                f"--{name.replace('_', '-')}. Leave one of them out."
            )


def _measure(options: Options, paths: list[Path], traces: str | None, seen: float | None) -> int:
    """Costs first, and then what is derived from what was read."""
    from agentdyno.cli.progress_bars import byte_progress
    from agentdyno.pipelines.kept_texts import KeptTexts
    from agentdyno.pipelines.last_run import digest_ledger, keep_answer
    from agentdyno.pipelines.measure import derive_rest, measure_costs_first
    from agentdyno.pipelines.session_states import keep_states
    from agentdyno.pipelines.store_texts import store_texts

    began, first = time.time(), _show_first(options, paths)
    texts = None if options.costs_only and not options.keep_texts else KeptTexts()
    with byte_progress("measuring") as progress:
        last = first.idle if first else ()
        measured = measure_costs_first(paths, options.out, _options(options), progress, texts, last)
    differ = [] if first is None else load_companion().compare_totals(first, measured.ledger)
    view = choose_view(options)
    answer, more_lines, fields = _answer(measured, view, seen, differ)
    if options.json:
        sys.stdout.write(fields)
    if not more_lines:
        return _report_nothing(measured)
    if not options.json:
        _print_answer(answer.lines, measured, answer.notes)
    ledger, problem = digest_ledger(measured.ledger), None
    if options.keep_texts:
        store_texts(options.out, options.workers, texts)
    if not options.costs_only:
        with _say_what_is_left(options.out):
            problem = derive_rest(options.out, options.workers, texts)
        if problem is not None:
            _report_underived(problem, options.out)
        if ledger != (ledger := digest_ledger(measured.ledger)):
            latest, more_lines, _ = _answer(measured, view, seen, differ)
            answer = structs.replace(answer, changes=latest.changes)
    if not options.json:
        from agentdyno.cli.output import print_lines

        print_lines(more_lines)
    keep_states(measured.ledger, began)
    if traces is not None and ledger is not None and problem is None:
        complete = structs.replace(
            answer, traces=traces, ledger=ledger, lines=[*answer.lines, *more_lines]
        )
        keep_answer(measured.ledger, complete)
    return 0


def _show_first(options: Options, paths: list[Path]) -> "FirstTotals | None":
    """Totals of a first run, before anything else is read or loaded; None where there are none, or
    the ledger counts otherwise."""
    from agentdyno.engines.storage import url_of
    from agentdyno.ledger.manifest import exists

    counts_otherwise = options.format or options.tokenizer or options.keep_equal
    if counts_otherwise or any(map(url_of, (*paths, options.out))) or exists(options.out):
        return None
    return load_companion().show_first_totals(paths, options.prices, options.json)


def avoid_idle_threads() -> None:
    """Costs take no products of matrices, and the threads that numpy starts for them spin for a
    while: one for each processor, in every worker. So do those of polars, whose questions are small
    here. What polars frees goes back to the system at once, and its threads share one heap: it
    would keep about a hundred megabytes otherwise."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:50,muzzy_decay_ms:0,narenas:1")


def _digest(options: Options, paths: list[Path], when: object) -> str | None:
    """Of the traces, how they are measured and `when`; None where that is not the usual way."""
    unusual = ("format", "tokenizer", "set", *CostViewOptions.__struct_fields__)
    if options.engine != "local" or any(getattr(options, name) for name in unusual):
        return None
    from agentdyno.pipelines.last_run import digest_traces

    choices = ("count", "max_record_mb", "keep_secrets", "keep_equal", "costs_only", "keep_texts")
    return digest_traces(paths, options.out, [when, *(getattr(options, name) for name in choices)])


def _options(options: Options) -> "MeasureOptions":
    from agentdyno.intake.stated_fields import parse_stated
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno.records import InputError

    if options.cache is Cache.served:
        raise InputError(
            "--cache served: expected a ledger, since all of its sessions are served together. "
            "Measure first, then: agentdyno report LEDGER --cache served."
        )
    given_files = {name: getattr(options, name) for name in ("prices", "tokenizer")}
    other: dict[str, Any] = {name: str(path) for name, path in given_files.items() if path}
    other["stated"] = parse_stated(options.set or ())
    if options.format:
        other["format"] = options.format
    return copy_options(options, MeasureOptions, **other)


@contextmanager
def _say_what_is_left(ledger: Path) -> "Iterator[None]":
    """Costs are there already when somebody stops the rest."""
    sys.stdout.flush()
    if sys.stderr.isatty():
        print("Costs are done. Looking for habits …", file=sys.stderr)
    try:
        yield
    except KeyboardInterrupt:
        print(
            "Stopped. Costs are done, habits only in part; agentdyno report "
            f"{ledger} looks for the rest.",
            file=sys.stderr,
        )
        raise


def _report_underived(problem: str, ledger: Path) -> None:
    print(
        f"Costs are done. Looking for habits failed: {problem}\n"
        f"To try again: agentdyno report {ledger}",
        file=sys.stderr,
    )


def _repeat(answer: "LastRun", as_json: bool) -> int:
    """What the last run printed; a ledger may come from anybody, so nothing in it is obeyed."""
    from agentdyno.cli.output import print_lines
    from agentdyno.records import printable

    if as_json:
        sys.stdout.write("".join(sign for sign in answer.json if " " <= sign <= "~") + "\n")
        return 0
    print_lines([(printable(line, 500), style) for line, style in answer.lines if style in STYLES])
    for line in answer.notes:
        print(printable(line, 500), file=sys.stderr)
    return 0


def _answer(
    measured: "Measured", view: "View | None", seen: float | None, differ: list[Any]
) -> "tuple[LastRun, Lines, str]":
    """What is printed first, as a run that finds nothing new gives it; the lines that wait for
    patterns and schedules, none where nothing could be read; and the answer as JSON."""
    from agentdyno.cli.output import json_text
    from agentdyno.pipelines.last_run import LastRun
    from agentdyno.pipelines.report import build_overview
    from agentdyno.reports.topics.completeness import describe_completeness
    from agentdyno.reports.topics.cost.levers import lever_name

    companion = load_companion()
    report = build_overview(measured.ledger, view, seen=seen, sections=companion.list_sections())
    summary, old = report.results["glance"].summary, report.results["glance"].old
    complete, unread = _find_gaps(measured)
    fields = _fields(measured, summary, old)
    fields |= {"completeness": to_builtins(complete), "unread_agents": unread}
    fields |= {"first_totals_differ": to_builtins(differ)}
    if not summary.trajectories:
        return LastRun("", "", [], [], ""), [], json_text(fields)
    first, more_lines = companion.compose_screen(
        report.results, _bad_files(measured), report.ledger,
        describe_completeness(complete, unread),
    )  # fmt: skip
    again = json_text(fields | {"new_files": 0, "read_again": 0, "secrets": {}})
    levers = [
        (lever_name(lever), lever.amount)
        for lever in report.results["glance"].levers
        if lever.unit == "usd"
    ]
    answer = LastRun("", "", first, [*_notes(measured)], again, levers)
    return answer, more_lines, json_text(fields)


def _find_gaps(measured: "Measured") -> "tuple[list[AgentCompleteness], list[str]]":
    """How complete each agent's figures are; in a user's own ledger also the agents of this machine
    that nothing reads."""
    from agentdyno.intake.session_folders import find_unread_agents
    from agentdyno.intake.user_folders import user_ledger
    from agentdyno.ledger.reader import Ledger
    from agentdyno.studies.completeness import study_completeness

    is_own = measured.ledger == user_ledger()
    return study_completeness(Ledger(measured.ledger)), find_unread_agents() if is_own else []


def _print_answer(lines: "Lines", measured: "Measured", notes: list[str]) -> None:
    from agentdyno.cli.output import print_lines

    print_lines(lines)
    if measured.secrets:
        print(_describe_redaction(measured.secrets), file=sys.stderr)
    for line in notes:
        print(line, file=sys.stderr)


def _fields(measured: "Measured", summary: "Summary", old: "OldRows | None") -> dict[str, object]:
    from agentdyno.records.secrets.redaction import count_rules

    counts = {f"files_{state}": number for state, number in measured.counts.items()}
    extra = {
        "files": measured.files,
        **counts,
        "not_read": [to_builtins(source) for source in _not_read(measured)],
        "new_files": measured.new_files,
        "read_again": measured.read_again,
        "apart": measured.apart,
        "old": to_builtins(old),
        "secrets": measured.secrets,
        "redaction_rules": count_rules(),
        "gone": measured.gone,
    }
    return {**to_builtins(summary), **extra}


def _notes(measured: "Measured") -> "Iterator[str]":
    from agentdyno.records import plural

    if measured.apart:
        files = plural(measured.apart, "file in the ledger was", "files in the ledger were")
        yield (f"{files} measured by another version or with other options, and left as measured.")
    if measured.gone:
        gone = plural(len(measured.gone), "source is", "sources are")
        yield f"{gone} gone; the rows stay."


def _not_read(measured: "Measured") -> "list[FileOutcome]":
    """Files that were skipped or are bad, those first that should have been read."""
    missing = [outcome for outcome in measured.outcomes if outcome.state != "read"]
    return sorted(missing, key=lambda each: each.state)


def _describe_redaction(secrets: dict[str, int]) -> str:
    """What the rules found; no rules find everything, so nothing here may sound like it."""
    from agentdyno.records.secrets.redaction import count_rules

    kinds = ", ".join(f"{many} {kind}" for kind, many in secrets.items())
    return (
        f"Redacted by {count_rules()} rules: {kinds}. Rules miss some secrets; "
        "report --share leaves out all free text."
    )


def _bad_files(measured: "Measured") -> list[str]:
    """How many files were read, and those that should have been."""
    from agentdyno.records import plural, shortened

    counts = measured.counts
    bad = [outcome for outcome in measured.outcomes if outcome.state == "bad"]
    lines = [
        f"could not read {shortened(outcome.source, 34)}: {shortened(outcome.reason, 28)}"
        for outcome in bad[:2]
    ]
    more = f", {counts['skipped']:,} skipped" if counts["skipped"] else ""
    more += f", {counts['bad']:,} could not be read" if bad else ""
    return [f"{plural(counts['read'], 'file')} read{more}.", *lines] if more else lines


def _file_lines(measured: "Measured") -> "Iterator[str]":
    """What became of the files: how many of each, and the reasons of the first few."""
    from agentdyno.records import plural, shortened

    counts = measured.counts
    yield (
        f"{plural(measured.files, 'file')}: {counts['read']:,} read, {counts['skipped']:,} "
        f"skipped, {counts['bad']:,} bad"
        + (f", {counts['empty']:,} empty (no response in them)" if counts["empty"] else "")
    )
    missing = _not_read(measured)
    for outcome in missing[:NAMED]:
        many = f" ({outcome.files:,} files)" if outcome.files > 1 else ""
        source = shortened(outcome.source, 36)
        yield f"  {outcome.state}: {source}{many}: {shortened(outcome.reason, 200)}"
    if len(missing) > NAMED:
        yield f"  and {len(missing) - NAMED:,} more, listed in the ledger's table files"


def _report_nothing(measured: "Measured") -> int:
    lines = [
        "agentdyno: expected at least one trajectory, found none that could be read.",
        *_file_lines(measured),
    ]
    print("\n".join(lines), file=sys.stderr)
    return 2
