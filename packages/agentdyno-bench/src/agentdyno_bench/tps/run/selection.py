"""Which tools an agent gets: it names them itself, a rule does, or it gets all.

A model that selects sees names and descriptions of every tool and answers with names, one a line.
Names it makes up are dropped and counted; beyond the limit, the rest is cut and counted.
"""

from collections.abc import Iterable

from msgspec import Struct

from agentdyno_bench.tps.pool.pool import PoolTool
from agentdyno_bench.tps.world.kit.ranking import Ranking

PROMPT = """These tools are available, one per line, with what each does:

{tools}

A user will ask for the following:

{prompt}

Which tools are needed to do all of it? Write only their names, one per line, the most important \
first, at most {most}. Write nothing else."""


class Chosen(Struct, frozen=True):
    """The outcome of a selection."""

    names: list[str]
    """Tools that the agent gets."""
    unknown: int = 0
    """Lines that name no tool."""
    cut: int = 0
    """Tools named beyond the limit."""


def question(prompt: str, tools: Iterable[PoolTool], most: int) -> str:
    """What the model is asked."""
    lines = "\n".join(f"{tool.name}: {tool.description}" for tool in tools)
    return PROMPT.format(tools=lines, prompt=prompt, most=most)


def read_selection(answer: str, known: Iterable[str], most: int) -> Chosen:
    """The names in an answer, in its order."""
    names, unknown = list[str](), 0
    offered = set(known)
    for line in answer.splitlines():
        name = line.strip().strip("|`*-• ").split(":")[0].strip()
        if name in offered:
            names += [] if name in names else [name]
        elif name:
            unknown += 1
    return Chosen(names[:most], unknown, max(0, len(names) - most))


class RuleSelection:
    """The tools whose names and descriptions match a task best, by BM25."""

    def __init__(self, tools: Iterable[PoolTool]) -> None:
        self._names = [tool.name for tool in tools]
        texts = [f"{t.name.replace('_', ' ')} {t.description}" for t in tools]
        self._ranking = Ranking(texts)

    def select(self, prompt: str, most: int) -> Chosen:
        """At most so many tools, best first."""
        return Chosen([self._names[place] for place in self._ranking.best(prompt, most)])
