"""Shared by the benchmarks' commands: options, progress, and the printed summary of a run."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options

if TYPE_CHECKING:
    from agentdyno.reports.topic import Topic
    from agentdyno_bench.shared.bench_run import Benched
    from agentdyno_bench.shared.prompts import Prompts
    from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRun


FEW = 20
"""Tasks that it attempts when no number is given: minutes on two cores."""
_MODEL = typer.Option("--model", "-m", rich_help_panel=opt.MODEL)


Prompt = Annotated[list[str] | None, typer.Option("--prompt", rich_help_panel=opt.RUN)]
"""NAME=FILE, repeatable: a text in place of one of our prompts (system, judge, selection or
scheduling), for whoever has the paper's own wording."""


class TpsLevel(StrEnum):
    """Tasks of tps."""

    easy = "easy"
    hard = "hard"
    purpose = "purpose"
    train = "train"


class TpsSelection(StrEnum):
    """How tools of tps are selected."""

    self_ = "self"
    none = "none"
    rule = "rule"


class TpsAnswers(StrEnum):
    """How agents answer in tps."""

    submit = "submit"
    prose = "prose"


class Latency(StrEnum):
    """How services of the world take their time."""

    virtual = "virtual"
    real = "real"


class ToolfailAnswers(StrEnum):
    """How models answer toolfail."""

    submit = "submit"
    prose = "prose"


class ToolfailTurns(StrEnum):
    """Tasks of toolfail."""

    single = "single"
    multi = "multi"


class BenchOptions(Struct, frozen=True, kw_only=True):
    """Options that all benchmark commands take."""

    model: Annotated[list[str] | None, _MODEL] = None
    """The model's name as Inspect has it, such as openai/gpt-4.1. Several are compared. Without it
    the embedded agent attempts 20 tasks, offline."""
    base_url: opt.BaseUrl = None
    model_argument: opt.ModelArguments = None
    max_tokens: opt.MaxTokens = None
    judge_base_url: str | None = None
    """Where the judge's service is, if elsewhere."""
    judge_argument: Annotated[list[str] | None, typer.Option("-J")] = None
    """KEY=VALUE for the judge's provider."""
    out: Annotated[Path, typer.Option(rich_help_panel=opt.RUN)] = Path("bench")
    """Folder for logs, ledger and report."""
    concurrency: opt.Concurrency = 64
    limit: Annotated[int | None, typer.Option(min=1, rich_help_panel=opt.RUN)] = None
    """Run only the first N tasks."""
    epochs: Annotated[int, typer.Option(min=1, rich_help_panel=opt.RUN)] = 1
    """Attempts at each task, each with its own seed."""
    temperature: Annotated[float | None, typer.Option(min=0, rich_help_panel=opt.RUN)] = None
    """Sampling temperature; by default the benchmark's own, else the provider's."""
    max_usd: Annotated[float | None, typer.Option(min=0, rich_help_panel=opt.RUN)] = None
    """What the model, its judges and rollouts may cost together; what is finished is kept."""
    prices: opt.Prices = None
    retry_failed: opt.RetryFailed = False
    prompt: Prompt = None
    report: Annotated[bool, typer.Option(rich_help_panel=opt.OUTPUT)] = True
    """Write OUT/report.html."""
    json: opt.Json = False

    def model_specs(self) -> "list[ModelSpec]":
        """The models that a user named; without any, the embedded agent."""
        from agentdyno_bench.shared.running.options import model_spec

        names = choose_models(self.model, self.limit)
        return [model_spec(name, self.base_url, self.model_argument or []) for name in names]

    def judge_spec(self, name: str | None) -> "ModelSpec | None":
        """The judge with its own service and provider arguments; None without a judge."""
        from agentdyno.records import InputError

        alone = {"--judge-base-url": self.judge_base_url, "-J": self.judge_argument or None}
        for option, value in alone.items():
            if value is not None and not name:
                raise InputError(
                    f"{option} is about the judge: expected --judge NAME too, found none."
                )
        from agentdyno_bench.shared.running.options import model_spec

        return model_spec(name, self.judge_base_url, self.judge_argument or []) if name else None

    def prompts(self, *known: str) -> "Prompts":
        """The texts of --prompt, of those that the benchmark knows."""
        from agentdyno_bench.shared.prompts import read_prompts

        return read_prompts(self.prompt or (), known)

    def run_options(self, **more: Any) -> "RunOptions":
        """How tasks are run: all for a model that a user named, a few for the embedded agent."""
        from agentdyno_bench.shared.running.options import RunOptions

        limit = self.limit if self.model else self.limit or FEW
        return copy_options(self, RunOptions, **{"limit": limit, **more})

    def write_page(self, *more: "Topic", first: str = "") -> Path | None:
        """The report of the run's ledger as OUT/report.html, the topic named `first` and further
        ones on top; None where it is not asked for."""
        from agentdyno.pipelines.report import build_report
        from agentdyno.reports.html import render_page

        if not self.report:
            return None
        report = build_report(self.out / "ledger")
        leading = [topic for topic in report.topics if topic.anchor == first]
        others = [topic for topic in report.topics if topic.anchor != first]
        page = self.out / "report.html"
        page.write_text(render_page(report.title, [*leading, *more, *others]), encoding="utf-8")
        return page


