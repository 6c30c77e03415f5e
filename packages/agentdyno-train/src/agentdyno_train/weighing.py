"""Lines that a small agent can learn to think before it chooses a row by a figure: every figure
written down, the best so far named. Every word of a line is a copy, the subject from the user's
message, names and values from a result:

    Harbour Lights, least seconds of tracks: 281 Corner, 245 Window, 197 Ashes, 392, 257, 221

A model of this size cannot find the least of six figures in one step; it can compare a figure with
the one named last. Rows that do not meet the condition are a dash. The last name is the choice.
Takes texts, values and results, returns lines. Knows nothing of tasks and of tools.
"""

from collections.abc import Iterable
from typing import Any

from agentdyno_bench.tps.tasks.references import Results, find_rows, walk

LONGEST_NAME = 50
"""Characters of something that can be named in passing; more is a text."""
MOST_NAMES = 3
WORDS = {"min": "least", "max": "most"}
UNNAMED = "best"
"""Stands for a name where nothing but the figure is asked for."""
LEFT_OUT = "-"

Reference = dict[str, Any]


def subject_of(values: Iterable[Any]) -> str:
    """The subject of a line: the first names among these, or figures where there is no name."""
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    plain = [v for v in flat if not isinstance(v, (dict, bool)) and v is not None]
    names = [v for v in plain if isinstance(v, str) and 0 < len(v) <= LONGEST_NAME]
    return ", ".join(map(str, list(dict.fromkeys(names or plain))[:MOST_NAMES]))


def format_value(value: Any) -> str:
    """A value as the services give it, on one line."""
    if isinstance(value, list):
        return ", ".join(map(format_value, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())


def weigh_rows(subject: str, references: Iterable[Reference], results: Results) -> list[str]:
    """A line for each choice between rows by a figure; the fields of one row share a line."""
    choices: dict[str, tuple[Reference, list[str]]] = {}
    for at in references:
        if at.get("take") in WORDS and "by" in at:
            choice = {key: value for key, value in at.items() if key != "field"}
            fields = choices.setdefault(repr(choice), (choice, []))[1]
            fields += [at["field"]] if at.get("field") not in (None, at["by"], *fields) else []
    return [_line(subject, at, fields, results) for at, fields in choices.values()]


def drop_repeated(lines: Iterable[str], before: Iterable[str]) -> str:
    """Lines as a thought, without those of earlier thoughts: what was weighed is known."""
    earlier = {line for thought in before for line in thought.splitlines()}
    return "\n".join(line for line in dict.fromkeys(lines) if line not in earlier)


def _line(subject: str, at: Reference, fields: list[str], results: Results) -> str:
    rows = walk(results[at["$from"]], at["list"])
    fitting = find_rows(at, rows)
    figures, best = [], None
    for row in rows:
        if not any(row is fit for fit in fitting):
            figures.append(LEFT_OUT)
            continue
        figure = walk(row, at["by"])
        if best is None or (figure < best if at["take"] == "min" else figure > best):
            best = figure
            name = " ".join(format_value(walk(row, field)) for field in fields) or UNNAMED
            figures.append(f"{format_value(figure)} {name}")
        else:
            figures.append(format_value(figure))
    tests = "".join(
        f", {field} {test} {format_value(value)}" for field, test, value in at.get("where", ())
    )
    about = f"{subject}, " if subject else ""
    return f"{about}{WORDS[at['take']]} {at['by']} of {at['list']}{tests}: {', '.join(figures)}"
