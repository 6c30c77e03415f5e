"""Gateways, proxies and platforms, each against a plain count of its own records."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.intake.formats.conformance import (
    CHAT,
    RESPONSES,
    Counts,
    add_up,
    detected,
    ledger_counts,
    lines_of,
)

DATA = Path(__file__).resolve().parents[2] / "data"
Fields = dict[str, Any]


def count_litellm(path: Path) -> Counts:
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            rows: list[Fields] = list(csv.DictReader(file))
    else:
        rows = lines_of(path)
    models = [row for row in rows if row["call_type"] == "acompletion"]
    good = [row for row in models if row["status"] == "success"]
    used = add_up(good, {"context": "prompt_tokens", "output": "completion_tokens", "usd": "spend"})
    finer = add_up((json.loads(row["metadata"])["usage_object"] for row in good), CHAT)
    responses = [json.loads(row["response"]) for row in good if row["response"] != "{}"]
    return used.plus(
        cached=finer.cached,
        reasoning=finer.reasoning,
        calls=sum("tool_calls" in each["choices"][0]["message"] for each in responses),
        errors=1,
        retries=len(models) - len(good),
    )


def count_bedrock(path: Path) -> Counts:
    read, written = "input.cacheReadInputTokenCount", "input.cacheWriteInputTokenCount"
    names = {"cached": read, "written": written, "output": "output.outputTokenCount"}
    rows = [row for row in lines_of(path) if "errorCode" not in row]
    whole = {"context": f"input.inputTokenCount {read} {written}"}
    return add_up(rows, names | whole).plus(calls=1, errors=1)


def count_responses(path: Path) -> Counts:
    """Of a HAR file and of a plain log of the same two calls."""
    if path.suffix == ".har":
        entries = json.loads(path.read_text())["log"]["entries"]
        texts = [e["response"]["content"]["text"] for e in entries[:2]]
        last = [line[6:] for line in texts[1].splitlines() if line.startswith("data: ")][-1]
        bodies = [json.loads(texts[0]), json.loads(last)["response"]]
    else:
        bodies = [row["response"] for row in lines_of(path)]
    calls = sum(item["type"] == "function_call" for body in bodies for item in body["output"])
    return add_up((body["usage"] for body in bodies), RESPONSES).plus(calls=calls, errors=1)


def count_langfuse(path: Path) -> Counts:
    """Innermost generations; parts stand beside their wholes where only that adds up."""
    rows = (
        lines_of(path) if path.suffix == ".jsonl" else json.loads(path.read_text())["observations"]
    )
    around = {
        row["parentObservationId"] for row in rows if row.get("model") and row.get("usageDetails")
    }
    calls = [r for r in rows if r.get("usageDetails") and r["id"] not in around]
    used = add_up((r["usageDetails"] for r in calls), {
        "cached": "input_cache_read", "output": "output output_reasoning",
        "reasoning": "output_reasoning",
    })  # fmt: skip
    return used.plus(
        context=sum(r["usageDetails"]["total"] for r in calls) - used.output,
        calls=1,
        errors=sum(r["level"] == "ERROR" for r in rows),
        usd=add_up(calls, {"usd": "costDetails.total"}).usd,
    )


def count_langsmith(path: Path) -> Counts:
    runs = lines_of(path)
    calls = [run for run in runs if run["run_type"] == "llm"]
    names = {"context": "prompt_tokens", "output": "completion_tokens", "usd": "total_cost"}
    messages = [run["outputs"]["generations"][0][0]["message"]["kwargs"] for run in calls]
    usages = [message["usage_metadata"] for message in messages]
    return add_up(calls, names).plus(
        cached=sum(u["input_token_details"]["cache_read"] for u in usages),
        reasoning=sum(u["output_token_details"]["reasoning"] for u in usages),
        calls=sum(run["run_type"] == "tool" for run in runs),
        errors=sum(bool(run["error"]) for run in runs),
    )


def count_agents_sdk(path: Path) -> Counts:
    spans = [row["span_data"] | {"error": row["error"]} for row in lines_of(path)[1:]]
    models = [span for span in spans if span["type"] in ("generation", "response")]
    usages = [span.get("usage") or (span.get("response") or {}).get("usage") for span in models]
    return add_up(usages, RESPONSES).plus(
        calls=sum(span["type"] == "function" for span in spans),
        errors=sum(bool(span["error"]) for span in spans),
    )


CASES: list[tuple[str, str, Callable[[Path], Counts]]] = [
    ("litellm", "litellm/spend_logs.jsonl", count_litellm),
    ("litellm", "litellm/spend_logs.csv", count_litellm),
    ("bedrock", "bedrock/invocations.jsonl", count_bedrock),
    ("api_log", "api_log/responses.har", count_responses),
    ("api_log", "api_log/responses_log.jsonl", count_responses),
    ("langfuse", "langfuse/trace.json", count_langfuse),
    ("langfuse", "langfuse/observations.jsonl", count_langfuse),
    ("langsmith", "langsmith/runs.jsonl", count_langsmith),
    ("agents_sdk", "agents_sdk/trace.jsonl", count_agents_sdk),
]


@pytest.mark.parametrize(("format", "name", "count"), CASES, ids=[case[1] for case in CASES])
def test_the_ledger_holds_what_a_plain_count_finds(
    format: str, name: str, count: Callable[[Path], Counts], tmp_path: Path
) -> None:
    path = DATA / name
    assert detected(path) == format
    truth = count(path)
    assert truth.responses > 1
    assert ledger_counts([path], tmp_path) == truth


def test_every_sample_of_a_platform_is_read(real_traces: Path, tmp_path: Path) -> None:
    langfuse = sorted((real_traces / "langfuse/seeder").glob("*.json"))
    assert {detected(path) for path in langfuse} == {"langfuse"}
    # Counted by hand in the file: two requests of 163 and 663 tokens, 20 and 225 generated.
    agno = ledger_counts([real_traces / "langfuse/seeder/agno-2025-06-11.json"], tmp_path / "a")
    assert (agno.responses, agno.context, agno.output, agno.calls) == (2, 826, 245, 1)
    logs = sorted((real_traces / "openai_responses/calls_jsonl").glob("*.jsonl"))
    usages = [row["response"]["usage"] for path in logs for row in lines_of(path)]
    found = ledger_counts(logs, tmp_path / "r")
    assert found.responses == len(usages) == 16
    assert found.context == sum(usage["input_tokens"] for usage in usages)
    assert found.output == sum(usage["output_tokens"] for usage in usages)
