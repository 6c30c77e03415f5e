"""The suite of the failure benchmark with fewer tools in each domain.

Takes the names of the tools that stay, returns the suite without the others: neither are their
schemas sent nor does the system prompt speak of them. Questions stay as they are, so that one whose
tool is gone cannot be answered from a record any more; that is what shows.
"""

from collections.abc import Iterable

from msgspec import structs

from agentdyno_bench.toolfail.records import TaskSuite


def tool_names(suite: TaskSuite) -> tuple[str, ...]:
    """The tools of all domains, in their order."""
    return tuple(dict.fromkeys(t.name for tools in suite.tools.values() for t in tools))


def reduce_suite(suite: TaskSuite, allowed: Iterable[str]) -> TaskSuite:
    """The suite with these tools only; tasks stay."""
    names = set(allowed)
    tools = {d: tuple(t for t in offered if t.name in names) for d, offered in suite.tools.items()}
    gone = set(tool_names(suite)) - names
    prompts = {domain: _without(prompt, gone) for domain, prompt in suite.prompts.items()}
    return structs.replace(suite, tools=tools, prompts=prompts)


def _without(prompt: str, gone: set[str]) -> str:
    """The prompt lists a tool a line."""
    starts = tuple(f"- {name}(" for name in gone)
    return "\n".join(line for line in prompt.split("\n") if not line.startswith(starts or "\0"))
