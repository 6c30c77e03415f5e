"""Makes the records of `examples/five` from runs, without what nobody measures.

    python tools/make_five.py RUNS                   RUNS as `examples/five/README.md` makes them
    python tools/make_five.py --texts TEXTS          the prompts for `agentdyno depth --texts`

Logs lose what repeats: progress of the runner, states and stores between events, ids of spans, the
summaries beside the samples. They stay logs of Inspect, one JSON file each, compressed: every log
is read before and after, and both must give the same turns, calls and texts.
"""

import json
import lzma
import sys
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.intake.format import choose_format, load_formats
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.records import Trajectory

FIVE = Path(__file__).parents[1] / "examples" / "five"
AGENTS = ("smollm2-agent", "careful", "hasty")
BENCHMARKS = {"planning": "tps", "failures": "toolfail", "mathematics": "tir"}
SUITES = ("default", "lean")
PROBLEMS, SAMPLES = 8, 8
EVENTS = ("model", "tool")
"""Events that are measured; `sample_init` stays for Inspect's own view."""
OF_SAMPLE = (
    "id", "epoch", "input", "target", "messages", "output", "scores", "metadata", "events",
    "model_usage", "uuid", "attachments", "events_data", "error",
)  # fmt: skip
OF_HEADER = ("version", "status", "eval", "plan", "stats", "metadata")


def main(runs: Path) -> None:
    for folder, benchmark in BENCHMARKS.items():
        for agent in AGENTS:
            logs = sorted((runs / agent / benchmark / "logs").rglob("*.eval"))
            pack_logs(logs, FIVE / folder / f"{agent}.json.xz")
    for suite in SUITES:
        pack_suite(runs / "facts" / "logs" / "facts" / f"{suite}.jsonl")
    write_verdicts(runs / "facts" / "ledger", FIVE / "utility" / "verdicts.jsonl.xz")
    pack_depth(runs / "depth.jsonl", FIVE / "depth" / "smollm2.jsonl.xz")
    total = sum(file.stat().st_size for file in FIVE.rglob("*") if file.is_file())
    print(f"{FIVE}: {total:,} bytes")


# Prompts for `agentdyno depth` --------------------------------------------------------------------


def write_texts(target: Path) -> None:
    """Prompts of problems in arithmetic, each several times under a name of its own."""
    from agentdyno_depth.think.problems import BUILTIN_EXAMPLES, arithmetic
    from agentdyno_depth.think.prompts import prompt_turns

    lines = [
        {
            "id": f"{problem.problem_id}/{number}",
            "problem": problem.problem_id,
            "prompt": prompt_turns(problem, BUILTIN_EXAMPLES),
        }
        for problem in arithmetic(PROBLEMS)
        for number in range(SAMPLES)
    ]
    target.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


# Inspect logs -------------------------------------------------------------------------------------


def pack_logs(logs: list[Path], target: Path) -> None:
    """The logs of one run: several where it was interrupted and went on."""
    packed: dict[str, Any] = {}
    for log in logs:
        with log.open("rb") as file:
            archive = Archive(Source(log, log.name), file)
            members = {name: json.loads(archive.read(name)) for name in archive.members}
        header = members.get("header.json") or members["_journal/start.json"]
        packed = {key: header[key] for key in OF_HEADER if key in header} | packed
        names = sorted(name for name in members if name.startswith("samples/"))
        packed.setdefault("samples", []).extend(_strip(members[name]) for name in names)
    packed["status"] = "success"
    packed["eval"].pop("revision", None)
    write(target, json.dumps(packed, separators=(",", ":"), ensure_ascii=False))
    _require_same(logs, target)


def _strip(sample: dict[str, Any]) -> dict[str, Any]:
    sample = {key: value for key, value in sample.items() if key in OF_SAMPLE}
    sample["events"] = [_strip_event(e) for e in sample["events"] if e["event"] in EVENTS]
    used = json.dumps({**sample, "attachments": {}})
    sample["attachments"] = {k: v for k, v in sample["attachments"].items() if k in used}
    return sample


