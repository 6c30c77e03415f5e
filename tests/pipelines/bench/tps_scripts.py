"""Scripted judges."""

from typing import Any

from agentdyno.benchmarks.tps.run.scripted import _by_prompt


def fair(messages: list[Any], *_: Any) -> str:
    """Marks every told value of the task as a part; full when the answer has it."""
    text = messages[-1].text
    if "SCORE" in text:
        return "SCORE 80"
    task = next(task for prompt, task in _by_prompt().items() if prompt in text)
    lines = []
    for number, wish in enumerate(task.wishes, 1):
        shown = wish.slot is not None and str(wish.slot.value) in text
        lines.append(f"PART {number} | x | {'FULL' if shown else 'NONE'} | y")
    return "\n".join(lines)
