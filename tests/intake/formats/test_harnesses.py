"""Harnesses, benchmarks and agents that keep a run in files of its own, against plain counts."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
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
    read_as,
)
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data"
CONVERSATION = "openhands/conversations/4f1d8c2e-6a3b-4d5e-9f70-b1c2d3e4f506/base_state.json"
BUNDLE = "codex_trace/trace-0b7e/trace.jsonl"


def load(path: Path) -> Any:
    return json.loads(path.read_text())


def count_swe_agent(path: Path) -> Counts:
    run = load(path)
    steps, stats = run["trajectory"], run["info"]["model_stats"]
    names = {"context": "tokens_sent", "output": "tokens_received", "usd": "instance_cost"}
    return add_up([stats], names).plus(
        responses=stats["api_calls"] - 1,
        calls=sum(bool(step["action"]) for step in steps),
        errors=sum(step["observation"].startswith("Traceback") for step in steps),
    )


def count_mini(path: Path) -> Counts:
    run = load(path)
    answers = [m["extra"] for m in run["messages"] if m["role"] == "assistant"]
    codes = [m["extra"]["returncode"] for m in run["messages"] if m["role"] == "tool"]
    names = {name: f"response.usage.{each}" for name, each in CHAT.items()}
    names |= {"cached": "response.usage.prompt_cache_hit_tokens", "usd": "cost"}
    assert run["info"]["model_stats"]["api_calls"] == len(answers)
    return add_up(answers, names).plus(calls=len(answers), errors=sum(code != 0 for code in codes))


def count_trae(path: Path) -> Counts:
    """Anthropic leaves cached tokens out of the input, Google thoughts out of the output."""
    run = load(path)
    answers = [each["response"] for each in run["llm_interactions"]]
    told = [
        m.get("tool_result") for each in run["llm_interactions"] for m in each["input_messages"]
    ]
    apart = " cache_read_input_tokens cache_creation_input_tokens"
    names = {
        "context": "input_tokens" + (apart if run["provider"] == "anthropic" else ""),
        "cached": "cache_read_input_tokens",
        "written": "cache_creation_input_tokens",
        "output": "output_tokens" + (" reasoning_tokens" if run["provider"] == "google" else ""),
        "reasoning": "reasoning_tokens",
    }
    return add_up((answer["usage"] for answer in answers), names).plus(
        calls=sum(len(answer["tool_calls"] or ()) for answer in answers),
        errors=sum(not result["success"] for result in told if result),
    )


def count_openhands(path: Path) -> Counts:
    """Responses by id: actions and observations repeat them; costs are running sums."""
    events = load(path) if path.suffix == ".json" else lines_of(path)[0]["history"]
    found = {}
    for event in events:
        if metadata := event.get("tool_call_metadata"):
            found[metadata["model_response"]["id"]] = metadata["model_response"]
    calls = [r["choices"][0]["message"]["tool_calls"] for r in found.values()]
    codes = [e["extras"]["metadata"]["exit_code"] for e in events if e.get("observation") == "run"]
    return add_up((response["usage"] for response in found.values()), CHAT).plus(
        calls=sum(map(len, calls)),
        errors=sum(code != 0 for code in codes),
        usd=max(e["llm_metrics"]["accumulated_cost"] for e in events if "llm_metrics" in e),
    )


def count_conversation(path: Path) -> Counts:
    metrics = load(path)["stats"]["usage_to_metrics"].values()
    usages = [usage for each in metrics for usage in each["token_usages"]]
    events = [load(file) for file in sorted((path.parent / "events").glob("*.json"))]
    names = CHAT | {"cached": "cache_read_tokens", "written": "cache_write_tokens"}
    names.pop("reasoning")
    return add_up(usages, names).plus(
        calls=sum(e["kind"] == "ActionEvent" for e in events),
        errors=sum(e.get("observation", {}).get("is_error", False) for e in events),
        sub_agents=1,
        usd=add_up(metrics, {"usd": "accumulated_cost"}).usd,
    )


def count_toolathlon(path: Path) -> Counts:
    run = load(path)
    stats = run["key_stats"]
    return Counts(
        responses=stats["agent_llm_requests"], context=stats["input_tokens"],
        output=stats["output_tokens"], calls=stats["tool_calls"], errors=1,
        usd=run["agent_cost"]["total_cost"],
    )  # fmt: skip


def count_mcpmark(path: Path) -> Counts:
    meta = load(path)
    messages = load(path.with_name("messages.json"))
    return Counts(
        responses=meta["turn_count"],
        context=meta["token_usage"]["input_tokens"],
        output=meta["token_usage"]["output_tokens"],
        reasoning=meta["token_usage"]["reasoning_tokens"],
        calls=sum(len(m.get("tool_calls") or ()) for m in messages),
        errors=sum(m["content"].startswith("Error") for m in messages if m["role"] == "tool"),
    )


def flat(value: Any) -> list[Any]:
    return [x for turn in value for x in turn] if isinstance(value, list) else [value]


def count_bfcl(path: Path) -> Counts:
    tasks = [t for t in lines_of(path) if not str(t["result"]).startswith("Error")]
    steps = [
        step
        for task in tasks
        for step in (
            flat(task["result"]) if isinstance(task["latency"], list) else [task["result"]]
        )
    ]
    return Counts(
        responses=len(steps),
        context=sum(sum(flat(task["input_token_count"])) for task in tasks),
        output=sum(sum(flat(task["output_token_count"])) for task in tasks),
        calls=sum(len(step) for step in steps if isinstance(step, list)),
        errors=path.read_text().count('\\"error\\"'),
    )


def count_hal(path: Path) -> Counts:
    logged = load(path)["raw_logging_results"]
    if isinstance(logged, list):
        answers = [call["output"] for call in logged if call["output"]]
        usages = [answer["usage"] for answer in answers]
    else:
        usages = [each["usage"] for task in logged.values() for each in task["call_metadata"]]
    return add_up(usages, CHAT).plus(calls=1, errors=1)


def count_toolbench(path: Path) -> Counts:
    """No tokens are reported for single responses, so none are."""
    chain = load(path)["answer_generation"]["train_messages"][-1]
    answers = [message for message in chain if message["role"] == "assistant"]
    calls = [message for message in answers if message.get("function_call")]
    errors = [m for m in chain if m["role"] == "function" and m["content"].startswith("Error")]
    return Counts(responses=len(answers), calls=len(calls), errors=len(errors))


def count_bundle(path: Path) -> Counts:
    events = [line["payload"] for line in lines_of(path)]
    ended = [e for e in events if e["type"] == "inference_completed"]
    answers = [load(path.parent / e["response_payload"]["path"]) for e in ended]
    items = [item for answer in answers for item in answer["output_items"]]
    names = {"cached": "cached_input_tokens", "reasoning": "reasoning_output_tokens"}
    return add_up((answer["token_usage"] for answer in answers), RESPONSES | names).plus(
        calls=sum(item["type"] == "function_call" for item in items),
        errors=1,
        sub_agents=1,
        retries=sum(e["type"] == "inference_failed" for e in events),
    )


def count_copilot(path: Path) -> Counts:
    """Rounds; tokens only where a request of one round reports them."""
    text = path.read_text()
    return Counts(
        responses=text.count('"id": "r1"') + text.count('"id": "r2"') + 1,
        context=700, output=5, calls=1, errors=1,
    )  # fmt: skip


CASES: list[tuple[str, str, Callable[[Path], Counts]]] = [
    ("swe_agent", "swe_agent/demo__repo-1.traj", count_swe_agent),
    ("swe_agent", "swe_agent/demo__repo-2.traj", count_swe_agent),
    ("mini_swe_agent", "mini_swe_agent/demo__repo-1/demo__repo-1.traj.json", count_mini),
    ("mini_swe_agent", "mini_swe_agent/old.traj.json", count_mini),
    ("trae_agent", "trae_agent/trajectory_20260504_100000.json", count_trae),
    ("trae_agent", "trae_agent/trajectory_20260504_110000.json", count_trae),
    ("openhands", "openhands/events.json", count_openhands),
    ("openhands", "openhands/output.jsonl", count_openhands),
    ("openhands", CONVERSATION, count_conversation),
    ("toolathlon", "toolathlon/demo-task/traj_log.json", count_toolathlon),
    ("mcpmark", "mcpmark/gpt-4o__filesystem/run-1/demo__count/meta.json", count_mcpmark),
    ("bfcl", "bfcl/result/gpt-4o-2024-11-20-FC/BFCL_v3_multi_turn_base_result.json", count_bfcl),
    ("bfcl", "bfcl/result/gpt-4o-2024-11-20-FC/BFCL_v3_simple_result.json", count_bfcl),
    ("hal", "hal/demo_UPLOAD.json", count_hal),
    ("hal", "hal/merged_UPLOAD.json", count_hal),
    ("toolbench", "toolbench/G1_answer_1_ChatGPT.json", count_toolbench),
    ("codex_trace", BUNDLE, count_bundle),
    *(("copilot_vscode", f"copilot_vscode/chatSessions/{name}", count_copilot)
      for name in ("9d3f6a1c-4b27-4e58-8f90-c1d2e3f4a5b6.json",
                   "ae4071bd-5c38-4f69-90a1-d2e3f4a5b6c7.jsonl")),
]  # fmt: skip


@pytest.mark.parametrize(("format", "name", "count"), CASES, ids=[case[1] for case in CASES])
def test_the_ledger_holds_what_a_plain_count_finds(
    format: str, name: str, count: Callable[[Path], Counts], tmp_path: Path
) -> None:
    path = DATA / name
    assert detected(path) == format
    assert ledger_counts([path], tmp_path) == count(path)


@from_set("intake/formats/harnesses", "format", "name", "outcomes")
def test_the_outcome_comes_from_where_the_harness_puts_it(
    format: str, name: str, outcomes: list[bool | None]
) -> None:
    runs, _ = read_as(format, DATA / name)
    assert [run.correct for run in runs] == outcomes


def test_a_payload_outside_the_bundle_is_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "1.json"
    secret.write_text(json.dumps({"input": "from outside"}))
    folder = copytree(DATA / "codex_trace/trace-0b7e", tmp_path / "bundle")
    (folder / "payloads/1.json").unlink()
    trace = folder / "trace.jsonl"
    trace.write_text(trace.read_text().replace("payloads/1.json", "../1.json"))
    runs, problems = read_as("codex_trace", trace)
    assert problems
    assert "from outside" not in str([run.parts for run in runs])


def test_every_sample_of_a_harness_is_counted_as_it_says(real_traces: Path, tmp_path: Path) -> None:
    trajectories = sorted((real_traces / "swe_agent").glob("*.traj"))
    stats = [load(path)["info"]["model_stats"] for path in trajectories]
    found = ledger_counts(trajectories, tmp_path / "swe")
    assert found.context == sum(each["tokens_sent"] for each in stats)
    assert found.usd == pytest.approx(sum(s["instance_cost"] for s in stats))
    mini = sorted((real_traces / "mini_swe_agent/v2").glob("*.traj.json"))
    assert ledger_counts(mini, tmp_path / "mini").usd == pytest.approx(
        sum(load(path)["info"]["model_stats"]["instance_cost"] for path in mini)
    )
    [hands] = (real_traces / "openhands/eval_output_jsonl").glob("multi*.jsonl")
    sums = [row["metrics"]["accumulated_token_usage"] for row in lines_of(hands)]
    counted = ledger_counts([hands], tmp_path / "hands")
    assert counted.context == sum(each["prompt_tokens"] for each in sums)
    assert counted.output == sum(each["completion_tokens"] for each in sums)
