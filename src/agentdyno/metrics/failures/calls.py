"""Whether the calls that a task needs were executed: a task and an answer in, what lacks out."""

from agentdyno.records.failures import ToolAnswer, ToolTask


def missing_call(task: ToolTask, answer: ToolAnswer) -> str | None:
    """What was not called, in words; None when every expected call was made, in order."""
    made = iter([call.name for call in answer.calls])
    for place, expected in enumerate(task.script):
        if not any(name == expected.tool for name in made):
            again = any(step.tool == expected.tool for step in task.script[:place])
            called = ", ".join(call.name for call in answer.calls) or "nothing"
            return f"{expected.tool} was not called{' again' if again else ''}; called: {called}"
    return None
