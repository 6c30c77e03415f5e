"""Telemetry of coding agents and other shapes of spans, against plain sums over their records."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.otel_genai.batches import close_trace, decode_batch
from agentdyno.intake.spans.span import Span
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import Counts, context, ledger_counts, read_as
from tests.ledger.traces import glob

DATA = Path(__file__).resolve().parents[2] / "data" / "otel_genai"
CLAUDE_LOGS, CLAUDE_SPANS = DATA / "claude_code_logs.jsonl", DATA / "claude_code_spans.json"
CODEX, GEMINI = DATA / "codex_logs.jsonl", DATA / "gemini_outfile.log"
PHOENIX, TRAIL, MLFLOW = (
    DATA / "phoenix_rows.jsonl",
    DATA / "trail_nested.json",
    DATA / "mlflow.json",
)


def plain(attributes: Any) -> dict[str, str]:
    """OTLP's attributes as texts."""
    if isinstance(attributes, dict):
        return {k: str(v) for k, v in attributes.items()}
    return {each["key"]: str(next(iter(each["value"].values()))) for each in attributes}


def log_records(path: Path) -> list[dict[str, str]]:
    if path == GEMINI:
        printed = path.read_text().replace("\n}\n{", "\n}\0{").split("\0")
        return [plain(json.loads(one)["attributes"]) for one in printed]
    found = []
    for line in path.read_text().splitlines():
        for resource in json.loads(line)["resourceLogs"]:
            for scope in resource["scopeLogs"]:
                found += [plain(record["attributes"]) for record in scope["logRecords"]]
    return found


def total(records: list[dict[str, str]], *names: str) -> int:
    return sum(int(record.get(name, 0)) for record in records for name in names)


def test_claude_code_counts_its_cache_beside_the_input(tmp_path: Path) -> None:
    records = log_records(CLAUDE_LOGS)
    calls = [record for record in records if record["event.name"] == "api_request"]
    tools = [record for record in records if record["event.name"] == "tool_result"]
    truth = Counts(
        responses=len(calls),
        context=total(calls, "input_tokens", "cache_read_tokens", "cache_creation_tokens"),
        cached=total(calls, "cache_read_tokens"),
        written=total(calls, "cache_creation_tokens"),
        output=total(calls, "output_tokens"),
        calls=len(tools),
        errors=sum(record["success"] == "false" for record in tools),
        sub_agents=1,  # The title, which the program asks for itself.
        retries=sum(record["event.name"] == "api_error" for record in records),
        usd=round(sum(float(record["cost_usd"]) for record in calls), 9),
    )
    assert (truth.responses, truth.usd) == (3, 0.1536)
    assert ledger_counts([CLAUDE_LOGS], tmp_path) == truth


def test_spans_and_events_of_one_session_are_one_total(tmp_path: Path) -> None:
    apart = ledger_counts([CLAUDE_LOGS], tmp_path / "logs")
    both = tmp_path / "both"
    both.mkdir()
    spans = json.dumps(json.loads(CLAUDE_SPANS.read_text()))
    (both / "both.jsonl").write_text(spans + "\n" + CLAUDE_LOGS.read_text())
    assert ledger_counts([both], tmp_path / "one") == apart
    [main, _], _ = read_as("otel_genai", both / "both.jsonl")
    assert [turn.first_token_seconds for turn in main.turns] == [1.4, 0.9]


@pytest.mark.parametrize(("path", "cached", "reasoning"), [
    (CODEX, "cached_token_count", "reasoning_token_count"),
    (GEMINI, "cached_content_token_count", "thoughts_token_count"),
])  # fmt: skip
def test_codex_and_gemini_count_their_cache_inside(
    path: Path, cached: str, reasoning: str, tmp_path: Path
) -> None:
    records = log_records(path)
    calls = [record for record in records if "input_token_count" in record]
    tools = [r for r in records if r["event.name"].endswith(("tool_result", "tool_call"))]
    thoughts = total(calls, reasoning)
    truth = Counts(
        responses=len(calls),
        context=total(calls, "input_token_count"),
        cached=total(calls, cached),
        # Gemini's thoughts are beside the answer, and the total says so; Codex's are inside.
        output=total(calls, "output_token_count") + (thoughts if path == GEMINI else 0),
        reasoning=thoughts,
        calls=len(tools),
    )
    assert truth.responses == 2
    assert ledger_counts([path], tmp_path) == truth
    [run], _ = read_as("otel_genai", path)
    assert run.parts[0].text in {record.get("prompt") for record in records}


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


@pytest.mark.parametrize("path", [PHOENIX, TRAIL])
def test_openinference_counts_alike_in_rows_and_nested(path: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in PHOENIX.read_text().splitlines()]
    calls = [row for row in rows if row["attributes.openinference.span.kind"] == "LLM"]
    truth = Counts(
        responses=len(calls),
        context=sum(row["attributes.llm.token_count.prompt"] for row in calls),
        cached=128,
        output=sum(row["attributes.llm.token_count.completion"] for row in calls),
        calls=1,
        errors=sum(row["status_code"] == "ERROR" for row in rows),
    )
    assert ledger_counts([path], tmp_path) == truth


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
        for found in decode_batch(json.loads(line)):
            assert isinstance(found, Span)
            spans.setdefault(found.trace, []).append(found)
    [(trace, mine)] = spans.items()
    source = Source(CLAUDE_LOGS, CLAUDE_LOGS.name)
    runs = [r for r in close_trace(mine, [], trace, source) if isinstance(r, Trajectory)]
    expected, _ = read_as("otel_genai", CLAUDE_LOGS)
    assert [run.turns[0] for run in runs] == [run.turns[0] for run in expected]
