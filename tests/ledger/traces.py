"""Generated OpenAI-chat traces, and ledgers laid side by side."""

import json
import random
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from agentdyno.intake.discover import pieces_of
from agentdyno.ledger.file_names import (
    GENERATIONS,
    LAST_RUN,
    NAME,
    SESSIONS,
    SPENT,
    STORE,
    SUMS,
    VISITS,
)
from agentdyno.ledger.given_paths import record_given
from agentdyno.ledger.manifest import Manifest, load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines import input_plan
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records.ledger import COUNTED, HELD, TABLES

KEYS = {
    "trajectories": ["trajectory_id"],
    "turns": ["trajectory_id", "turn"],
    "calls": ["trajectory_id", "turn", "call"],
    "parts": ["trajectory_id", "part"],
    "bad_records": ["source", "place"],
    "repeats": ["trajectory_id", "turn"],
}
KEYS |= {HELD + name: KEYS[name] for name in COUNTED}
SEARCH = {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}
IDLE = {"type": "function", "function": {"name": "idle", "description": "never called"}}


def copy_ledger(ledger: Path, target: Path) -> Path:
    """A copy that is the user's own, as if the same traces had been measured into it."""
    shutil.copytree(ledger, target)
    manifest = load(target)
    record_given(target, manifest.volumes, [entry.path for entry in manifest.inputs.values()])
    return target


def chat(task: int, calls: int = 1, usage: bool = True, **fields: Any) -> dict[str, Any]:
    """One trajectory: `calls` turns that search and a last one that answers."""
    rng = random.Random(task)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Answer with one word."},
        {"role": "user", "content": "why " * rng.randint(3, 30)},
    ]
    context = 120
    for index in range(calls):
        function = {"name": "search", "arguments": json.dumps({"q": "x" * rng.randint(1, 40)})}
        call = {"id": f"c{index}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call], **_usage(usage, context)},
            {"role": "tool", "tool_call_id": f"c{index}", "content": "r" * rng.randint(0, 300)},
        ]
        context += rng.randint(60, 160)
    messages.append({"role": "assistant", "content": "done", **_usage(usage, context)})
    return {
        "model": "qwen3-32b",
        "task_id": task,
        "correct": task % 3 == 0,
        "tools": [SEARCH, IDLE],
        "messages": messages,
        **fields,
    }


def _usage(present: bool, context: int) -> dict[str, Any]:
    if not present:
        return {}
    details = {"cached_tokens": context // 2}
    counts = {"prompt_tokens": context, "completion_tokens": 25, "prompt_tokens_details": details}
    return {"usage": counts}


def write_jsonl(path: Path, tasks: Iterable[int], **options: Any) -> Path:
    """A file with one trajectory a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(chat(task, **options)) + "\n" for task in tasks))
    return path


def tables(ledger: Path, manifest: Manifest | None = None) -> dict[str, pl.DataFrame]:
    """Every table as our reader sees it, in a fixed order."""
    opened = Ledger(ledger, manifest)
    return {name: opened.read(name).sort(KEYS[name]) for name in TABLES}


def glob(ledger: Path, table: str) -> pl.DataFrame:
    """A table as anybody opens it: one line, no manifest."""
    return pl.scan_parquet(f"{ledger}/{table}/*.parquet").collect()


def assert_same(one: Path, other: Path) -> None:
    """Both ledgers hold the same rows, and a reader that knows no manifest finds just these."""
    left, right = tables(one), tables(other)
    for name in TABLES:
        # Sums over a batch run in another order when the batch is cut elsewhere.
        assert_frame_equal(left[name], right[name], rel_tol=1e-9, abs_tol=1e-6)
        bare = glob(one, name).sort(KEYS[name])
        assert_frame_equal(bare, left[name], rel_tol=1e-9, abs_tol=1e-6)


def assert_tidy(ledger: Path) -> None:
    """Nothing is left but what the manifest names."""
    volumes = Ledger(ledger).manifest.volumes
    for name in TABLES:
        seals = {volume: entry.seals.get(name, []) for volume, entry in volumes.items()}
        wanted = {f"{v}-{i}.parquet" for v, own in seals.items() for i in range(len(own))}
        assert {p.name for p in (ledger / name).iterdir()} == wanted | {"empty.parquet"}
    derived = {n: files for n, files in Ledger(ledger).manifest.derived.items() if files}
    for name, entries in derived.items():
        assert {p.name for p in (ledger / name).iterdir()} == {entry.file for entry in entries}
    own = {NAME, GENERATIONS, STORE, ".lock"}
    got = {p.name for p in ledger.iterdir()} - {LAST_RUN, SESSIONS, SUMS, SPENT, VISITS}
    assert got == {*TABLES, *derived, *own}


def assert_consistent(ledger: Path, manifest: Manifest | None = None) -> None:
    """No row twice, none without its trajectory, and as many as the manifest says."""
    found = tables(ledger, manifest)
    ids = found["trajectories"]["trajectory_id"]
    assert ids.is_unique().all()
    rows = [volume.rows for volume in Ledger(ledger, manifest).manifest.volumes.values()]
    for name in TABLES:
        assert len(found[name]) == sum(row.get(name, 0) for row in rows)
        if name in COUNTED:
            assert set(found[name]["trajectory_id"]) <= set(ids)
            assert not found[name].select(KEYS[name]).is_duplicated().any()
    assert found["trajectories"]["turns"].sum() == len(found["turns"])
    assert found["trajectories"]["calls"].sum() == len(found["calls"])


def measure_changed_traces(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Traces, the ledger `before` some of them changed, and what a `fresh` one says of them: a file
    that shares a volume changed, one that fills several changed, one is new."""
    patch.setattr(pipeline, "JOB_BYTES", 4_000)
    patch.setattr(input_plan, "pieces_of", partial(pieces_of, piece_bytes=6_000))
    traces, one = folder / "traces", MeasureOptions(workers=1)
    write_jsonl(traces / "big.jsonl", range(12))
    for index in range(4):
        write_jsonl(traces / f"small{index}.jsonl", [100 + 2 * index, 101 + 2 * index])
    measure([traces], folder / "before", one)
    write_jsonl(traces / "big.jsonl", range(50, 65))
    write_jsonl(traces / "small1.jsonl", [200, 201])
    write_jsonl(traces / "small9.jsonl", [300])
    measure([traces], folder / "fresh", one)
    return folder
