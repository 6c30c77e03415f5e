"""Qwen Code: telemetry, rewinds, branches and sub-agents, against a plain count."""

import re
from pathlib import Path
from typing import Any

from tests.intake.formats.conformance import Counts, json_lines, ledger_counts

DATA = Path(__file__).resolve().parents[2] / "data" / "qwen_code"
BRANCH, SESSION = sorted((DATA / "chats").glob("*.jsonl"))
[AGENT] = (DATA / "subagents").rglob("*.jsonl")
FILES = [SESSION, BRANCH, AGENT]


def plain_count(paths: list[Path]) -> Counts:
    """A count that knows nothing of branches: responses once by the ids of their records, and
    what telemetry measured beyond them."""
    tally, seen, records = Counts(), set[Any](), []
    for path in paths:
        lines = [line for line in json_lines(path) if line.get("uuid") not in seen]
        seen |= {line["uuid"] for line in lines if re.fullmatch(r"[\da-f-]{36}", line["uuid"])}
        records += lines
        tally = tally.plus(sub_agents=int(any(line.get("isSidechain") for line in lines)))
    counted = []
    for line in records:
        parts = (line.get("message") or {}).get("parts", [])
        tally = tally.plus(calls=sum("functionCall" in part for part in parts))
        usage = line.get("usageMetadata")
        if line["type"] == "assistant" and (usage or not line.get("isSidechain")):
            tally = tally.plus(responses=1)
        if usage:
            counted.append((usage["promptTokenCount"], usage["candidatesTokenCount"]))
            tally = _add(tally, *(usage.get(name, 0) for name in _USAGE))
        for part in parts:
            answer = (part.get("functionResponse") or {}).get("response", {})
            failed = "error" in answer or "Exit Code: 1" in str(answer.get("output"))
            tally = tally.plus(errors=int(failed))
    for line in records:
        event = (line.get("systemPayload") or {}).get("uiEvent", {})
        key = (event.get("input_token_count"), event.get("output_token_count"))
        if event.get("event.name") == "qwen-code.api_response" and key not in counted:
            tally = _add(tally.plus(responses=1), *(event[name] for name in _EVENT))
    return tally


_USAGE = (
    "promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount", "thoughtsTokenCount",
    "totalTokenCount",
)  # fmt: skip
_EVENT = (
    "input_token_count", "output_token_count", "cached_content_token_count",
    "thoughts_token_count", "total_token_count",
)  # fmt: skip


def _add(tally: Counts, into: int, out: int, cached: int, thoughts: int, total: int) -> Counts:
    # Thoughts stand beside the answer where the total says so.
    return tally.plus(context=into, cached=cached, output=total - into, reasoning=thoughts)


def test_the_ledger_equals_a_plain_count(tmp_path: Path) -> None:
    found = ledger_counts([DATA], tmp_path)
    assert found == plain_count(FILES)
    # By hand: 15,000 + 15,300 + 15,400 (taken back, but paid) + 15,450 + 15,600 + 15,700 (the
    # compression) + 9,000, the sub-agent's 4,000 + 4,100 once, the branch's 15,500.
    assert (found.responses, found.context, found.calls) == (10, 125_050, 5)
    assert (found.output, found.errors, found.sub_agents) == (305, 2, 1)


def test_samples_equal_a_plain_count(real_traces: Path, tmp_path: Path) -> None:
    files = sorted((real_traces / "qwen_code").glob("*.jsonl"))
    found = ledger_counts([real_traces / "qwen_code"], tmp_path)
    assert found == plain_count(files)
    # By hand: 37,412 and 100 tokens of input; thoughts inside the answer, then beside it.
    assert (found.responses, found.context, found.output) == (5, 37_512, 377 + 25)
