"""`agentdyno classify`: labels for recorded answers, or doubts where nobody knows the truth."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options

if TYPE_CHECKING:
    from agentdyno_bench.toolfail.classify import Classified, DoubtsFound


class RuleName(StrEnum):
    """Who labels."""

    paper = "paper"
    submitted = "submitted"


class Options(Struct, frozen=True, kw_only=True):
    traces: Annotated[list[Path] | None, typer.Argument()] = None
    """Traces without known answers: report what is doubtful in them, with --unproven."""
    answers: Path | None = None
    """JSON lines with task_id, tool_calls [{name, arguments}], answer and, if you like, an id,
    which is kept. A call that was refused has "ran": false."""
    ledger: Annotated[Path | None, typer.Option(callback=opt.finish_interrupted)] = None
    """A ledger: doubts about its trajectories go into its table failures."""
    sources: opt.Sources = None
    tasks: Path | None = None
    """Folder or file of tasks, with or without tools; by default the bundled suite."""
    rule: RuleName = RuleName.paper
    """The published rule over the text of the answer, or `submitted`, which compares what the call
    of `submit` holds."""
    published: Path | None = None
    """A copy of the published repository: the published rule takes its list of field names, in
    place of each return's own keys. Read as text, never run."""
    format: str | None = None
    """Read every trace as this format."""
    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """File for the labels; by default stdout."""
    unproven: opt.Unproven = False
    json: bool = False
    """One JSON object with labels and rates on stdout."""


@takes_options
def command(args: Options) -> int:
    """Label recorded answers by failure mode. Where nobody knows the right answer, point out calls
    that were only written about and results that nobody used."""
    from agentdyno.records import InputError

    inputs = [bool(args.traces), args.answers is not None, args.ledger is not None]
    if sum(inputs) != 1:
        raise InputError(
            "expected one of: traces, --answers FILE, --ledger LEDGER; found "
            f"{'none' if not any(inputs) else 'several'}."
        )
    if args.answers is None:
        _refuse_off_checks(args.unproven)
    if args.ledger is not None:
        opt.note_closed_sources(args.ledger, args.sources, "they were not looked at")
        return _doubt_ledger(args.ledger, args.unproven, args.json)
    if args.answers is None:
        return _doubt(args)
    from agentdyno_bench.toolfail.classify import classify_answers

    result = classify_answers(args.tasks, args.answers, args.rule.value, published=args.published)
    return _show(result, args.out, args.json)


def _show(result: "Classified", out: Path | None, as_json: bool) -> int:
    import sys

    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno_bench.toolfail.findings.model_profiles import profile_of
    from agentdyno_bench.toolfail.findings.rates import failure_rates

    rows = [
        ({} if answer_id is None else {"id": answer_id}) | msgspec.to_builtins(label)
        for answer_id, label in zip(result.ids, result.labels, strict=True)
    ]
    if as_json:
        rates, profile = failure_rates(result.rows), profile_of(result.rows)
        data = {"labels": rows, "rates": rates, "profile": profile, "bad": result.bad}
        print_json(msgspec.to_builtins(data))
    else:
        _write(rows, out)
    for bad in result.bad[:5]:
        print(f"agentdyno: line {bad.line}: {bad.reason}; it was skipped.", file=sys.stderr)
    if len(result.bad) > 5:
        print(f"agentdyno: {len(result.bad) - 5} more lines were skipped.", file=sys.stderr)
    return 0


def _doubt(args: Options) -> int:
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno_bench.toolfail.classify import doubt_traces

    doubts = doubt_traces(args.traces or [], args.format, args.unproven)
    rows = [msgspec.to_builtins(doubt) for doubt in doubts]
    if args.json:
        print_json({"trajectories": rows})
    else:
        _write(rows, args.out)
    return 0


def _refuse_off_checks(unproven: bool) -> None:
    """Says why nothing is looked for, where that is so; names on stderr what is left out."""
    import sys

    from agentdyno.records import InputError
    from agentdyno.records.failures import CHECKS
    from agentdyno.records.precision import FEWEST, LEAST
    from agentdyno_bench.toolfail.findings.unlabelled import off_checks

    off = [] if unproven else off_checks()
    why = (
        f"fewer than {FEWEST} real findings of the kind were read, or fewer than {LEAST:.0%} of "
        "them were right. --unproven looks for them anyway."
    )
    if len(off) == len(CHECKS):
        raise InputError(
            "expected tasks with their right answers, which traces do not hold: label answers with "
            "`agentdyno classify --answers FILE --tasks FOLDER`, or run `agentdyno bench toolfail "
            "--answers prose`; --unproven looks for doubts, most of which were wrong."
        )
    if off:
        print(f"agentdyno: not looked for: {', '.join(off)}; {why}", file=sys.stderr)


def _doubt_ledger(ledger: Path, unproven: bool, as_json: bool) -> int:
    import msgspec

    from agentdyno.cli.output import print_json
    from agentdyno_bench.toolfail.classify import doubt_ledger

    result = doubt_ledger(ledger, unproven)
    if as_json:
        print_json(msgspec.to_builtins(result))
    else:
        _show_doubts(result, ledger)
    return 0


def _show_doubts(result: "DoubtsFound", ledger: Path) -> None:
    import sys

    from agentdyno.cli.output import console, print_found
    from agentdyno.records import plural, shortened
    from agentdyno_bench.toolfail.report import render_failures
    from agentdyno_bench.toolfail.studies.report import Failures

    print_found([render_failures(Failures([], result.checks, unit=result.unit))])
    rows = plural(result.added, "new row")
    console().print(
        f"{rows} in the table failures; agentdyno report {shortened(ledger)}", style="dim"
    )
    for name, reason in list(result.missing.items())[:5]:
        print(f"agentdyno: {shortened(name, 120)}: {reason}; not looked at.", file=sys.stderr)
    if len(result.missing) > 5:
        print(f"agentdyno: {len(result.missing) - 5} more files are missing.", file=sys.stderr)


def _write(rows: list[Any], out: Path | None) -> None:
    import sys

    from agentdyno.cli.output import json_text

    text = "".join(json_text(row) for row in rows)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
