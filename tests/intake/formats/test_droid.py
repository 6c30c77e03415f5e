"""Droid: sessions whose totals stand beside them, against plain sums."""

import json
from pathlib import Path

from tests.intake.formats.conformance import Counts, detected, ledger_counts, lines_of

DATA = Path(__file__).resolve().parents[2] / "data" / "droid"
SESSION = DATA / "0b6c1d2e-3f4a-4b5c-8d6e-7f8091a2b3c4.jsonl"
SUB_AGENT = DATA / "1c7d2e3f-4a5b-4c6d-9e7f-8091a2b3c4d5.jsonl"


def count(paths: list[Path], sub_agents: int = 0) -> Counts:
    """Answers that follow each other are one; tokens are those of the settings."""
    responses, blocks, usage = 0, [], []
    for path in paths:
        before = None
        for line in (line for line in lines_of(path) if line["type"] == "message"):
            role = line["message"]["role"]
            responses += role == "assistant" and before != "assistant"
            before = role
            blocks += line["message"]["content"]
        beside = path.with_suffix(".settings.json")
        usage += [json.loads(beside.read_text())["tokenUsage"]] if beside.exists() else []

    def total(*names: str) -> int:
        return sum(each.get(name, 0) for each in usage for name in names)

    return Counts(
        responses=responses,
        context=total("inputTokens", "cacheReadTokens", "cacheCreationTokens"),
        cached=total("cacheReadTokens"),
        written=total("cacheCreationTokens"),
        output=total("outputTokens"),
        reasoning=total("thinkingTokens"),
        calls=sum(block["type"] == "tool_use" for block in blocks),
        errors=sum(bool(block.get("is_error")) for block in blocks),
        sub_agents=sub_agents,
    )


def test_totals_of_the_settings_are_those_of_the_ledger(tmp_path: Path) -> None:
    truth = count([SESSION, SUB_AGENT], sub_agents=1)
    assert truth.responses == 6
    assert ledger_counts([DATA], tmp_path) == truth


def test_the_sample_is_counted_as_it_is(real_traces: Path, tmp_path: Path) -> None:
    paths = sorted((real_traces / "droid").glob("*.jsonl"))
    assert {detected(path) for path in paths} == {"droid"}
    assert ledger_counts(paths, tmp_path) == count(paths)
