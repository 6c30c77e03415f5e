"""Whether a text says a value. A thin door to the value matching, so that there is one place."""

from typing import Any

from agentdyno.benchmarks.tps.tasks.matching import contains_words, states


def says(text: str, value: Any) -> bool:
    """Whether a text gives a value, in any of the forms that people use."""
    if isinstance(value, list):
        return all(says(text, item) for item in value)
    if isinstance(value, (int, float)):
        return states(text, value)
    return contains_words(text, str(value)) or states(text, value)
