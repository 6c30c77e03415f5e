"""Rollouts and ledgers as the frames that studies of the instruments read.

Takes the complete parts of a folder of rollouts and the ledger of every agent that they were
measured into, returns `RolloutFrames`. Marks of tps come from the rollouts; those of toolfail and
tir, patterns of attempts and whether a call did a step of the plan come from the ledgers.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from agentdyno.studies.tables import Tables
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_depth.engines.dialect import read_turn
from agentdyno_train.rollouts.complete_parts import CompleteParts
from agentdyno_train.rollouts.journal import (
    MACHINE,
    TIMED,
    Continuation,
    RolloutRecord,
    TurnDepth,
)
from agentdyno_train.studies.instruments.rollout_frames import SCHEMAS, RolloutFrames


def build_frames(parts: CompleteParts, ledgers: Mapping[str, Tables]) -> RolloutFrames:
    """Every complete part of these agents."""
    agents, records = list(ledgers), parts.records()
    marks = {agent: _marks(ledger) for agent, ledger in ledgers.items()}
    useful = {agent: _useful(ledger) for agent, ledger in ledgers.items()}
    futures = (future for agent in agents for future in parts.futures(agent))
    machine = parts.folder / MACHINE
    return RolloutFrames(
        agents,
        attempts=_frame("attempts", (_attempt(p, marks[p.agent]) for p in records)),
        turns=_frame("turns", (row for p in records for row in _turns(p))),
        depths=_frame("depths", map(_depth, parts.depths())),
        futures=_frame("futures", map(_future, futures)),
        calls=_frame("calls", (row for p in records for row in _calls(p, useful[p.agent]))),
        habits=_frame("habits", (r for a, x in ledgers.items() for r in _habits(a, x))),
        machine=machine.read_text("utf-8") if machine.exists() else "",
    )


def _frame(name: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMAS[name], orient="row")


def _attempt(record: RolloutRecord, marks: dict[str, bool | None]) -> dict[str, Any]:
    solved, score = record.solved, record.score
    if record.bench != "tps" and record.attempt == 0:
        solved = marks.get(record.task_id)
        score = None if solved is None else float(solved)
    return {
        "agent": record.agent, "bench": record.bench, "level": record.level, "task": record.task_id,
        "attempt": record.attempt, "turns": len(record.turns),
        "output_tokens": sum(len(turn.ids) for turn in record.turns), "solved": solved,
        "score": score,
    }  # fmt: skip


def _turns(record: RolloutRecord) -> Iterator[dict[str, Any]]:
    known = 0
    for number, (turn, start) in enumerate(zip(record.turns, record.starts, strict=True)):
        yield {
            "agent": record.agent, "level": record.level, "task": record.task_id,
            "attempt": record.attempt, "turn": number, "context_tokens": start,
            "new_tokens": start - known, "decode_tokens": len(turn.ids),
            "seconds": turn.seconds if record.attempt == TIMED else None,
        }  # fmt: skip
        known = start + len(turn.ids)


def _depth(d: TurnDepth) -> dict[str, Any]:
    return {
        "agent": d.agent, "level": d.level, "task": d.task_id, "attempt": d.attempt,
        "turn": d.turn, "deep": d.deep, "kinds": d.kinds, "log_prob": d.log_prob,
        "certainty": d.certainty, "prefix_certainty": d.prefix_certainty,
    }  # fmt: skip


def _future(f: Continuation) -> dict[str, Any]:
    return {
        "agent": f.agent, "task": f.task_id, "answers": f.answers, "calls": f.calls,
        "number": f.number, "solved": f.solved, "score": f.score,
    }  # fmt: skip


def _calls(
    record: RolloutRecord, useful: dict[tuple[str, int, int], bool]
) -> Iterator[dict[str, Any]]:
    """Calls of a greedy planning attempt, with the cut before each."""
    if record.bench != "tps" or record.attempt != 0:
        return
    calls_before = 0
    for number, turn in enumerate(record.turns):
        calls = [call for call in read_turn(turn.text).calls if call[0] != SUBMIT]
        for place, (tool, _) in enumerate(calls):
            before = (number + 1, place) if place else (number, calls_before)
            yield {
                "agent": record.agent, "task": record.task_id, "turn": number, "call": place,
                "tool": tool, "before_answers": before[0], "before_calls": before[1],
                "useful": useful.get((record.task_id, number, place)),
            }  # fmt: skip
        calls_before = len(calls)


def _marks(ledger: Tables) -> dict[str, bool | None]:
    return dict(ledger.read("trajectories").select("task_id", "correct").iter_rows())


def _useful(ledger: Tables) -> dict[tuple[str, int, int], bool]:
    tasks = ledger.read("trajectories").select("trajectory_id", "task_id")
    placed = ledger.read("placements").join(tasks, on="trajectory_id")
    rows = placed.select("task_id", "turn", "call", "did").iter_rows()
    return {(task, turn, call): bool(did) for task, turn, call, did in rows}


def _habits(agent: str, ledger: Tables) -> Iterator[dict[str, Any]]:
    rows = ledger.read("trajectories").select(
        "trajectory_id", "task_id", "benchmark", "correct", "score"
    )
    found = ledger.read("patterns")
    shown = set(found.select("trajectory_id", "pattern").iter_rows())
    for pattern in sorted(found["pattern"].unique()):
        for name, task, benchmark, correct, mark in rows.iter_rows():
            yield {
                "agent": agent, "level": benchmark, "task": task, "pattern": pattern,
                "shown": (name, pattern) in shown, "correct": correct, "mark": mark,
            }  # fmt: skip
