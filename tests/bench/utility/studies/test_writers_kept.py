"""Advice never drops a tool that may write, and every tool may that is not proven to read."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.matching.logical_tools import LogicalTools, Rule, choose_rules
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno_bench.utility.findings.results import Advice
from agentdyno_bench.utility.studies import report_utility
from tests.bench.shared.judging.worlds import USELESS, ScriptedAsk, judge_utility
from tests.labelled import from_set

ATTEMPTS = 14
"""Enough to be sure of every one of 32 tools together (Holm)."""
Call = tuple[str, dict[str, Any]]


def useless_calls(folder: Path, calls: list[Call], hints: dict[str, Any] | None = None) -> Path:
    """A ledger in which every attempt makes these calls, and none of them ever helps."""
    traces = folder / "traces"
    traces.mkdir(parents=True)
    for attempt in range(ATTEMPTS):
        record = _record(attempt, calls, hints or {})
        (traces / f"{attempt}.json").write_text(json.dumps(record))
    ledger = folder / "ledger"
    measure([traces], ledger, MeasureOptions(workers=1, costs_only=True))
    judge_utility(ledger, [ScriptedAsk(lambda _: USELESS)])
    return ledger


def _record(attempt: int, calls: list[Call], hints: dict[str, Any]) -> dict[str, Any]:
    names = dict.fromkeys(name for name, _ in calls)
    annotated = {name: {"annotations": hints[name]} if name in hints else {} for name in names}
    tools = [
        {"type": "function", "function": {"name": name, "parameters": {}, **annotated[name]}}
        for name in names
    ]
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"task {attempt}"}]
    for place, (name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"c{place}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{place}", "content": f"{name} done"})
    messages.append({"role": "assistant", "content": "finished"})
    return {"model": "gpt-4o", "tools": tools, "messages": messages}


def advice(ledger: Path, rules: LogicalTools | None = None) -> dict[str, Advice]:
    return {one.tool: one for one in report_utility(ReadableLedger(ledger), rules).advice}


WRITERS = """
wait_and_delete find_and_kill_process redeem_check mark_as_read get_and_increment fetch_and_archive
check_in check_out list_on_market read_and_acknowledge pop_queue poll_and_ack view_once
get_or_create get_lock search_replace status count_down verify_payment load_extension show_door
query_and_email track_package_pickup download estimate_and_book think browse translate get_weather
consume_message next_id find
"""


@pytest.fixture(scope="module")
def by_names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Advice]:
    calls: list[Call] = [(name, {"id": 1}) for name in WRITERS.split()]
    return advice(useless_calls(tmp_path_factory.mktemp("names"), calls))


@pytest.mark.parametrize("name", WRITERS.split())
def test_no_tool_is_dropped_for_its_name(by_names: dict[str, Advice], name: str) -> None:
    assert by_names[name].action == "watch"
    assert by_names[name].may_write
    assert "may write" in by_names[name].reason


@from_set("bench/utility/studies/writers_kept", "tool", "arguments")
def test_arguments_that_may_write_keep_a_tool(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    assert advice(useless_calls(tmp_path, [(tool, arguments)]))[tool].action == "watch"


def test_one_writing_call_keeps_a_tool_that_else_reads(tmp_path: Path) -> None:
    reading, writing = {"query": "SELECT a FROM t"}, {"query": "DELETE FROM t"}
    assert advice(useless_calls(tmp_path / "a", [("run_sql", reading)]))["run_sql"].action == "drop"
    both = useless_calls(tmp_path / "b", [("run_sql", reading), ("run_sql", writing)])
    assert advice(both)["run_sql"].action == "watch"


def test_programs_that_only_read_are_dropped_and_others_not(tmp_path: Path) -> None:
    lines = ["rg TODO src", "git log --oneline", "curl https://x.example", "sort -o a a"]
    found = advice(useless_calls(tmp_path, [("bash", {"command": line}) for line in lines]))
    actions = {tool: one.action for tool, one in found.items()}
    assert actions == {"rg": "drop", "git log": "drop", "curl": "watch", "sort": "watch"}


@from_set("bench/utility/studies/writers_kept", "hint", "action")
def test_only_a_read_only_hint_of_the_tool_itself_counts(
    tmp_path: Path, hint: dict[str, Any], action: str
) -> None:
    ledger = useless_calls(tmp_path, [("get_rumours", {})], {"get_rumours": hint})
    assert advice(ledger)["get_rumours"].action == action


def test_what_was_run_counts_more_than_a_hint(tmp_path: Path) -> None:
    calls: list[Call] = [("run_sql", {"query": "DELETE FROM t"})]
    ledger = useless_calls(tmp_path, calls, {"run_sql": {"readOnlyHint": True}})
    assert advice(ledger)["run_sql"].action == "watch"


def test_a_users_word_lets_a_tool_be_dropped(tmp_path: Path) -> None:
    ledger = useless_calls(tmp_path, [("get_rumours", {}), ("get_mail", {}), ("redeem_check", {})])
    found = advice(ledger, choose_rules(None, ["get_*"]))
    assert {tool: one.action for tool, one in found.items()} == {
        "get_rumours": "drop", "get_mail": "drop", "redeem_check": "watch"
    }  # fmt: skip
    writes = LogicalTools(tool=(Rule("get_mail", "get_mail", effect="writes"),), reads_only=("*",))
    assert advice(ledger, writes)["get_mail"].action == "watch"


def test_a_report_takes_the_users_word_too(tmp_path: Path) -> None:
    ledger = useless_calls(tmp_path, [("get_rumours", {})])
    before, after = (
        build_report(ledger, ("utility",), rules=choose_rules(None, said)).topics[0].lead
        for said in ([], ["get_rumours"])
    )
    assert "Advice: drop" not in before
    assert "did not help either, but may write: get_rumours" in before
    assert "Advice: drop get_rumours" in after


def test_calls_that_cannot_be_read_keep_a_tool(tmp_path: Path) -> None:
    ledger = useless_calls(tmp_path, [("run_sql", {"query": "SELECT a FROM t"})])
    (tmp_path / "traces" / "0.json").unlink()
    assert advice(ledger)["run_sql"].action == "watch"
