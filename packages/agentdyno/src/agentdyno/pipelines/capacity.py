"""Reads a ledger, or a file of counts, as a load and asks how many such agents a machine serves."""

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from agentdyno.cost.block_memory import Policy
from agentdyno.cost.columns import Floats
from agentdyno.cost.counts_trace import read_counts, write_counts
from agentdyno.cost.hash_trace import read_hash_traces, write_agentx
from agentdyno.cost.replay import Load
from agentdyno.cost.served import TurnColumns, lay_out
from agentdyno.cost.servings import Servings
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.capacity import Capacity, study_capacity
from agentdyno.studies.cost.seconds import read_turns, turn_columns
from agentdyno.studies.tables import Tables
from agentdyno.studies.views import View, apply_view

LONGEST_PAUSE = 60.0
"""Seconds that a session waits for its tools or its user; in longer pauses somebody is away."""


def measure_capacity(
    source: Path,
    servings: Servings,
    policy: Policy,
    loads: list[int] | None,
    cache_tokens: int | None,
    view: View | None = None,
) -> Capacity:
    """The answer for a ledger's folder, a JSONL file of counts, or traces of block hashes."""
    model = None
    if is_trace(source):
        load, notes = load_trace(source)
    else:
        ledger = apply_view(ReadableLedger(local_folder(source)), view)
        load, notes = load_ledger(ledger)
        models = ledger.read("turns")["model"].drop_nulls()
        model = str(models.mode()[0]) if len(models) else None
    serving = servings.of(model)
    limits = replace(serving.limits, policy=policy)
    if cache_tokens is not None:
        limits = replace(limits, cache_tokens=float(cache_tokens))
    serving = replace(serving, limits=limits)
    return study_capacity(load, serving, loads, notes)


def is_trace(source: Path) -> bool:
    """Whether this is a load trace and no ledger."""
    has_traces = source.is_dir() and not (source / "manifest.json").exists()
    return source.is_file() or (has_traces and any(source.glob("*.json")))


def load_trace(source: Path) -> tuple[Load, list[str]]:
    """A file of counts, AgentX traces or a Mooncake file, and what to know about it."""
    if source.is_file() and source.suffix == ".jsonl" and not _has_hashes(source):
        return read_counts(source)
    trace = read_hash_traces(source)
    rates = ", ".join(f"{name} {100 * rate:.1f} %" for name, rate in trace.hit_rates.items())
    hits = f"Tokens that the trace's own hashes find, by how long an unused block stays: {rates}."
    pause = np.minimum(trace.load.pause, LONGEST_PAUSE)
    return replace(trace.load, pause=pause, begins=None), [hits, *trace.problems]


def _has_hashes(source: Path) -> bool:
    with source.open("rb") as lines:
        return b'"hash_ids"' in lines.readline(1 << 16)


def export_load(ledger: Path, form: str, to: Path, view: View | None = None) -> int:
    """Write a ledger's sessions as counts (a JSONL file) or as AgentX traces (a folder)."""
    load, _ = load_ledger(apply_view(ReadableLedger(local_folder(ledger)), view))
    many = len(load.first) - 1
    if form == "counts":
        to.write_text("".join(f"{line}\n" for line in write_counts(load)), encoding="utf-8")
        return many
    to.mkdir(parents=True, exist_ok=True)
    names = [f"trace_{number:04}" for number in range(1, many + 1)]
    for name, text in write_agentx(load, names):
        (to / f"{name}.json").write_text(text, encoding="utf-8")
    return many


def load_ledger(tables: Tables) -> tuple[Load, list[str]]:
    """All sessions of a ledger as one load, with pauses as recorded, and what to know about it."""
    turns = turn_columns(read_turns(tables, "served"), "served")
    known_turns = turns.only(turns.is_known)
    if not len(known_turns.trajectory):
        raise InputError(f"{tables.name}: expected turns with token counts, found none.")
    load = lay_out(known_turns, with_times=False)
    pause = _find_pauses(known_turns)
    long = int((pause > LONGEST_PAUSE).sum())
    notes = []
    if long:
        notes.append(
            f"{long:,} pauses of more than {LONGEST_PAUSE:g} s count as {LONGEST_PAUSE:g} s."
        )
    return replace(load, pause=np.minimum(pause, LONGEST_PAUSE)), notes


def _find_pauses(turns: TurnColumns) -> Floats:
    pause = np.zeros(len(turns.trajectory))
    same = turns.trajectory[1:] == turns.trajectory[:-1]
    pause[1:] = np.where(same, turns.started[1:] - turns.ended[:-1], 0.0)
    return np.nan_to_num(np.fmax(pause, 0.0))
