"""The papers that can be run, from the packages that know their experiments: group
`agentdyno.papers`.

Takes the name of a paper and what is to be run, returns what it came to. Knows nothing of how an
experiment is done.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from agentdyno.plugins import load_place, load_plugins
from agentdyno.records import InputError, printable
from agentdyno.reports.paper import Exhibit, PaperRun, read_exhibits

GROUP = "agentdyno.papers"
Size = Literal["mini", "small", "full"]
Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""


class Paper(Struct, frozen=True):
    name: str
    """What is typed after `agentdyno paper`."""
    title: str
    package: str
    """The package that holds the file of its exhibits."""
    run: str
    """`module:function` that takes a request and a progress and returns a `PaperRun`."""
    read: str = ""
    """The same for what is there already, `request.source`; empty where there is no such thing."""

    def exhibits(self) -> list[Exhibit]:
        """Every table and figure, in the paper's order."""
        return read_exhibits(self.package, f"{self.name}.toml")


class PaperRequest(Struct, frozen=True, kw_only=True):
    """What is to be run, whichever paper it is."""

    out: Path
    """Folder of logs and ledger."""
    models: tuple[str, ...] = ()
    """Models to be measured; none for the one that comes with the package."""
    base_url: str | None = None
    """Where their service is; None for its usual place."""
    model_arguments: tuple[str, ...] = ()
    """KEY=VALUE for their provider."""
    judges: tuple[str, ...] = ()
    """Models that judge."""
    judge_base_url: str | None = None
    """Where their service is."""
    judge_arguments: tuple[str, ...] = ()
    """KEY=VALUE for their provider."""
    size: Size = "mini"
    """How many tasks."""
    limit: int | None = None
    """Tasks of each benchmark at most, in place of the size's number."""
    epochs: int = 1
    """Attempts at each task."""
    max_usd: float | None = None
    """What models, judges and rollouts may cost together; None for no limit."""
    prices: Path | None = None
    """A price table that is asked before the bundled one."""
    concurrency: int = 16
    """Samples in progress at once."""
    retry_failed: bool = False
    """Whether samples that failed are run again."""
    source: Path | None = None
    """Logs, a ledger or a run's folder to make the page from; None to run the experiment."""
    tasks: Path | None = None
    """Tasks in place of the paper's or ours, in the form that the paper's benchmark reads."""
    problems: str | None = None
    """A file of problems, for a paper that asks some."""
    answers: str | None = None
    """How models answer, where that can be chosen; None for the usual way."""
    published: Path | None = None
    """A copy of the paper's repository, for what of its rules is not ours to ship."""
    prompts: tuple[str, ...] = ()
    """NAME=FILE: texts in place of our prompts."""


def load_papers() -> dict[str, Paper]:
    """Every installed paper by name."""
    return load_plugins(GROUP, Paper)[0]


def find_paper(name: str) -> Paper:
    """The paper of that name."""
    papers = load_papers()
    if name not in papers:
        names = ", ".join(papers) or "none: they come with agentdyno[bench] and agentdyno[depth]"
        raise InputError(
            f"expected the name of a paper, found {printable(name, 60)!r}. Known: {names}."
        )
    return papers[name]


def run_paper(paper: Paper, request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment, which goes on after any interruption; with a source, the page of what is
    there, and nothing is run."""
    if request.source is not None and not paper.read:
        raise InputError(f"--from: {paper.name} makes its page from a run only. Leave it out.")
    place = paper.read if request.source is not None else paper.run
    run: PaperRun = load_place(place)(request, progress)
    return run
