"""`agentdyno paper`: a paper's whole experiment with any model, as one page."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options

if TYPE_CHECKING:
    from agentdyno.pipelines.papers import Paper
    from agentdyno.reports.paper import PaperRun


class PaperSize(StrEnum):
    """How many tasks."""

    mini = "mini"
    small = "small"
    full = "full"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    name: Annotated[str, typer.Argument()]
    """pte, utility, depth, tps or toolfail."""
    model: Annotated[list[str] | None, typer.Option("--model", "-m")] = None
    """The model's name as Inspect has it, such as openai/gpt-4.1; for depth a folder with weights.
    Several are compared. Without it the embedded agent, offline."""
    base_url: opt.BaseUrl = None
    model_argument: opt.ModelArguments = None
    source: Annotated[Path | None, typer.Option("--from")] = None
    """Make the page from these logs, this ledger or this run's folder; nothing is run."""
    tasks: Annotated[Path | None, typer.Option(rich_help_panel=opt.RUN)] = None
    """Tasks of your own, in the form that the paper's benchmark reads."""
    problems: Annotated[str | None, typer.Option(rich_help_panel=opt.RUN)] = None
    """For depth: a JSONL file with problem_id, question and answer."""
    answers: Annotated[str | None, typer.Option(rich_help_panel=opt.RUN)] = None
    """submit or prose, for toolfail and tps."""
    published: Annotated[Path | None, typer.Option(rich_help_panel=opt.RUN)] = None
    """For toolfail: a copy of the published repository, for its list of field names."""
    prompt: Annotated[list[str] | None, typer.Option(rich_help_panel=opt.RUN)] = None
    """NAME=FILE: a text in place of one of our prompts, such as the paper's own."""
    size: PaperSize = PaperSize.mini
    """mini takes minutes on two cores, small hours; full is the paper's number of tasks (depth: 288
    word problems of our own; the paper's are AIME 2024 and 2025, HMMT 2025 and GPQA-Diamond)."""
    limit: Annotated[int | None, typer.Option(min=1, rich_help_panel=opt.RUN)] = None
    """Tasks of each benchmark at most, in place of the size's number."""
    epochs: Annotated[int, typer.Option(min=1, rich_help_panel=opt.RUN)] = 1
    """Attempts at each task, each with its own seed."""
    concurrency: opt.Concurrency = 16
    retry_failed: opt.RetryFailed = False
    max_usd: Annotated[float | None, typer.Option(min=0, rich_help_panel=opt.RUN)] = None
    """What the model, its judges and rollouts may cost together; what is finished is kept."""
    prices: opt.Prices = None
    judge: Annotated[list[str] | None, typer.Option("--judge", rich_help_panel=opt.JUDGING)] = None
    """A model that judges; cells that need one stay empty without it."""
    judge_base_url: Annotated[str | None, typer.Option(rich_help_panel=opt.JUDGING)] = None
    """Where the judge's service is, if elsewhere."""
    judge_argument: Annotated[list[str] | None, typer.Option("-J", rich_help_panel=opt.JUDGING)] = (
        None
    )
    """KEY=VALUE for the judge's provider."""
    out: Annotated[Path | None, typer.Option("--out", "-o", rich_help_panel=opt.OUTPUT)] = None
    """The page, NAME.html by default; logs and ledger are in a folder beside it."""
    json: opt.Json = False


@takes_options
def command(options: Options) -> int:
    """Run a paper's whole experiment with your models, or take what is there, and put its tables
    and figures on one page, the paper's and ours side by side."""
    import sys

    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno.pipelines.papers import PaperRequest, find_paper, run_paper

    paper = find_paper(options.name)
    page = _page(options)
    request = copy_options(
        options,
        PaperRequest,
        out=page.with_suffix(""),
        models=tuple(options.model or ()),
        model_arguments=tuple(options.model_argument or ()),
        judges=tuple(options.judge or ()),
        judge_arguments=tuple(options.judge_argument or ()),
        prompts=tuple(options.prompt or ()),
    )
    with sample_progress() as progress:
        run = run_paper(paper, request, progress)
    _write_page(paper, run, page, _write_command(options))
    if run.stopped:
        print(run.stopped, file=sys.stderr)
    _print_run(paper, run, page, options.json)
    return 1 if not run.attempts else opt.INCONCLUSIVE if run.stopped else 0


def _page(options: Options) -> Path:
    from agentdyno.cli.files import check_page

    page = options.out or Path(f"{options.name}.html")
    check_page(page, "--out")
    return page


def _write_command(options: Options) -> str:
    """The command without arguments of providers, among which keys may be."""
    import shlex

    single = {
        "--from": options.source, "--size": None if options.source else options.size.value,
        "--tasks": options.tasks, "--problems": options.problems, "--answers": options.answers,
        "--published": options.published, "--limit": options.limit, "-o": options.out,
    }  # fmt: skip
    several = {"-m": options.model, "--judge": options.judge, "--prompt": options.prompt}
    words = ["agentdyno", "paper", options.name]
    words += [word for name, all_ in several.items() for v in all_ or () for word in (name, v)]
    words += [w for name, v in single.items() if v is not None for w in (name, str(v))]
    return shlex.join(words)


def _write_page(paper: "Paper", run: "PaperRun", page: Path, command: str) -> None:
    from agentdyno.cli.files import write_topics
    from agentdyno.reports.paper import list_topics

    topics = list_topics(paper.title, paper.exhibits(), run, command)
    write_topics(f"{paper.name}: the paper's page", topics, page, None)


def _print_run(paper: "Paper", run: "PaperRun", page: Path, as_json: bool) -> None:
    from agentdyno.cli.output import console, print_json
    from agentdyno.records import shortened
    from agentdyno.reports.cells import cell_text
    from agentdyno.reports.paper import run_fields

    exhibits = paper.exhibits()
    if as_json:
        print_json({"paper": paper.name, **run_fields(exhibits, run), "page": str(page)})
        return
    for figure in run.figures:
        console().print(f"{figure.name}: {cell_text(figure.value, figure.kind)}")
    for exhibit in exhibits:
        result = run.results.get(exhibit.name)
        rows = len(result.rows) if result else 0
        console().print(f"{exhibit.name:<10} {exhibit.state:<15} {rows:>3} rows  {exhibit.about}")
    console().print(f"page: {shortened(str(page))}, logs and ledger: "
                    f"{shortened(str(page.with_suffix('')))}", style="dim")  # fmt: skip
