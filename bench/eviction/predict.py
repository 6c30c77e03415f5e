"""Does the replay know what a server forgets? Workloads, predictions before the run, and the score.

    python bench/eviction/predict.py draw LEDGER    workloads from a ledger of coding sessions
    python bench/eviction/predict.py predict        predictions.json, before the run
    python bench/eviction/serve.py …                on the GPU machine (`run.sh`)
    python bench/eviction/predict.py score          the table, from the rows kept here
    python bench/eviction/predict.py offload        offload.json: three more cells, before their run
    python bench/eviction/predict.py score-offload  their table
    python bench/eviction/predict.py draw-pilot F   a workload from what `export --as counts` wrote
    python bench/eviction/predict.py pilot          pilot.json: `capacity`'s rows, before their run
    python bench/eviction/predict.py score-pilot    its table, and the second run's (`again`)

Workloads are sessions reduced to counts, five consecutive turns each: contexts times 1/8, answers
times 1/4, pauses times 1/4 and at most 4 s. `compacted.jsonl` drops most of the context at the
third turn; in `shared.jsonl` all sessions begin with the same 2,000 tokens. A cell is a workload,
so many of its sessions, so many at once, and the tokens that the memory holds.

The first pilot's table is made again on its shape and memory with sessions of the same kind: the 28
longest windows of nine turns in `../shared/data`, contexts, answers and pauses times 1/4.
"""

import json
import random
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from agentdyno.cost.batching import EngineLimits
from agentdyno.cost.block_memory import Policy
from agentdyno.cost.counts_trace import read_counts
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.cost.replay import Load, Replayed, replay_load
from agentdyno.cost.servings import Servings
from agentdyno.cost.steps import theoretical_steps
from agentdyno.pipelines.capacity import measure_capacity
from agentdyno.studies.capacity import Capacity

HERE = Path(__file__).parent
SHAPE, HARDWARE = "qwen3-8b", "h200-sxm"
BLOCK = 16
SMALL, MIDDLE, LARGE = 49_152, 196_608, 393_216
TURNS, SESSIONS, EDGE_SESSIONS = 5, 66, 54
WORSE = 1.1
"""The cliff: the first load whose makespan is so many times the best of smaller loads."""
SHARED, SUMMARY = 2000, 600
PILOT_SHAPE, PILOT_TOKENS, PILOT_TURNS, PILOT_SESSIONS = "llama-3.1-8b", 262_144, 9, 28
PILOT_LOADS = 8, 12, 15, 20, 28
LONGEST_PAUSE = 4.0
"""Seconds, of the scaled pauses."""
HOST_GIB = 32
DRAWING = 1.0
"""Seconds from noting when a cell began to its first request: its text is drawn in between."""

BESIDE = "never_evicted", "always_evicted", "slow_copy"
"""What else was predicted of a cell."""


class Cell(NamedTuple):
    """One measurement."""

    name: str
    workload: str
    sessions: int
    concurrency: int
    cache_tokens: int
    host_gib: int = 0


CELLS = (
    *(
        Cell(f"{at_once}-{name}", "coding", sessions, at_once, tokens)
        for name, tokens in (("small", SMALL), ("middle", MIDDLE), ("large", LARGE))
        for at_once, sessions in ((8, 10), (24, 30), (64, 66))
    ),
    Cell("32-middle-shared", "shared", 40, 32, MIDDLE),
    Cell("32-middle-compacted", "compacted", 40, 32, MIDDLE),
    Cell("24-small-offload", "coding", 30, 24, SMALL, HOST_GIB),
)
OFFLOAD = tuple(
    Cell(f"{at_once}-small-offload", "coding", sessions, at_once, SMALL, HOST_GIB)
    for at_once, sessions in ((8, 10), (16, 20), (32, 40))
)
SHEET_COPY = 50e9
"""Bytes per second from the host by data sheet, as predicted for the first offload cell."""
SLOW_COPY = 10e9
"""Bytes per second from the host at which the missed cell, 24 at once, would have been met."""


