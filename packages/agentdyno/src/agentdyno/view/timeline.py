"""What a session's time went on, and the critical path of its tools.

Takes the tables of a session, returns seconds. Most traces say when a turn was sent and answered,
and few how long a call took: from an answer with calls to the next request is *tools and waiting*
(a permission, a queue), and what is known of the calls themselves is a figure of its own. From an
answer without calls to the next request it is the user's pause.

The critical path is the longest chain of calls that rest on each other. Dependencies are those that
the ledger has (`dependencies`); calls without a known duration are on no path. Worked: a (2 s), b
(5 s), c (3 s) that uses a result of a: the path is b alone, 5 s, as long as a and c together; with
4 s for c it is a, c with 6 s.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import polars as pl

from agentdyno.studies.tables import Tables

Place = tuple[int, int]
ENDS = ("source_turn", "source_call", "target_turn", "target_call")


Row = dict[str, Any]


def sum_times(turns: list[Row], calls: list[Row]) -> Row:
    """Seconds of the model, of tools and waiting, of pauses and of the calls that have times, each
    None where nothing is known of it; and the stretches between turns."""
    spans = [(turn["turn"], *_span(turn, "latency_seconds")) for turn in turns]
    calling = {call["turn"] for call in calls}
    between = [
        {"turn": turn, "from": end, "until": start, "has_calls": turn in calling}
        for (turn, _, end), (_, start, _) in pairwise(spans)
        if end is not None and start is not None and start > end
    ]
    timed = [wait for call in calls if (wait := _length(call)) is not None]
    durations = [end - start for _, start, end in spans if start is not None and end is not None]
    return {
        "model": _add(durations),
        "tools_and_waiting": _add(b["until"] - b["from"] for b in between if b["has_calls"]),
        "pauses": _add(b["until"] - b["from"] for b in between if not b["has_calls"]),
        "calls": len(calls),
        "timed_calls": len(timed),
        "timed": _add(timed),
        "between": between,
    }


def _span(row: Row, length: str) -> tuple[float | None, float | None]:
    """Begin and end, one of them worked out where the other and the length are known."""
    start, end, seconds = row["started_at"], row["ended_at"], row[length]
    if seconds is not None:
        start = end - seconds if start is None and end is not None else start
        end = start + seconds if end is None and start is not None else end
    return start, end


def _length(call: Row) -> float | None:
    if call["wait_seconds"] is not None:
        return float(call["wait_seconds"])
    start, end = call["started_at"], call["ended_at"]
    return None if start is None or end is None else end - start


def _add(seconds: Iterable[float]) -> float | None:
    total = list(seconds)
    return sum(total) if total else None


def find_critical_path(tables: Tables, name: str) -> dict[str, Any] | None:
    """The path of one trajectory; None where no call's duration is known, or nobody looked for
    dependencies."""
    of_trajectory = pl.col("trajectory_id") == name
    calls = tables.read("calls").filter(of_trajectory & pl.col("wait_seconds").is_not_null())
    if calls.is_empty() or not tables.has("dependencies"):
        return None
    seconds = {
        (turn, call): wait
        for turn, call, wait in calls.select("turn", "call", "wait_seconds").iter_rows()
    }
    rests_on: dict[Place, list[Place]] = {}
    for a, b, c, d in tables.read("dependencies").filter(of_trajectory).select(ENDS).iter_rows():
        rests_on.setdefault((c, d), []).append((a, b))
    return {"calls": _longest_chain(seconds, rests_on), "seconds": sum(seconds.values())}


def _longest_chain(seconds: dict[Place, float], rests_on: dict[Place, list[Place]]) -> list[Place]:
    total: dict[Place, float] = {}
    before: dict[Place, Place] = {}
    # A call rests on earlier ones alone, so whatever it rests on is known by then.
    for position in sorted(seconds):
        earlier = [
            source for source in rests_on.get(position, []) if source in total and source < position
        ]
        best = max(earlier, key=lambda each: total[each], default=None)
        total[position] = seconds[position] + (total[best] if best else 0.0)
        if best:
            before[position] = best
    last = max(total, key=lambda each: total[each])
    chain = [last]
    while chain[-1] in before:
        chain.append(before[chain[-1]])
    return chain[::-1]
