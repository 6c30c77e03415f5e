"""Writes docs/papers.md: every table and figure of the five papers, and whether a run makes it.

python -m bench.papers [--check]
"""

from collections import Counter

from bench.status import DOCS, write_or_check

from agentdyno.pipelines.papers import Paper, load_papers
from agentdyno.reports.paper import Exhibit

ORDER = ("pte", "utility", "depth", "tps", "toolfail")
STATES = ("made", "made otherwise", "cannot be made")
HEAD = """# The five papers

`agentdyno paper NAME -m MODEL` runs a paper's whole experiment with your models and puts its tables
and figures on one page, each with the paper's printed rows above those of the run. Without `-m` it
takes the model that comes with the package, offline. `--size mini` takes minutes to an hour on two
cores, `small` hours, `full` the paper's number of tasks. A run that was interrupted goes on when it
is called again. How many of the papers' own figures recompute from one another is a
question of its own: [reproduction](reproduction.md).

Generated from the exhibits in each paper's room (`*/NAME.toml`) by `make docs`. *Made* is as the
paper does it; *made otherwise* says what is different; *cannot be made* says why.

"""


def render() -> str:
    """The page: an overview, then a table for each paper."""
    papers = load_papers()
    found = [papers[name] for name in ORDER]
    overview = ["| paper | command | made | made otherwise | cannot be made |",
                "|---|---|---:|---:|---:|"]  # fmt: skip
    overview += [_overview(paper) for paper in found]
    return HEAD + "\n".join(overview) + "\n" + "".join(map(_section, found))


def _overview(paper: Paper) -> str:
    counted = Counter(exhibit.state for exhibit in paper.exhibits())
    cells = " | ".join(str(counted[state]) for state in STATES)  # type: ignore[index]
    return f"| [{paper.title}](#{paper.name}) | {_command(paper)} | {cells} |"


def _command(paper: Paper) -> str:
    return f"`agentdyno paper {paper.name}`"


WHERE = {
    "pte": ("pte", "gamma", "patterns"),
    "utility": ("utility",),
    "depth": ("depth",),
    "tps": ("planning",),
    "toolfail": ("failures",),
}
"""The modules of `agentdyno.measures` that define what a paper measures."""


def _section(paper: Paper) -> str:
    modules = " and ".join(f"`measures/{name}.py`" for name in WHERE[paper.name])
    room = "depth" if paper.name == "depth" else f"bench/{paper.name}"
    head = (
        f"\n## {paper.name}\n\n{paper.title}: {_command(paper)}. Defined in {modules}, "
        f"tested in `tests/measures` and `tests/{room}`.\n\n"
    )
    exhibits = paper.exhibits()
    first = {e.differs: e.name for e in reversed(exhibits)}
    rows = [
        f"| {e.name} | {_cell(e.about)} | {e.state} | {_cell(_differs(e, first))} |\n"
        for e in exhibits
    ]
    heads = "| | what it shows | state | how, or why not |\n|---|---|---|---|\n"
    return head + heads + "".join(rows)


def _differs(exhibit: Exhibit, first: dict[str, str]) -> str:
    """The note; where an earlier exhibit of the paper has the same, its name."""
    is_first = first[exhibit.differs] == exhibit.name
    return exhibit.differs if is_first or not exhibit.differs else f"As {first[exhibit.differs]}."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    write_or_check(DOCS / "papers.md", render(), "the papers' exhibits")
