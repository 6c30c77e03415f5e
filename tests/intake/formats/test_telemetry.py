"""Telemetry of coding agents and other shapes of spans."""

import json
from pathlib import Path

import pytest

from agentdyno.intake.formats.otel_genai.batches import close_trace, decode_bytes
from agentdyno.intake.source import Source
from agentdyno.intake.spans.span import Span
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import context, ledger_counts, read_as
from tests.ledger.traces import glob

DATA = Path(__file__).resolve().parents[2] / "data" / "otel_genai"
CLAUDE_LOGS, CLAUDE_SPANS = DATA / "claude_code_logs.jsonl", DATA / "claude_code_spans.json"
MLFLOW = DATA / "mlflow.json"


def test_spans_and_events_of_one_session_are_one_total(tmp_path: Path) -> None:
    apart = ledger_counts([CLAUDE_LOGS], tmp_path / "logs")
    both = tmp_path / "both"
    both.mkdir()
    spans = json.dumps(json.loads(CLAUDE_SPANS.read_text()))
    (both / "both.jsonl").write_text(spans + "\n" + CLAUDE_LOGS.read_text())
    assert ledger_counts([both], tmp_path / "one") == apart
    [main, _], _ = read_as("otel_genai", both / "both.jsonl")
    assert [turn.first_token_seconds for turn in main.turns] == [1.4, 0.9]


@pytest.mark.daily
def test_codex_is_counted_once_in_its_sessions_and_its_telemetry(tmp_path: Path) -> None:
    [rollout, *_] = sorted((DATA.parent / "codex").glob("rollout-*.jsonl"))
    lines = [json.loads(line) for line in rollout.read_text().splitlines()]
    session = next(line["payload"]["id"] for line in lines if line["type"] == "session_meta")
    infos = [(line["payload"].get("info") or {}) for line in lines]
    used = {str(each["total_token_usage"]): each["last_token_usage"] for each in infos if each}
    assert len(used) > 2
    records = [
        {"observedTimeUnixNano": f"17700000{number:02}000000000", "attributes": [
            {"key": key, "value": {"stringValue": str(value)}} for key, value in {
                "event.name": "codex.sse_event", "event.kind": "response.completed",
                "conversation.id": session, "input_token_count": usage["input_tokens"],
                "cached_token_count": usage["cached_input_tokens"], "ttft_ms": 700 + number,
                "output_token_count": usage["output_tokens"],
            }.items()]}
        for number, usage in enumerate(used.values())
    ]  # fmt: skip
    sent = tmp_path / "both" / "telemetry.jsonl"
    sent.parent.mkdir()
    sent.write_text(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}))
    apart = ledger_counts([rollout], tmp_path / "apart")
    assert ledger_counts([sent], tmp_path / "sent").responses == len(used)
    assert ledger_counts([rollout, sent], tmp_path / "together") == apart
    assert glob(tmp_path / "together" / "ledger", "turns")["first_token_seconds"].count() > 2


def test_mlflow_keeps_a_call_as_its_request_and_response(tmp_path: Path) -> None:
    spans = json.loads(MLFLOW.read_text())["data"]["spans"]
    calls = [s for s in spans if "CHAT_MODEL" in s["attributes"]["mlflow.spanType"]]
    usage = [json.loads(s["attributes"]["mlflow.chat.tokenUsage"]) for s in calls]
    found = ledger_counts([MLFLOW], tmp_path)
    assert (found.responses, found.calls) == (2, 1)
    assert found.context == sum(each["input_tokens"] for each in usage)
    assert found.output == sum(each["output_tokens"] for each in usage)
    [run], _ = read_as("otel_genai", MLFLOW)
    assert context(run, 1)[1:] == ["2+2?", 'add {"a":2,"b":2}', "4"]


def test_a_receiver_s_batch_gives_the_same_trajectories() -> None:
    spans: dict[str, list[Span]] = {}
    for line in CLAUDE_LOGS.read_text().splitlines():
        for found in decode_bytes(line.encode()):
            assert isinstance(found, Span)
            spans.setdefault(found.trace, []).append(found)
    [(trace, mine)] = spans.items()
    source = Source(CLAUDE_LOGS, CLAUDE_LOGS.name)
    runs = [r for r in close_trace(mine, [], trace, source) if isinstance(r, Trajectory)]
    expected, _ = read_as("otel_genai", CLAUDE_LOGS)
    assert [run.turns[0] for run in runs] == [run.turns[0] for run in expected]
