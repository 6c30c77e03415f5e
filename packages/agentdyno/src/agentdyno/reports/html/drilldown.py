"""The trajectories that a page can open, as JSON inside it.

The most expensive first, until the room is used up; what is left out is counted. Texts are cleaned
here and put into the page by `textContent` only. The JSON holds no `<`, so it cannot end its
element.
"""

from collections.abc import Callable
from typing import Any

from agentdyno.records import printable
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.escaped_json import encode_json
from agentdyno.reports.charts.palette import KINDS
from agentdyno.reports.html.markup import Html, join, plain, tag
from agentdyno.reports.numbers import UNITS
from agentdyno.studies.cost.drilldown import CallDetail, Drilldown, TrajectoryDetail, TurnDetail

ROOM_BYTES = 1_900_000
"""Of a page of at most 3 MB."""


class Words:
    """Texts that occur often, each kept once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.size = 0
        self._places: dict[str, int] = {}
        self._known: dict[tuple[str, int], int] = {}

    def place(self, text: str | None, limit: int = 80) -> int | None:
        """Where the text is kept; None for none."""
        if text is None:
            return None
        number = self._known.get((text, limit))
        if number is None:
            number = self._known[text, limit] = self._place(text, limit)
        return number

    def _place(self, text: str, limit: int) -> int:
        clean = printable(" ".join(text.split()), limit)
        if clean not in self._places:
            self._places[clean] = len(self.all)
            self.all.append(clean)
            self.size += len(_safe(clean)) + 1
        return self._places[clean]


def as_data(drilldown: Drilldown, room: int = ROOM_BYTES) -> tuple[Html, list[str]]:
    """The element that holds the data, and the ids of the trajectories in it, in its order."""
    words, used = Words(), 0
    values: list[Any] = []
    for item in drilldown.trajectories:
        row = _trajectory(item, words, _ROUNDED[drilldown.unit])
        used += len(_safe(row)) + 1
        if used + words.size > room and values:
            break
        values.append(row)
    data = {"kinds": KINDS, "words": words.all, "rows": values}
    if drilldown.unit != "pte":
        data["unit"] = UNITS[drilldown.unit]
    text = _safe(data)
    ids = [item.trajectory_id for item in drilldown.trajectories[: len(values)]]
    return tag("script", Html(text), type="application/json", id="trajectories-data"), ids


def _safe(value: Any) -> str:
    """JSON without a sign that HTML could take for its own."""
    text = encode_json(value).decode()
    for sign, escaped in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, escaped)
    return text


Rounded = Callable[[float | None], float | None]
"""As many digits of a cost as a page shows."""


def _trajectory(item: TrajectoryDetail, words: Words, cost: Rounded) -> list[Any]:
    s = item.setting
    return [
        words.place(item.trajectory_id, 160),
        [words.place(part) for part in (s.model, s.benchmark, s.variant)],
        words.place(item.task_id, 120),
        item.attempt,
        words.place(item.level),
        words.place(item.source, 160),
        item.correct,
        cost(item.cost),
        item.usd if item.usd is None else round(item.usd, 5),
        words.place(item.gamma_source),
        [cost(item.kinds.get(kind, 0.0)) for kind in KINDS],
        [_turn(turn, words, cost) for turn in item.turns],
        [
            [words.place(c.pattern), c.turn, c.call, words.place(c.evidence, 240),
             words.place(c.detail, 240), cost(c.cost)]
            for c in item.patterns
        ],
        words.place(item.title and item.title.replace("`", "'"), 120),
    ]  # fmt: skip


def _turn(turn: TurnDetail, words: Words, cost: Rounded) -> list[Any]:
    return [
        turn.prefill_tokens,
        turn.context_tokens,
        turn.decode_tokens,
        turn.cached_tokens,
        cost(turn.cost),
        _tenth(turn.latency_seconds),
        words.place(turn.token_source),
        words.place(turn.finish),
        words.place(turn.error, 200),
        [_call(call, words, cost) for call in turn.calls],
    ]


def _call(call: CallDetail, words: Words, cost: Rounded) -> list[Any]:
    return [
        words.place(call.tool),
        _whole(call.request_tokens),
        _whole(call.result_tokens),
        _tenth(call.wait_seconds),
        cost(call.cost),
        words.place(call.error, 200),
        words.place(call.subject, 120),
        words.place(call.excerpt.request if call.excerpt else None, 200),
        words.place(call.excerpt.result if call.excerpt else None, 200),
    ]


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _four_digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


_ROUNDED: dict[CostUnit, Rounded] = {
    "pte": _whole,
    "gpu_seconds": _four_digits,
    "usd": _four_digits,
}


def _tenth(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def controls() -> Html:
    """An empty list with its controls, which the page's script fills from the data."""
    return join(
        tag("noscript", tag("p", plain("The list needs JavaScript; everything above does not."))),
        _controls(),
        tag("p", class_="note", id="found", aria_live="polite"),
        tag("ol", id="trajectory-list", class_="trajectory-list"),
        tag("button", plain("Show more"), type="button", id="more", class_="more", hidden="hidden"),
    )


def _controls() -> Html:
    search = tag("label", plain("Filter"), Html(
        '<input id="filter" type="search" autocomplete="off" placeholder="title, file or tool">'
    ))  # fmt: skip
    outcome = _select("outcome", "Outcome", (
        ("", "any"), ("solved", "solved"), ("unsolved", "unsolved"), ("ungraded", "not graded"),
        ("pattern", "with a pattern"), ("error", "with an error"),
    ))  # fmt: skip
    order = _select("order", "Order", (
        ("cost", "cost"), ("turns", "turns"), ("calls", "calls"), ("name", "name"),
    ))  # fmt: skip
    return tag("div", search, outcome, order, class_="controls", role="search")


def _select(name: str, title: str, options: tuple[tuple[str, str], ...]) -> Html:
    inside = [tag("option", plain(text), value=value) for value, text in options]
    return tag("label", plain(title), join(tag("select", *inside, id=name)))