def choose_models(names: list[str] | None, limit: int | None) -> list[str]:
    """The models that a user named; without any, the embedded agent, which is printed."""
    from agentdyno_bench.shared.models.embedded import AGENT

    if names:
        return names
    many = f"{limit} tasks, offline" if limit else f"{FEW} tasks, offline; --limit says otherwise"
    print(f"no --model given: the embedded agent ({AGENT}) attempts {many}", file=sys.stderr)
    return [AGENT]


def show(benched: "Benched", out: Path, page: Path | None, as_json: bool) -> int:
    """The ledger's summary; exit 1 when not one sample could be run."""
    import msgspec

    from agentdyno.cli.companion import load_companion
    from agentdyno.cli.output import console, print_json, print_lines
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import shortened

    companion = load_companion()
    overview = build_overview(out / "ledger", sections=companion.list_sections())
    summary = overview.results["glance"].summary
    if as_json:
        runs = msgspec.to_builtins(benched.runs, enc_hook=str)
        page_path = str(page) if page else None
        print_json({**msgspec.to_builtins(summary), "runs": runs, "report": page_path})
    else:
        for lines in companion.compose_screen(overview.results, [], overview.ledger):
            print_lines(lines)
        if page:
            console().print(f"report: {shortened(page)}", style="dim")
    for run in benched.runs:
        mention_failures(run)
        if not as_json:
            _mention_boxes(run)
    if not any(run.samples > len(run.failed) for run in benched.runs):
        return 1
    return mention_stop(benched.runs)


def mention_stop(runs: "Sequence[TaskRun]") -> int:
    """Says where the money ended a run; exit 3 then, since not all tasks were attempted."""
    stopped = [run.stopped for run in runs if run.stopped is not None]
    for line in stopped:
        print(line, file=sys.stderr)
    return 3 if stopped else 0


def _mention_boxes(run: Any) -> None:
    """Answers in a box and not between the asked tags: not solved, and no wrong answers either."""
    box = "box, "
    inside = {by.removeprefix(box): n for by, n in run.graded_by.items() if by.startswith(box)}
    if inside:
        from agentdyno.cli.output import console

        counts = ", ".join(f"{count} {worth}" for worth, count in sorted(inside.items()))
        console().print(
            f"{run.model} on {run.task}: {sum(inside.values())} of {run.samples} answers stand in "
            f"a box without the asked tag ({counts}); they are not solved, and no wrong answers."
        )


def mention_failures(run: "TaskRun") -> None:
    """Says on stderr how many samples failed; these are in no figure."""
    from agentdyno.records import printable

    if run.failed:
        first = run.failed[0]
        print(
            f"{run.model} on {run.task}: {len(run.failed)} of {run.samples} samples failed and "
            f"are in no figure, the first ({printable(first.sample, 60)}) with "
            f"{printable(first.error, 200)}. --retry-failed runs them again.",
            file=sys.stderr,
        )
