"""Gateways, proxies and platforms, each against a plain count of its own records."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.intake.formats.conformance import Counts, detected, ledger_counts, lines_of

DATA = Path(__file__).resolve().parents[2] / "data"
Fields = dict[str, Any]


def chat_usage(usages: list[Fields]) -> Fields:
    """Sums of counts in the shape of OpenAI's chat API, in which parts are inside."""
    return {
        "context": sum(u["prompt_tokens"] for u in usages),
        "output": sum(u["completion_tokens"] for u in usages),
        "cached": sum(u["prompt_tokens_details"]["cached_tokens"] for u in usages),
        "reasoning": sum(u["completion_tokens_details"]["reasoning_tokens"] for u in usages),
    }


def count_litellm(path: Path) -> Counts:
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            rows: list[Fields] = list(csv.DictReader(file))
    else:
        rows = lines_of(path)
    models = [row for row in rows if row["call_type"] == "acompletion"]
    good = [row for row in models if row["status"] == "success"]
    finer = [u for row in good if (u := json.loads(row["metadata"])["usage_object"])]
    known = chat_usage(finer)
    return Counts(
        responses=len(good),
        context=sum(int(row["prompt_tokens"]) for row in good),
        output=sum(int(row["completion_tokens"]) for row in good),
        cached=known["cached"],
        reasoning=known["reasoning"],
        calls=sum("tool_calls" in json.loads(row["response"])["choices"][0]["message"]
                  for row in good if row["response"] != "{}"),
        errors=1,
        retries=len(models) - len(good),
        usd=round(sum(float(row["spend"]) for row in good), 9),
    )  # fmt: skip


def count_bedrock(path: Path) -> Counts:
    rows = [row for row in lines_of(path) if "errorCode" not in row]
    fresh = sum(row["input"]["inputTokenCount"] for row in rows)
    read = sum(row["input"].get("cacheReadInputTokenCount", 0) for row in rows)
    written = sum(row["input"].get("cacheWriteInputTokenCount", 0) for row in rows)
    out = sum(row["output"]["outputTokenCount"] for row in rows)
    return Counts(
        responses=3, context=fresh + read + written, cached=read, written=written, output=out,
        calls=1, errors=1,
    )  # fmt: skip


def count_responses(path: Path) -> Counts:
    """Of a HAR file and of a plain log of the same two calls."""
    if path.suffix == ".har":
        entries = json.loads(path.read_text())["log"]["entries"]
        texts = [e["response"]["content"]["text"] for e in entries[:2]]
        last = [line[6:] for line in texts[1].splitlines() if line.startswith("data: ")][-1]
        bodies = [json.loads(texts[0]), json.loads(last)["response"]]
    else:
        bodies = [row["response"] for row in lines_of(path)]
    usages = [body["usage"] for body in bodies]
    return Counts(
        responses=len(bodies),
        context=sum(u["input_tokens"] for u in usages),
        output=sum(u["output_tokens"] for u in usages),
        cached=sum(u["input_tokens_details"]["cached_tokens"] for u in usages),
        reasoning=sum(u["output_tokens_details"]["reasoning_tokens"] for u in usages),
        calls=sum(item["type"] == "function_call" for body in bodies for item in body["output"]),
        errors=1,
    )


def count_langfuse(path: Path) -> Counts:
    """Innermost generations; parts stand beside their wholes where only that adds up."""
    rows = (
        lines_of(path) if path.suffix == ".jsonl" else json.loads(path.read_text())["observations"]
    )
    around = {
        row["parentObservationId"] for row in rows if row.get("model") and row.get("usageDetails")
    }
    calls = [r for r in rows if r.get("usageDetails") and r["id"] not in around]
    totals = [r["usageDetails"]["total"] for r in calls]
    cached = sum(r["usageDetails"].get("input_cache_read", 0) for r in calls)
    thought = sum(r["usageDetails"].get("output_reasoning", 0) for r in calls)
    output = sum(r["usageDetails"]["output"] for r in calls) + thought
    return Counts(
        responses=len(calls), context=sum(totals) - output, output=output, cached=cached,
        reasoning=thought, calls=1, errors=sum(r["level"] == "ERROR" for r in rows),
        usd=round(sum(r["costDetails"]["total"] for r in calls), 9),
    )  # fmt: skip


def count_langsmith(path: Path) -> Counts:
    runs = lines_of(path)
    calls = [run for run in runs if run["run_type"] == "llm"]
    usages = [
        run["outputs"]["generations"][0][0]["message"]["kwargs"]["usage_metadata"] for run in calls
    ]
    return Counts(
        responses=len(calls),
        context=sum(run["prompt_tokens"] for run in calls),
        output=sum(run["completion_tokens"] for run in calls),
        cached=sum(u["input_token_details"]["cache_read"] for u in usages),
        reasoning=sum(u["output_token_details"]["reasoning"] for u in usages),
        calls=sum(run["run_type"] == "tool" for run in runs),
        errors=sum(bool(run["error"]) for run in runs),
        usd=round(sum(run["total_cost"] for run in calls), 9),
    )


def count_agents_sdk(path: Path) -> Counts:
    spans = [row["span_data"] | {"error": row["error"]} for row in lines_of(path)[1:]]
    plain = [span["usage"] for span in spans if span["type"] == "generation"]
    whole = [span["response"]["usage"] for span in spans if span.get("response")]
    return Counts(
        responses=sum(span["type"] in ("generation", "response") for span in spans),
        context=sum(u["input_tokens"] for u in plain + whole),
        output=sum(u["output_tokens"] for u in plain + whole),
        cached=sum(u["input_tokens_details"]["cached_tokens"] for u in whole),
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
