"""What a small agent writes down before it chooses a row: every figure, the best so far named.

    Harbour Lights, least seconds of tracks: 281 Corner, 245 Window, 197 Ashes, 392, 257, 221

A model of this size cannot see the least of six figures at a glance; it can compare a figure with
the one named last. Rows that do not meet the condition are a dash. The last name is the choice.
Takes references and results, returns lines; only a choice by figures makes one.
"""

from collections.abc import Iterable
from typing import Any

from agentdyno_bench.tps.tasks.references import Results, fitting_rows, walk
from agentdyno_train.answer_lines import spoken

WORDS = {"min": "least", "max": "most"}
UNNAMED = "best"
"""Stands for a name where nothing but the figure is wanted."""
LEFT_OUT = "-"

Reference = dict[str, Any]


def weighing(subject: str, references: Iterable[Reference], results: Results) -> list[str]:
    """A line for each choice between rows by a figure; what is wanted of one row stands in one."""
    wanted: dict[str, tuple[Reference, list[str]]] = {}
    for at in references:
        if at.get("take") in WORDS and "by" in at:
            choice = {key: value for key, value in at.items() if key != "field"}
            fields = wanted.setdefault(repr(choice), (choice, []))[1]
            fields += [at["field"]] if at.get("field") not in (None, at["by"], *fields) else []
    return [_line(subject, at, fields, results) for at, fields in wanted.values()]


def only_new(lines: Iterable[str], before: Iterable[str]) -> str:
    """Lines as a thought, without those of earlier thoughts: what was weighed is known."""
    known = {line for thought in before for line in thought.splitlines()}
    return "\n".join(line for line in dict.fromkeys(lines) if line not in known)


def _line(subject: str, at: Reference, fields: list[str], results: Results) -> str:
    rows = walk(results[at["$from"]], at["list"])
    kept = fitting_rows(at, rows)
    told, best = [], None
    for row in rows:
        if not any(row is fit for fit in kept):
            told.append(LEFT_OUT)
            continue
        figure = walk(row, at["by"])
        if best is None or (figure < best if at["take"] == "min" else figure > best):
            best = figure
            name = " ".join(spoken(walk(row, field)) for field in fields) or UNNAMED
            told.append(f"{spoken(figure)} {name}")
        else:
            told.append(spoken(figure))
    tests = "".join(
        f", {field} {test} {spoken(value)}" for field, test, value in at.get("where", ())
    )
    about = f"{subject}, " if subject else ""
    return f"{about}{WORDS[at['take']]} {at['by']} of {at['list']}{tests}: {', '.join(told)}"
