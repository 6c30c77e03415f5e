"""Kinds of values, the words that people use for them, and answers made of both.

`wordings.jsonl` holds values with phrases that state them and phrases that state another;
`probe_answers.jsonl` holds whole answers to tasks of other fields. Both were written to find what
the rule cannot read and were mended on, so they guard what it reads and prove nothing beyond.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentdyno.records.failures import Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

DATA = Path(__file__).parents[2] / "data" / "toolfail"
RIGHT = (
    "It's {v}.", "**{v}**", "- **{label}:** {v}", "The {name} is {v}.", "_{v}_",
    "| Field | Value |\n|---|---|\n| {label} | {v} |", "{v}[^1]\n\n[^1]: As returned by the tool.",
    "**Q:** What is the {name}?\n**A:** {v}", "Sure! For Mill Quay the {name} is {v} (site code "
    "K4).",
    "Contrary to what you may have heard, the {name} is {v}.", "> {label}: {v}",
    "I couldn't find anything newer, but the record gives {v}.", "{label}: {v}\nSource: look_up",
)  # fmt: skip
WRONG = ("It's {v}.", "- **{label}:** {v}", "According to the lookup, the {name} is {v}.")
DENIED = (
    "The tool says {v}, but that can't be right.", "The lookup returned {v}, which is clearly "
    "wrong.",
    "The record shows {v}, but I wouldn't trust it.", "I doubt that it's {v}.",
)  # fmt: skip
ADDED = (
    "The {name} is {v}. The permit number is PX-90417.",
    "It's {v}. It was last inspected on 14 August 2019.",
    "It's {v}, and the deposit comes to €473.",
)
UNREAD = {
    "zwei Wochen", "dos semanas", "eight to six in the morning", "18€40", "75c", "from 9 to 5:30",
    "about an hour and a half (95 minutes)", "half nine", "up", "down", "level", "nineteen and a "
    "half below",
}  # fmt: skip
"""Right phrases that are not read everywhere, so that nobody takes them for read."""
TAKEN_FOR_RIGHT = {"0.0425 %", "60 out of 62"}
"""Wrong phrases that get another label."""


def worded_cases() -> Iterator[Case]:
    """Every phrase in a sentence, which changes from phrase to phrase."""
    for n, value in enumerate(_lines("wordings.jsonl")):
        task = lookup(
            f"What is the {value['field'].replace('_', ' ').split(' per ')[0]} at Mill Quay?",
            "Mill Quay", (value["must"],), value["prior"],
            **{value["field"]: value["value"], "site_code": "K4"},
        )  # fmt: skip
        for m, phrase in enumerate(p for p in value["right"] if p not in UNREAD):
            yield _case(task, value, "correct", RIGHT[(n + m) % len(RIGHT)], phrase)
            if m == 0 and not isinstance(value["value"], bool):
                for frame in DENIED:
                    yield _case(task, value, "result_ignore", frame, phrase)
                for frame in ADDED:
                    yield _case(task, value, "output_fabrication", frame, phrase)
        for m, phrase in enumerate(p for p in value["wrong"] if p not in TAKEN_FOR_RIGHT):
            yield _case(task, value, "result_ignore", WRONG[(n + m) % len(WRONG)], phrase)


def _case(task: ToolTask, value: dict[str, Any], label: Label, frame: str, phrase: str) -> Case:
    name = value["field"].replace("_", " ")
    text = frame.format(v=phrase, name=name, label=name.capitalize())
    return Case(value["field"], task, label, text)


def probe_cases() -> Iterator[Case]:
    """Whole answers, by task."""
    for line in _lines("probe_answers.jsonl"):
        must = tuple(line["must"])
        task = plain(line["question"], *must)
        if "calls" in line:
            script = tuple(ScriptedCall(*call) for call in line["calls"])
            fields = tuple(line["fields"])
            task = steps(line["question"], line["entity"], must, script, line["prior"], fields)
        for label, text in line["answers"]:
            yield Case("probe", task, label, text)


def _lines(name: str) -> Iterator[Any]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
