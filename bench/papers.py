"""Writes docs/papers.md: every table, figure and section of the five papers, its state and test.

python -m bench.papers [--check]
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from operator import itemgetter
from pathlib import Path
from typing import get_args

from bench.status import DOCS, write_or_check

from agentdyno.pipelines.papers import Paper, load_papers
from agentdyno.reports.paper import Exhibit, State

ORDER = ("pte", "utility", "depth", "tps", "toolfail")
STATES: tuple[State, ...] = get_args(State)
SECTIONS = Path(__file__).with_name("paper_sections.toml")
HEAD = """# The five papers

`agentdyno paper NAME -m MODEL` runs a paper's whole experiment with your models and puts its tables
and figures on one page, the paper's rows beside ours where they match. Without `-m` it takes the
model that comes with the package, offline. `--size mini` takes minutes to an hour on two cores,
`small` hours, `full` the paper's number of tasks. Called again, an interrupted run goes on.
`agentdyno paper NAME --from LOGS` (a folder of logs, a ledger, a run's folder; for depth a pool of
samples) makes the page of what is there and runs nothing; [example
pages](../examples/pages/README.md). Which of the papers' figures recompute:
[reproduction](reproduction.md).

Generated from the papers' `NAME.toml` and `bench/paper_sections.toml` by `make docs`;
`tests/test_papers.py` checks that every test named here exists.

"""


def render() -> str:
    """The page: an overview, then two tables for each paper."""
    papers = load_papers()
    ordered = [papers[name] for name in ORDER]
    overview = [f"| paper | {' | '.join(STATES)} |", "|---|" + "---:|" * len(STATES)]
    overview += [_overview(paper) for paper in ordered]
    sections = tomllib.loads(SECTIONS.read_text("utf-8"))
    return HEAD + "\n".join(overview) + "\n" + "".join(
        _section(paper, sections[paper.name]) for paper in ordered
    )  # fmt: skip


def _overview(paper: Paper) -> str:
    counted = Counter(exhibit.state for exhibit in paper.exhibits())
    cells = " | ".join(str(counted[state]) for state in STATES)
    return f"| [{paper.title}](#{paper.name}) | {cells} |"


WHERE = {
    "pte": ("pte", "gamma", "patterns"),
    "utility": ("utility",),
    "depth": ("depth",),
    "tps": ("planning",),
    "toolfail": ("failures",),
}
"""The modules of `agentdyno.measures` that define what a paper measures."""


def _section(paper: Paper, sections: dict[str, str]) -> str:
    modules = " and ".join(f"`measures/{name}.py`" for name in WHERE[paper.name])
    head = f"\n## {paper.name}\n\n{paper.title}. Defined in {modules}.\n\n"
    exhibits = paper.exhibits()
    rows = [
        f"| {e.name} | {_cell(e.about)} | {e.state} | {_cell(_differs(e, exhibits[:index]))} | "
        f"{_test(e)} |\n"
        for index, e in enumerate(exhibits)
    ]
    heads = "| | what it shows | state | how, or why not | test |\n|---|---|---|---|---|\n"
    where = "".join(f"| {name} | {_link(place)} |\n" for name, place in sections.items())
    return f"{head}{heads}{''.join(rows)}\n| section | where |\n|---|---|\n{where}"


def _differs(exhibit: Exhibit, earlier: Sequence[Exhibit]) -> str:
    """The note; an earlier exhibit of the paper stands for sentences that both begin with."""
    ours = exhibit.differs.split(". ")
    shared, name = max(((_shared(ours, e.differs.split(". ")), e.name) for e in earlier),
                       key=itemgetter(0), default=(0, ""))  # fmt: skip
    rest = ". ".join(ours[shared:])
    return f"As {name}. {rest}".strip() if shared else exhibit.differs


def _shared(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """How many sentences both begin with, the last one with its full stop or without."""
    pairs = zip(ours, theirs, strict=False)
    same = takewhile(lambda pair: pair[0].rstrip(".") == pair[1].rstrip(".") != "", pairs)
    return len(list(same))


def _test(exhibit: Exhibit) -> str:
    return " ".join(map(_link, exhibit.tests.split())) or "none"


def _link(place: str) -> str:
    return f"`{place}`" if "::" in place else place


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    write_or_check(DOCS / "papers.md", render(), "the papers' exhibits")
