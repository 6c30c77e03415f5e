"""Numbers as values, and what a tool's name says about its effect."""

import pytest

from agentdyno.metrics.patterns.effects import effect_of
from agentdyno.metrics.patterns.values import numbers_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3,400 euro", {3400.0}),
        ("3400.0", {3400.0}),
        ("3.4e3", {3400.0}),
        ("-12 and 12", {-12.0, 12.0}),
        (r"\frac{3}{4}", {0.75}),
        ("3/4", {0.75}),
        ("1/0", set()),
        ("x86 v2 a1b2", set()),
        ("1,2,3", {1.0, 2.0, 3.0}),
        ("9" * 400, set()),
    ],
)
def test_numbers_are_read_as_values(text: str, values: set[float]) -> None:
    assert numbers_in(text) == values


@pytest.mark.parametrize(
    ("tool", "arguments", "effect"),
    [
        ("find_order", {}, "reads"),
        ("getReturnPolicy", {}, "reads"),
        ("cancel_reservation", {}, "changes"),
        ("search_and_replace", {}, "changes"),
        ("frobnicate", {}, "changes"),
        ("get_job_status", {}, "waits"),
        ("bash", {"command": "cat a | grep b 2>/dev/null"}, "reads"),
        ("bash", {"command": "cat a > b"}, "changes"),
        ("bash", {"command": "git log && git push"}, "changes"),
        ("bash", {"command": "find . -name x -delete"}, "changes"),
        ("str_replace_editor", {"command": "view", "path": "a"}, "reads"),
        ("bash", {"command": ""}, "reads"),
        ("", None, "changes"),
    ],
)
def test_effects(tool: str, arguments: object, effect: str) -> None:
    assert effect_of(tool, arguments) == effect
