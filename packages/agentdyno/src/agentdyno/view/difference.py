"""The difference of two sessions, aligned turn by turn; or of two ledgers, session by session.

Takes snapshots of one ledger or two. Turns are aligned by what they call (tools and subjects), in
order, so that one more turn on one side moves no other; what is left over stands alone. Each turn
comes with what entered the context since the turn before and why its cache broke.

Worked: A calls read, edit, test; B calls read, test: read and test are aligned, edit is A's alone.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import polars as pl

from agentdyno.studies.volumes import sum_known
from agentdyno.view.session import describe_session, read_tree
from agentdyno.view.session_list import sessions_of
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words

SUMS = ("cost", "turns", "calls")
MOST_PAIRS = 200


def compare_sessions(a: Snapshot, first: str, b: Snapshot, other: str) -> dict[str, Any]:
    """Two sessions side by side."""
    sides = [describe_session(a, first), describe_session(b, other)]
    turns = [_summarise_turns(side) for side in sides]
    return {
        "units": [side["unit"] for side in sides],
        "sessions": [side["session"] for side in sides],
        "kinds": [_sum_kinds(snapshot, name) for snapshot, name in ((a, first), (b, other))],
        "turns": turns,
        "pairs": list(align([turn["signature"] for turn in turns[0]],
                            [turn["signature"] for turn in turns[1]])),
    }  # fmt: skip


def align(a: list[str], b: list[str]) -> Iterator[tuple[int | None, int | None]]:
    """Places in both that belong together, in order; None where a side has nothing."""
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for kind, a1, a2, b1, b2 in matcher.get_opcodes():
        if kind in ("equal", "replace"):
            both = min(a2 - a1, b2 - b1)
            yield from ((a1 + step, b1 + step) for step in range(both))
            a1, b1 = a1 + both, b1 + both
        yield from ((index, None) for index in range(a1, a2))
        yield from ((None, index) for index in range(b1, b2))


def _summarise_turns(side: dict[str, Any]) -> list[dict[str, Any]]:
    names = ("turn", "context_tokens", "decode_tokens", "cost", "read", "written", "lost", "cause",
             "pause_seconds", "lost_usd")  # fmt: skip
    calls: dict[int, list[str]] = {}
    for call in side["calls"]:
        called = f"{call['tool']} {call['subject'] or ''}".strip()
        calls.setdefault(call["turn"], []).append(called)
    added: dict[int, dict[str, float]] = {}
    for band in side["river"]["bands"]:
        kinds = added.setdefault(band["enters"], {})
        kinds[band["kind"]] = kinds.get(band["kind"], 0.0) + (band["tokens"] or 0.0)
    return [
        {name: turn.get(name) for name in names}
        | {
            "calls": calls.get(turn["turn"], []),
            "added": added.get(turn["turn"], {}),
            "signature": "\n".join(calls.get(turn["turn"], ["answer"])),
        }
        for turn in side["turns"]
    ]


def _sum_kinds(snapshot: Snapshot, name: str) -> dict[str, float | None]:
    rows = read_tree(snapshot, name).read("parts").filter(pl.col("trajectory_id") == name)
    sums = snapshot.costs.on(rows).group_by("kind").agg(sum_known("cost"))
    return dict(sums.iter_rows())


def compare_ledgers(a: Snapshot, b: Snapshot) -> dict[str, Any]:
    """Sums of two ledgers, and their sessions paired by id, task or title."""
    left, right = (_keyed(snapshot) for snapshot in (a, b))
    pairs = left.join(right, on="key", how="full", coalesce=True, suffix="_b")
    # A session of one side alone costs the other nothing; one without a price is unknown.
    first, second = (
        pl.when(pl.col(id).is_null()).then(0.0).otherwise(cost)
        for id, cost in (("id", "cost"), ("id_b", "cost_b"))
    )
    rows = pairs.with_columns(difference=second - first).sort(
        pl.col("difference").abs(), descending=True, nulls_last=True
    )
    return {
        "units": [snapshot.costs.unit for snapshot in (a, b)],
        "names": [clean_words(snapshot.ledger.name, 200) for snapshot in (a, b)],
        "totals": [_sum_ledger(snapshot) for snapshot in (a, b)],
        "kinds": [_sum_ledger_kinds(snapshot) for snapshot in (a, b)],
        "matching": len(rows),
        "rows": [_clean(row) for row in rows.head(MOST_PAIRS).iter_rows(named=True)],
    }


def _keyed(snapshot: Snapshot) -> pl.DataFrame:
    """Sessions by what they have in common with those of another ledger, each key once: a file may
    lie in another folder there."""
    task = pl.concat_str("benchmark", "model", "task_id", separator="\n", ignore_nulls=True)
    ids = snapshot.ledger.scan("trajectories").select("session_id", id="trajectory_id").collect()
    key = (
        pl.when(pl.col("task_id").is_not_null())
        .then(task)
        .otherwise(pl.coalesce("session_id", "id"))
    )
    rows = sessions_of(snapshot).join(ids, on="id", how="left").with_columns(key=key)
    number = pl.int_range(pl.len()).over("key").cast(pl.String)
    keyed = rows.with_columns(key=pl.col("key") + pl.lit("\n") + number)
    return keyed.select("key", "id", "title", "task_id", *SUMS)


def _sum_ledger(snapshot: Snapshot) -> dict[str, Any]:
    rows = sessions_of(snapshot)
    return {"sessions": len(rows)} | rows.select(sum_known(name) for name in SUMS).row(
        0, named=True
    )


def _sum_ledger_kinds(snapshot: Snapshot) -> dict[str, float | None]:
    def add_up() -> dict[str, float | None]:
        rows = snapshot.ledger.scan("parts").select("trajectory_id", "kind", "pte", "usd")
        sums = snapshot.costs.on(rows).group_by("kind").agg(sum_known("cost")).collect()
        return dict(sums.iter_rows())

    return snapshot.once("costs of kinds", add_up)


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    title = row["title"] or row["title_b"] or row["task_id"] or row["task_id_b"]
    return row | {"title": clean_words(title, 160), "title_b": None, "key": None}
