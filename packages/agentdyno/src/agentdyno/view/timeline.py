"""The critical path of a session's tools: the longest chain of calls that rest on each other.

Takes the tables of a session, returns the calls on the path and how long they took. Dependencies
are those that the ledger has (`dependencies`); calls without a known duration are on no path.

Worked: a (2 s), b (5 s), c (3 s) that uses a result of a: the path is b alone, 5 s, as long as a
and c together; with 4 s for c it is a, c with 6 s.
"""

from typing import Any

import polars as pl

from agentdyno.studies.tables import Tables

Place = tuple[int, int]
ENDS = ("source_turn", "source_call", "target_turn", "target_call")


def find_critical_path(tables: Tables, name: str) -> dict[str, Any] | None:
    """The path of one trajectory; None where no call's duration is known, or nobody looked for
    dependencies."""
    own = pl.col("trajectory_id") == name
    calls = tables.read("calls").filter(own & pl.col("wait_seconds").is_not_null())
    if calls.is_empty() or not tables.has("dependencies"):
        return None
    seconds = {
        (turn, call): wait
        for turn, call, wait in calls.select("turn", "call", "wait_seconds").iter_rows()
    }
    rests_on: dict[Place, list[Place]] = {}
    for a, b, c, d in tables.read("dependencies").filter(own).select(ENDS).iter_rows():
        rests_on.setdefault((c, d), []).append((a, b))
    return {"calls": _longest_chain(seconds, rests_on), "seconds": sum(seconds.values())}


def _longest_chain(seconds: dict[Place, float], rests_on: dict[Place, list[Place]]) -> list[Place]:
    total: dict[Place, float] = {}
    before: dict[Place, Place] = {}
    # A call rests on earlier ones alone, so whatever it rests on is known by then.
    for place in sorted(seconds):
        known = [each for each in rests_on.get(place, []) if each in total and each < place]
        best = max(known, key=lambda each: total[each], default=None)
        total[place] = seconds[place] + (total[best] if best else 0.0)
        if best:
            before[place] = best
    last = max(total, key=lambda each: total[each])
    chain = [last]
    while chain[-1] in before:
        chain.append(before[chain[-1]])
    return chain[::-1]