def _strip_event(event: dict[str, Any]) -> dict[str, Any]:
    """Without what Inspect fills in when it is not there."""
    left_out = {"working_start", "cache", "retries", "span_id", "pending", "uuid"}
    event = {key: value for key, value in event.items() if key not in left_out}
    if event.get("call"):
        event["call"] = {"request": {}, "response": event["call"].get("response")}
    return event


def _require_same(logs: list[Path], packed: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / packed.stem
        unpacked.write_bytes(lzma.decompress(packed.read_bytes()))
        before = {t.session_id: _content(t) for log in logs for t in _read(log)}
        after = {t.session_id: _content(t) for t in _read(unpacked)}
    if before != after:
        raise SystemExit(f"{packed}: reads otherwise than {', '.join(map(str, logs))}")


def _content(trajectory: Trajectory) -> Any:
    named = structs.asdict(trajectory)
    times = {"source", "trajectory_id", "parts", "turns", "calls"}
    return (
        {key: value for key, value in named.items() if key not in times},
        list(trajectory.parts),
        list(trajectory.turns),
        list(trajectory.calls),
    )


def _read(path: Path) -> list[Trajectory]:
    format = choose_format(Head(path), load_formats())
    assert format is not None, path
    return [t for t in format.read(Source(path, path.name)) if isinstance(t, Trajectory)]


# Utility ------------------------------------------------------------------------------------------


def pack_suite(file: Path) -> None:
    """Chat logs without the tools' schemas, which are the same in every line."""
    target = FIVE / "utility" / f"{file.name}.xz"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for line in lines:
        del line["tools"]
    _write_lines(target, lines)


def write_verdicts(ledger: Path, target: Path) -> None:
    """What rollouts came to, a line for each call, as `agentdyno judge --import` takes verdicts."""
    rows = pl.concat([pl.read_parquet(file) for file in (ledger / "rollouts").glob("*.parquet")])
    rows = rows.sort("trajectory_id", "turn", "call")
    lines = [
        {
            # As `agentdyno measure examples/five` names it.
            "trajectory_id": f"five/utility/{rename(row['trajectory_id'])}",
            "turn": row["turn"],
            "call": row["call"],
            "label": row["label"],
            "solved_before": row["before_solved"],
            "solved_after": row["after_solved"],
            "continuations": row["continuations"],
        }
        for row in rows.iter_rows(named=True)
    ]
    _write_lines(target, lines)


def rename(trajectory_id: str) -> str:
    """`logs/facts/lean.jsonl#3` -> `lean.jsonl.xz#3`."""
    file, _, place = trajectory_id.rpartition("/")[2].partition("#")
    return f"{file}.xz#{place}"


# Depth --------------------------------------------------------------------------------------------


def pack_depth(file: Path, target: Path) -> None:
    """What `depth --record` wrote, without prompts and what follows from the rest; with the answer
    that each response comes to."""
    from agentdyno_depth.studies.thinking.answers import extract, is_correct
    from agentdyno_depth.think.problems import arithmetic

    problems = {problem.problem_id: problem for problem in arithmetic(PROBLEMS)}
    head, *lines = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    for line in lines:
        problem, found = problems[line["problem"]], line["found"]
        line["answer"] = extract(problem, found["response"], found["ended"])
        line["correct"] = line["answer"] is not None and is_correct(problem, line["answer"])
        line["deep"] = found["deep"]
    kept = ("id", "problem", "answer", "correct", "deep")
    _write_lines(target, [head, *({key: line[key] for key in kept} for line in lines)])


def _write_lines(target: Path, lines: list[Any]) -> None:
    write(target, "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(lzma.compress(text.encode(), preset=9))


if __name__ == "__main__":
    if sys.argv[1] == "--texts":
        write_texts(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
