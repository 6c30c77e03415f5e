"""What a task tells and what its calls return, as several checks read it: a task in, values out."""

from collections.abc import Iterator

from agentdyno.matching.legacy_values import Leaf, leaves
from agentdyno.records.failures import ToolTask


def given_texts(task: ToolTask) -> list[str]:
    """What the task is about, and what its calls are given."""
    arguments = (str(value) for step in task.script for value in step.arguments.values())
    return [task.entity or "", *arguments]


def returned_leaves(task: ToolTask) -> Iterator[Leaf]:
    """Every value that any call returns, with the name of its field."""
    return (leaf for step in task.script for leaf in leaves(step.returns))
