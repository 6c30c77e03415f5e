"""`make demo` prints what follows from the records in `examples/five`, and nothing else."""

import json
import lzma
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.conftest import ROOT

FIVE = ROOT / "examples" / "five"
WORDS = (
    "PTE", "eta", "marginal tool utility", "DTR", "Think@n", "cost-of-pass", "CTUR", "confirmatory",
    "tool mixing", "lack of tool priors", "format collapse",
)  # fmt: skip
# As it is on a machine that has the core alone.
WITHOUT_THE_OTHERS = """
import runpy, sys
for name in ("torch", "transformers", "inspect_ai", "agentdyno_bench", "agentdyno_depth"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""
Records = Any
SLOW = pytest.mark.slow


def run_demo(folder: Path = FIVE) -> str:
    script = ROOT / "examples" / "five_papers.py"
    command = [sys.executable, "-c", WITHOUT_THE_OTHERS, script, folder]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def printed() -> str:
    return run_demo()


def row(printed: str, name: str) -> str:
    return next(line for line in printed.splitlines() if line.strip().startswith(name))


def numbers(printed: str, name: str) -> list[float]:
    """The figures of a row, without the brackets of their intervals."""
    line = re.sub(r"\[[^]]*\]", "", row(printed, name).strip().removeprefix(name))
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d*\.?\d+", line)]


def load(file: str) -> Records:
    """A log, or the lines of a file of lines."""
    text = lzma.decompress((FIVE / file).read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()] if "jsonl" in file else json.loads(text)


def test_five_blocks_fit_a_terminal_and_name_what_a_reader_of_the_papers_looks_for(
    printed: str,
) -> None:
    lines = printed.splitlines()
    assert len(lines) <= 35
    assert max(map(len, lines)) <= 80
    assert printed.count("your logs: agentdyno ") == 5
    assert [word for word in WORDS if word not in printed] == []


def test_the_records_stay_small() -> None:
    assert sum(file.stat().st_size for file in FIVE.rglob("*") if file.is_file()) <= 400_000


# A figure of each block, from the raw records -----------------------------------------------------


def test_pte_is_prefill_plus_gamma_times_context_times_decode(printed: str) -> None:
    # 30 layers of 576, 3 of 9 heads, 134.5 million parameters; an H100 has an HOI of 756.5.
    gamma = 2 * 30 * 576 * 756.5 / 134.515008e6 * 3 / 9
    costs = []
    for sample in load("mathematics/careful.json.xz")["samples"]:
        used = [e["output"]["usage"] for e in sample["events"] if e["event"] == "model"]
        turns = [(u["input_tokens"], u["output_tokens"]) for u in used]
        costs.append(sum(context + gamma * context * decode for context, decode in turns))
    assert numbers(printed, "mean PTE, thousands")[1] == round(fmean(costs) / 1000, 1)


def test_eta_is_the_share_of_useful_calls_by_trajectory(printed: str) -> None:
    signs: dict[str, list[bool]] = {}
    for verdict in load("utility/verdicts.jsonl.xz"):
        if "default" in verdict["trajectory_id"] and verdict["label"]:
            signs.setdefault(verdict["trajectory_id"], []).append(verdict["label"] == "positive")
    assert numbers(printed, "mean eta")[0] == round(fmean(map(fmean, signs.values())), 2)


def test_the_deep_thinking_ratio_is_the_share_of_deep_tokens(printed: str) -> None:
    _, *lines = load("depth/smollm2.jsonl.xz")
    ratios = [line["deep"].count("1") / len(line["deep"]) for line in lines if line["correct"]]
    assert numbers(printed, "DTR")[0] == round(fmean(ratios), 2)


def test_completion_is_completed_over_all_subtasks(printed: str) -> None:
    samples = load("planning/hasty.json.xz")["samples"]
    marks = [sample["scores"]["completion"]["metadata"] for sample in samples]
    shares = [len(mark["completed"]) / mark["subtasks"] for mark in marks]
    assert numbers(printed, "completion rate")[2] == round(100 * fmean(shares))


@pytest.mark.parametrize(
    ("column", "agent"), list(enumerate(("smollm2-agent", "careful", "hasty")))
)
def test_labels_by_the_core_are_those_that_the_benchmark_gave(
    column: int, agent: str, printed: str
) -> None:
    samples = load(f"failures/{agent}.json.xz")["samples"]
    needed = [sample for sample in samples if sample["metadata"]["kind"] == "required"]
    labels = [sample["scores"]["clean_use"]["metadata"]["label"] for sample in needed]
    for name, label in {"CTUR": "correct", "TSR": "tool_skip", "RIR": "result_ignore",
                        "OFR": "output_fabrication"}.items():  # fmt: skip
        assert numbers(printed, name)[column] == round(100 * labels.count(label) / len(labels)), (
            name
        )


# Nothing is stored --------------------------------------------------------------------------------


def _delete_call(log: Records, tool: str | None = None) -> None:
    """The first call of a log, or of a tool, as if the model had never made it."""
    calls = (
        (sample, event)
        for sample in log["samples"]
        for event in sample["events"]
        if event["event"] == "tool" and tool in (None, event["function"])
    )
    sample, call = next(calls)
    sample["events"].remove(call)
    for event in sample["events"]:
        for choice in event.get("output", {}).get("choices", ()):
            made = choice["message"].get("tool_calls") or []
            choice["message"]["tool_calls"] = [each for each in made if each["id"] != call["id"]]


def _delete_calls_of_an_attempt(log: Records) -> None:
    for _ in [event for event in log["samples"][0]["events"] if event["event"] == "tool"]:
        _delete_call(log)


def _delete_last_answer(log: Records) -> None:
    events = log["samples"][0]["events"]
    events.remove([event for event in events if event["event"] == "model"][-1])


def _delete_first_call(lines: Records) -> None:
    place = next(n for n, m in enumerate(lines[0]["messages"]) if m.get("tool_calls"))
    del lines[0]["messages"][place : place + 2]


def _cut_response(lines: Records) -> None:
    right = next(line for line in lines[1:] if line["correct"])
    right["deep"] = right["deep"][:3]


@pytest.mark.parametrize(
    ("file", "change", "name"),
    [
        ("mathematics/careful.json.xz", _delete_last_answer, "mean PTE"),
        pytest.param(
            "mathematics/hasty.json.xz",
            partial(_delete_call, tool="search"),
            "tool mixing",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "utility/default.jsonl.xz", _delete_first_call, "by tool", marks=pytest.mark.slow
        ),
        pytest.param("depth/smollm2.jsonl.xz", _cut_response, "DTR", marks=SLOW),
        pytest.param(
            "planning/careful.json.xz",
            _delete_calls_of_an_attempt,
            "tool call turns",
            marks=pytest.mark.slow,
        ),
        ("failures/careful.json.xz", _delete_call, "CTUR"),
    ],
)
def test_a_record_that_lacks_something_changes_its_line(
    file: str, change: Callable[[Records], None], name: str, tmp_path: Path, printed: str
) -> None:
    shutil.copytree(FIVE, tmp_path / "five")
    records = load(file)
    change(records)
    lines = records if isinstance(records, list) else [records]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "five" / file).write_bytes(lzma.compress(text.encode()))
    changed = run_demo(tmp_path / "five")
    assert row(changed, name) != row(printed, name)