def draw(ledger: Path) -> None:
    """Write the three workloads from a ledger's turns."""
    from agentdyno.ledger.reader import Ledger

    names = ["trajectory_id", "turn", "context_tokens", "decode_tokens", "started_at", "ended_at"]
    turns = Ledger(ledger).scan("turns").select(names).sort("trajectory_id", "turn").collect()
    windows: list[list[tuple[int, int, float]]] = []
    for _, own in turns.group_by("trajectory_id", maintain_order=True):
        rows = own.drop_nulls().rows()
        starts = range(0, len(rows) - TURNS + 1, TURNS)
        windows += [_scale(rows[start : start + TURNS]) for start in starts]
    random.Random(57).shuffle(windows)
    windows = windows[:SESSIONS]
    for name in ("coding", "shared", "compacted"):
        lines = [json.dumps(_session(name, window)) for window in windows]
        (HERE / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def _scale(rows: list[tuple]) -> list[tuple[int, int, float]]:  # type: ignore[type-arg]
    found: list[tuple[int, int, float]] = []
    least = 0
    ended: float | None = None
    for _, _, context, decode, started, end in rows:
        pause = 0.0 if ended is None else min(max(started - ended, 0.0) / 4, LONGEST_PAUSE)
        tokens = max(context // 8, least + 24 if least else 64)
        found.append((tokens, max(decode // 4, 8), round(pause, 3)))
        least, ended = tokens + found[-1][1], end
    return found


def _session(name: str, window: list[tuple[int, int, float]]) -> dict[str, object]:
    turns = []
    cut = 0
    for place, (context, generated, pause) in enumerate(window):
        row: dict[str, object] = {"context": context - cut, "generated": generated}
        if place:
            row["pause_seconds"] = pause
        if name == "compacted" and place == 2:
            kept = 1200
            cut = context - (kept + SUMMARY + context // 10)
            row |= {"context": context - cut, "kept": kept}
        turns.append(row)
    return {"shared": SHARED if name == "shared" else 0, "turns": turns}


def draw_pilot(counts: Path) -> None:
    """Write the pilot's kind of workload from sessions as the product exports them."""
    sessions = [json.loads(line)["turns"] for line in counts.read_text().splitlines()]
    windows = [
        turns[start : start + PILOT_TURNS]
        for turns in sessions
        for start in range(0, len(turns) - PILOT_TURNS + 1, PILOT_TURNS)
    ]
    windows.sort(key=lambda window: -sum(turn["context"] for turn in window))
    windows = windows[:PILOT_SESSIONS]
    random.Random(57).shuffle(windows)
    lines = [json.dumps({"turns": _quarter(window)}) for window in windows]
    (HERE / "pilot.jsonl").write_text("\n".join(lines) + "\n")


def _quarter(window: list[dict[str, float]]) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = []
    before = 0.0
    for turn in window:
        context, generated = max(turn["context"] // 4, 16), max(turn["generated"] // 4, 8)
        row = {"context": context, "generated": generated}
        if rows:
            row["pause_seconds"] = round(min(turn["pause_seconds"] / 4, LONGEST_PAUSE), 3)
            if "kept" in turn:
                row["kept"] = min(turn["kept"] // 4, before, context)
        rows.append(row)
        before = context + generated
    return rows


@cache
def load(workload: str, sessions: int) -> Load:
    whole, problems = read_counts(HERE / f"{workload}.jsonl")
    assert not problems
    return take_sessions(whole, sessions)


def config_of(shape: str) -> Path:
    return HERE.parent / "serving" / "shapes" / shape / "config.json"


def take_sessions(whole: Load, sessions: int) -> Load:
    first = whole.first[: sessions + 1]
    turns = int(first[-1])
    return replace(
        whole,
        first=first,
        **{n: getattr(whole, n)[:turns] for n in ("context", "decode", "cached", "pause")},
        kept=whole.kept[:turns],
        parent=whole.parent[:turns],
    )


def replayed(
    cell: Cell, policy: Policy = "vllm", copy: float = SHEET_COPY, name: str = SHAPE
) -> tuple[Replayed, Load]:
    shape = architecture_from_config(config_of(name))
    per_token = shape.growing_numbers * shape.cache_number_bytes
    limits = EngineLimits(
        cache_tokens=cell.cache_tokens - BLOCK,  # vLLM keeps one block for itself.
        policy=policy,
        host_tokens=cell.host_gib * 2**30 // per_token,
        host_token_seconds=per_token / copy,
    )
    steps = theoretical_steps(shape, resolve_hardware(HARDWARE))
    workload = load(cell.workload, cell.sessions)
    return replay_load(workload, cell.concurrency, shape, steps, limits), workload


def describe(cell: Cell, policy: Policy = "vllm", copy: float = SHEET_COPY) -> dict[str, object]:
    found, workload = replayed(cell, policy, copy)
    first = np.quantile(found.first_token, (0.5, 0.95))
    return {
        "makespan_seconds": round(found.makespan_seconds, 3),
        "hit_rate": round(float(found.cached.sum() / workload.context.sum()), 4),
        "first_token_p50_seconds": round(float(first[0]), 4),
        "first_token_p95_seconds": round(float(first[1]), 4),
        "preemptions": found.preemptions,
    }


def find_cliff() -> tuple[int, list[tuple[int, float, float]]]:
    """Where more at once make the same work slower, in the middle memory; and every load."""
    rows: list[tuple[int, float, float]] = []
    cliff = 0
    for at_once in range(4, EDGE_SESSIONS + 1):
        found, workload = replayed(Cell("", "coding", EDGE_SESSIONS, at_once, MIDDLE))
        hits = float(found.cached.sum() / workload.context.sum())
        if not cliff and rows and found.makespan_seconds > WORSE * min(row[2] for row in rows):
            cliff = at_once
        rows.append((at_once, hits, found.makespan_seconds))
    return cliff, rows


def all_cells() -> tuple[int, list[Cell]]:
    cliff, _ = find_cliff()
    edges = [
        Cell(f"{at_once}-{side}-cliff", "coding", EDGE_SESSIONS, at_once, MIDDLE)
        for side, at_once in (("below", round(0.9 * cliff)), ("above", round(1.1 * cliff)))
    ]
    return cliff, [*CELLS, *edges]


def predict() -> None:
    cliff, cells = all_cells()
    rows = [
        {
            **cell._asdict(),
            "predicted": describe(cell),
            "never_evicted": describe(cell._replace(host_gib=0), "infinite"),
            "always_evicted": describe(cell._replace(host_gib=0), "none"),
        }
        for cell in cells
    ]
    for row in rows:
        print(row["name"], *(row[k] for k in ("predicted", "never_evicted", "always_evicted")))
    total = sum(row["predicted"]["makespan_seconds"] for row in rows)
    print(f"cliff at {cliff}; {total:.0f} s in all")
    plan = {"shape": SHAPE, "hardware": HARDWARE, "cliff": cliff, "cells": rows}
    (HERE / "predictions.json").write_text(json.dumps(plan, indent=1) + "\n")


def predict_offload() -> None:
    """Three loads with offload, by the data sheet's copy and by the one the miss suggests."""
    rows = [
        {**cell._asdict(), "predicted": describe(cell), "slow_copy": describe(cell, copy=SLOW_COPY)}
        for cell in OFFLOAD
    ]
    plan = {"shape": SHAPE, "hardware": HARDWARE, "slow_copy": SLOW_COPY, "cells": rows}
    (HERE / "offload.json").write_text(json.dumps(plan, indent=1) + "\n")
    for row in rows:
        print(row["name"], row["predicted"], row["slow_copy"])


def predict_pilot() -> None:
    """The rows that `agentdyno capacity` prints: five loads, and two beside the cliff it finds."""
    servings = Servings(HARDWARE, str(config_of(PILOT_SHAPE)))

    def ask(policy: Policy) -> Capacity:
        loads = list(range(4, PILOT_SESSIONS + 1))
        tokens = PILOT_TOKENS - BLOCK  # vLLM keeps one block for itself.
        return measure_capacity(HERE / "pilot.jsonl", servings, policy, loads, tokens)

    found = {
        "predicted": ask("vllm"),
        "never_evicted": ask("infinite"),
        "always_evicted": ask("none"),
    }
    cliff = found["predicted"].cliff
    assert cliff is not None
    rows = []
    for at_once in sorted({*PILOT_LOADS, round(0.9 * cliff), round(1.1 * cliff)}):
        cell = Cell(f"pilot-{at_once}", "pilot", PILOT_SESSIONS, at_once, PILOT_TOKENS)
        row = cell._asdict()
        for name, capacity in found.items():
            one = next(row for row in capacity.rows if row.concurrency == at_once)
            row[name] = msgspec.to_builtins(one)
        rows.append(row)
    plan = {"shape": PILOT_SHAPE, "hardware": HARDWARE, "cliff": cliff, "cells": rows}
    (HERE / "pilot.json").write_text(json.dumps(plan, indent=1) + "\n")
    for row in rows:
        print(row["name"], *(row["predicted"][key] for key in ("makespan_seconds", "hit_rate")))
    print("cliff at", cliff)


def read_measured(rows: Path) -> dict[str, dict[str, float]]:
    """By cell: what vLLM took and found."""
    found = {}
    for path in sorted(rows.glob("measured_*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if row["seconds"] is None:
                continue
            turns = np.array(row["turns"])
            first = np.quantile(turns[:, 6] - turns[:, 5], (0.5, 0.95))
            found[row["name"]] = {
                "makespan_seconds": row["seconds"],
                "hit_rate": float(turns[:, 4].sum() / turns[:, 2].sum()),
                "first_token_p50_seconds": float(first[0]),
                "first_token_p95_seconds": float(first[1]),
                "watts": read_watts(path, row["began"], row["seconds"]),
            }
    return found


def read_watts(rows: Path, began: float, seconds: float) -> float:
    """The card's mean draw while a cell ran."""
    path = rows.with_name(rows.name.replace("measured", "power").replace(".jsonl", ".csv"))
    drawn = []
    for line in path.read_text().splitlines():
        moment, watts, _ = line.split(", ")
        when = datetime.strptime(moment, "%Y/%m/%d %H:%M:%S.%f").replace(tzinfo=UTC).timestamp()
        if began <= when - DRAWING <= began + seconds:
            drawn.append(float(watts))
    return float(np.mean(drawn))


def compare_turns(cell: dict[str, object], rows: dict[tuple[int, int], int], shape: str) -> float:
    """Share of turns whose cached tokens are within 5 % of their context of what was predicted."""
    own = Cell(*(cell[name] for name in Cell._fields))  # type: ignore[arg-type]
    found, workload = replayed(own, name=shape)
    owner = np.repeat(np.arange(len(workload.first) - 1), np.diff(workload.first))
    place = np.arange(len(owner)) - workload.first[owner]
    taken = np.array([rows[int(i), int(j)] for i, j in zip(owner, place, strict=True)])
    return float(np.mean(np.abs(taken - found.cached) <= 0.05 * workload.context))


def score(committed: str = "predictions.json", rows: Path = HERE) -> None:
    """Predictions as committed against what the card did."""
    plan = json.loads((HERE / committed).read_text())
    taken = read_measured(rows)
    cached = {}
    for path in rows.glob("measured_*.jsonl"):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            cached[row["name"]] = {(int(t[0]), int(t[1])): t[4] for t in row["turns"]}
    heads = (
        "cell", "makespan predicted, measured, s", "error", "hits predicted, measured",
        "turns within 5 %", "first token, half: predicted, measured, s",
        "never / always evicted, or slow copy, s", "W",
    )  # fmt: skip
    print(f"| {' | '.join(heads)} |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for cell in (cell for cell in plan["cells"] if cell["name"] in taken):
        was, did = cell["predicted"], taken[cell["name"]]
        beside = [cell[name]["makespan_seconds"] for name in BESIDE if name in cell]
        error = was["makespan_seconds"] / did["makespan_seconds"] - 1
        apart = abs(was["hit_rate"] - did["hit_rate"])
        is_met = abs(error) <= 0.1 and apart <= 0.03
        alike = compare_turns(cell, cached[cell["name"]], plan["shape"])
        print(
            f"| {cell['name']}{'' if is_met else ' **missed**'} | {was['makespan_seconds']:.1f}, "
            f"{did['makespan_seconds']:.1f} | {error:+.1%} | {was['hit_rate']:.3f}, "
            f"{did['hit_rate']:.3f} | {alike:.1%} | "
            f"{was['first_token_p50_seconds']:.2f}, {did['first_token_p50_seconds']:.2f} | "
            f"{' / '.join(f'{seconds:.1f}' for seconds in beside)} | {did['watts']:.0f} |"
        )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw", ledger]:
            draw(Path(ledger))
        case ["predict"]:
            predict()
        case ["score"]:
            score()
        case ["offload"]:
            predict_offload()
        case ["score-offload"]:
            score("offload.json")
        case ["draw-pilot", counts]:
            draw_pilot(Path(counts))
        case ["pilot"]:
            predict_pilot()
        case ["score-pilot"]:
            score("pilot.json")
            score("pilot.json", HERE / "again")
        case ["cliff"]:
            print(*find_cliff()[1], sep="\n")
        case _:
            raise SystemExit(__doc__)
