"""Small wishes written down as lines instead of functions: what is drawn, called, told and said.

    name | draws | tool(argument=value, …) [> tool(…)] | told | one way to say it | another

A value in braces is drawn; `$list:take:by:field` takes a field of the best row of the call before,
`$path` a field of it. A last call that writes names after `!` its collection and the fields by
which its row is known; with `-` before the collection, the row must be gone. The lines are in
`lines.txt`.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from agentdyno_bench.tps.tasks.draft import Draft, DraftError, Ref, Step
from agentdyno_bench.tps.tasks.scenes import chance
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY

_CALL = re.compile(r"(\w+)\((.*?)\)(?:!(-?)(\w+):([\w,]*))?$")


class Written:
    """One line as a scene."""

    def __init__(self, line: str) -> None:
        parts = [part.strip() for part in line.split("|")]
        self.name, self._draws, self._calls, self._told = parts[:4]
        self._ways = parts[4:]

    def __call__(self, draft: Draft) -> None:
        """Adds the wish to a draft."""
        drawn = {kind: _draw(draft, kind) for kind in self._draws.split()}
        step: Step | None = None
        for call in self._calls.split(" > "):
            step = self._do(draft, call, drawn, step)
        assert step is not None
        for told in self._told.split():
            step.tell(_reference(step, told))
        draft.say(*(way.format(**drawn) for way in self._ways))

    def _do(self, draft: Draft, call: str, drawn: dict[str, str], before: Step | None) -> Step:
        found = _CALL.fullmatch(call.strip())
        assert found is not None, call
        tool, given, gone, collection, same = found.groups()
        arguments: dict[str, Any] = {}
        for pair in filter(None, (p.strip() for p in given.split(", "))):
            name, _, value = pair.partition("=")
            arguments[name] = _value(value.format(**drawn), before)
        goal = f"{self.name.replace('_', ' ')} ({', '.join(drawn.values()) or 'mine'})"
        if gone:
            return draft.do(goal, tool, arguments, leaves=collection, removes=same)
        fields = tuple(same.split(",")) if same else ()
        return draft.do(goal, tool, arguments, leaves=collection, same=fields)


def _value(text: str, before: Step | None) -> Any:
    if text.startswith("$"):
        assert before is not None
        return _reference(before, text[1:])
    if re.fullmatch(r"\d+", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _reference(step: Step, text: str) -> Ref:
    """`path`, or `list:take:by:field`."""
    parts = text.split(":")
    if len(parts) == 1:
        return step.at(text)
    rows, take, by, field = parts
    return step.row(rows, field, take, by or None)


def _draw(draft: Draft, kind: str) -> str:
    kind = kind.rstrip("0123456789")
    if kind in ("day", "iso"):
        return str(chance.day(draft))
    if kind == "past":
        offsets = [str(n) for n in range(20, 400)]
        return str(TODAY - timedelta(days=int(chance.draw(draft, "past", offsets))))
    if kind == "title":
        return chance.title(draft, *TITLES)
    if kind in CHOICES:
        return chance.draw(draft, kind, CHOICES[kind]())
    if kind in ("city", "person", "company", "product", "cuisine", "film"):
        return str(getattr(chance, kind)(draft))
    raise DraftError(f"nobody knows how to draw {kind}")


CHOICES: dict[str, Any] = {
    "place": lambda: load("maps")["categories"],
    "book": lambda: [row[0] for row in load("media")["books"]],
    "album": lambda: [row[0] for row in load("media")["albums"]],
    "artist": lambda: {row[1] for row in load("media")["albums"]},
    "podcast": lambda: [row[0] for row in load("media")["podcasts"]],
    "table": lambda: [row[0] for row in load("documents")["tables"]],
    "text": lambda: [row[0] for row in load("documents")["texts"]],
    "todo": lambda: [row[0] for row in load("notes")["tasks"]],
    "bill": lambda: [row[0] for row in load("finance")["bills"]],
    "account": lambda: load("finance")["accounts"],
    "country": lambda: load("calendar")["holidays"],
    "coupon": lambda: load("shopping")["coupons"],
    "euros": lambda: [str(n) for n in (15, 25, 40, 60, 75, 90, 110, 130, 150, 180, 220, 260)],
    "nights": lambda: ["2", "3", "4", "5"],
    "party": lambda: ["2", "3", "4", "5"],
}
TITLES = (
    "Call the plumber", "Scan the receipts", "Borrow the ladder", "Reply to the club",
    "Wash the curtains", "Check the tyres", "Buy birdseed", "Collect the suit", "Plan the barbecue",
    "Back up the laptop", "Write to Aunt May", "Measure the window", "Change the locks",
)  # fmt: skip

WRITTEN: dict[str, Written] = {}
for _line in (Path(__file__).parent / "lines.txt").read_text("utf-8").strip().splitlines():
    _scene = Written(_line)
    WRITTEN[_scene.name] = _scene
