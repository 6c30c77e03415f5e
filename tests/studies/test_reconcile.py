"""Two totals of the same days: every difference has its cause, or is said to have none."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.other_totals import read_totals
from agentdyno.records import InputError
from agentdyno.studies.reconcile import Reconciled, Total, reconcile
from tests.pipelines.ledger_builder import LedgerRows

MODEL = "claude-sonnet-4-5"
NOON = 1_793_620_800.0  # 2026-11-02, 12:00 UTC
DAY = 86_400.0


def turn(rows: LedgerRows, name: str, place: int, **fields: Any) -> None:
    """1,000 fresh, 8,000 read, 1,000 written and 100 decoded tokens of Sonnet 4.5: $0.01065."""
    usual = {
        "model": MODEL, "response_id": f"msg_{name}{place}", "identity": f"{name}{place}",
        "context_tokens": 10_000, "cached_tokens": 8_000, "cache_write_tokens": 1_000,
        "decode_tokens": 100, "decode_source": "reported", "prefill_source": "reported",
        "usd": 0.01065, "usd_output": 0.0015, "usd_source": "list", "started_at": NOON,
    }  # fmt: skip
    rows.turn(name, place, **(usual | fields))


def ledger(folder: Path, sub_agent: dict[str, Any] | None = None, **last: Any) -> Ledger:
    """A session of four responses on two days, the last of them special, and a sub-agent's two."""
    rows = LedgerRows()
    rows.trajectory("main", format="claude_code", source="main.jsonl", turns=4)
    rows.trajectory("sub", format="claude_code", source="sub.jsonl", parent_id="main", turns=2)
    for place in range(4):
        turn(rows, "main", place, **({"started_at": NOON + DAY} if place > 1 else {}),
             **(last if place == 3 else {}))  # fmt: skip
    for place in range(2):
        turn(rows, "sub", place, **(sub_agent or {}))
    return Ledger(rows.write(folder))


FIRST, SECOND = (4_000, 32_000, 4_000, 400, 0.0426), (2_000, 16_000, 2_000, 200, 0.0213)
"""What the ledger says of each day: six responses, four of them on the first."""


def said(first: tuple[float, ...], second: tuple[float, ...] = SECOND) -> list[Total]:
    days = ("2026-11-02", first), ("2026-11-03", second)
    return [Total(day, MODEL, amounts) for day, amounts in days]


def causes(found: Reconciled) -> list[str]:
    assert found.unexplained == ()
    return [one.cause for one in found.explained]


def test_equal_totals_have_no_difference(tmp_path: Path) -> None:
    found = reconcile(ledger(tmp_path), said(FIRST))
    assert causes(found) == []
    assert found.ours == pytest.approx({
        "input": 6_000, "cache_read": 48_000, "cache_write": 6_000, "output": 600, "usd": 0.0639
    })  # fmt: skip
    unnamed = ledger(tmp_path / "unnamed", {"model": None})
    theirs = [*said(SECOND), Total("2026-11-02", "kimi-for-coding", SECOND)]
    assert causes(reconcile(unnamed, theirs)) == []
    undated = reconcile(ledger(tmp_path / "undated", {"started_at": None}), said(SECOND))
    assert (causes(undated), undated.undated) == ([], 2)


def test_sub_agents_that_are_left_out_are_named_with_their_responses(tmp_path: Path) -> None:
    found = reconcile(ledger(tmp_path), said(SECOND))
    assert causes(found) == ["claude_code: sub-agents are left out"]
    [one] = found.explained
    assert (one.responses, one.days) == (2, ("2026-11-02",))
    assert one.change["usd"] == pytest.approx(-0.0213)
    assert one.examples == ("msg_sub0 (sub.jsonl)", "msg_sub1 (sub.jsonl)")


def test_output_that_the_trace_cut_off_is_between_nothing_and_our_estimate(tmp_path: Path) -> None:
    estimated = {"decode_tokens": 1_000, "decode_source": "estimated", "usd_output": 0.015}
    own = ledger(tmp_path, **estimated, usd=0.02415)
    # 900 of our 1,000 tokens less on the second day: $15 a million.
    theirs = said(FIRST, (2_000, 16_000, 2_000, 200, 0.0213))
    [cause] = causes(reconcile(own, theirs))
    assert cause == "claude_code: output as the trace has it, which we estimate"


# What the last response is charged besides: 100,000 tokens kept for an hour ($0.225 more), three
# searches ($0.03 more), 100,000 tokens decoded at half the price ($0.75458 less).
APART: dict[str, tuple[dict[str, Any], tuple[float, ...]]] = {
    "one-hour cache writes at the price of five minutes": (
        {"context_tokens": 110_000, "cache_write_tokens": 101_000,
         "cache_write_hour_tokens": 100_000, "usd": 0.61065},
        (2_000, 16_000, 102_000, 200, 0.39630),
    ),
    "web searches at no price": ({"web_searches": 3, "usd": 0.04065}, SECOND),
    "fast mode, region or tier at the usual price": (
        {"service_tier": "batch", "decode_tokens": 100_000, "usd": 0.754575},
        (2_000, 16_000, 2_000, 100_100, 1.51980),
    ),
}  # fmt: skip


@pytest.mark.parametrize("cause", APART)
def test_what_is_charged_apart_is_told_from_another_price(tmp_path: Path, cause: str) -> None:
    special, second = APART[cause]
    found = reconcile(ledger(tmp_path, **special), said(FIRST, second))
    assert causes(found) == [f"claude_code: {cause}"]
    assert found.explained[0].responses == 1


def test_the_same_tokens_at_other_dollars_are_another_price(tmp_path: Path) -> None:
    [cause] = causes(reconcile(ledger(tmp_path), said((*FIRST[:4], 0.0852))))
    assert cause.startswith("another price for claude-sonnet-4-5: 2 times ours")


def test_days_of_another_time_zone_are_compared_in_that_zone(tmp_path: Path) -> None:
    rows = LedgerRows()
    rows.trajectory("main", format="claude_code", source="main.jsonl", turns=3)
    for place, hours in enumerate((0, 11.5, 24)):
        turn(rows, "main", place, started_at=NOON + hours * 3_600, decode_tokens=100 + place)
    # At UTC+1 the second, 23:30, is of the next day.
    one = (1_000, 8_000, 1_000, 100, 0.01065)
    two = (2_000, 16_000, 2_000, 203, 0.0213)
    found = reconcile(Ledger(rows.write(tmp_path)), said(one, two))
    assert (found.hours, causes(found)) == (1, [])


def test_what_nothing_explains_is_said_not_to_be(tmp_path: Path) -> None:
    found = reconcile(ledger(tmp_path), said((9_000, 32_000, 4_000, 777, 1.0)))
    assert [one.days for one in found.unexplained] == [("2026-11-02",)]


# What others write --------------------------------------------------------------------------------

CASES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "ccusage": (
        '{"daily":[{"period":"2026-11-02","totalCost":1,"modelBreakdowns":[{"modelName":"m",'
        '"inputTokens":1,"cacheReadTokens":2,"cacheCreationTokens":3,"outputTokens":4,"cost":5}]}],'
        '"totals":{"inputTokens":1,"totalCost":5}}',
        ("2026-11-02", "m", (1, 2, 3, 4, 5)),
    ),
    "codeburn": (
        '{"periods":[{"daily":[{"Date":"2026-11-02","Cost (USD)":5,"Input Tokens":1,'
        '"Cache Read Tokens":2,"Cache Write Tokens":3,"Output Tokens":4}],"models":[]}]}',
        ("2026-11-02", None, (1, 2, 3, 4, 5)),
    ),
    "agentsview": (
        '{"daily":[{"date":"2026-11-02","modelBreakdowns":[{"modelName":"m","inputTokens":1,'
        '"cacheReadTokens":2,"cacheCreationTokens":3,"outputTokens":4,'
        '"cost":{"microdollars":5000000}}]}]}',
        ("2026-11-02", "m", (1, 2, 3, 4, 5)),
    ),
    "Anthropic's console": (
        "usage_date_utc,model_version,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,"
        "usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens\n"
        "2026-11-02,m,1,1,2,2,4\n",
        ("2026-11-02", "m", (1, 2, 3, 4, None)),
    ),
    "Anthropic's Admin API": (
        '{"data":[{"starting_at":"2026-11-02T00:00:00Z","results":[{"model":"m",'
        '"uncached_input_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":2,'
        '"ephemeral_5m_input_tokens":1},"cache_read_input_tokens":2,"output_tokens":4}]},'
        '{"starting_at":"2026-11-03T00:00:00Z","results":[]}]}',
        ("2026-11-02", "m", (1, 2, 3, 4, None)),
    ),
    "OpenAI's usage API": (
        '{"object":"page","data":[{"object":"bucket","start_time":1793577600,"results":[{"model":"m",'
        '"input_tokens":3,"input_cached_tokens":2,"output_tokens":4}]}]}',
        ("2026-11-02", "m", (1, 2, None, 4, None)),
    ),
    "Anthropic's cost report": (
        '{"data":[{"starting_at":"2026-11-02T00:00:00Z","results":[{"model":"m","currency":"USD",'
        '"amount":"123.5","token_type":"output_tokens"}]}]}',
        ("2026-11-02", "m", (None, None, None, None, 1.235)),
    ),
    "OpenAI's costs": (
        '{"object":"page","data":[{"object":"bucket","start_time":1793577600,"results":[{"amount":'
        '{"value":0.06,"currency":"usd"},"line_item":null}]}]}',
        ("2026-11-02", None, (None, None, None, None, 0.06)),
    ),
    "OpenRouter's activity": (
        "generation_id,created_at,cost_total,tokens_prompt,tokens_cached,tokens_completion,"
        "model_permaslug\nx,2026-11-02 10:00:00.0,5,3,2,4,openai/m\n",
        ("2026-11-02", "openai/m", (1, 2, None, 4, 5)),
    ),
}


@pytest.mark.parametrize("whose", CASES)
def test_what_others_write_is_read(whose: str) -> None:
    text, (day, model, amounts) = CASES[whose]
    rows, bad = read_totals("file", text.encode())
    assert (rows, bad) == ([Total(day, model, amounts)], {})


def test_amounts_in_another_currency_are_no_dollars() -> None:
    two = json.loads(CASES["OpenAI's costs"][0])
    euros = {"amount": {"value": 1, "currency": "eur"}}
    two["data"].append({"start_time": 1793664000, "results": [euros]})
    rows, bad = read_totals("file", json.dumps(two).encode())
    assert [row.amounts[-1] for row in rows] == [0.06]
    assert bad == {"row 2": "expected dollars, found 'eur'"}


def test_a_bad_row_is_named_and_costs_no_other() -> None:
    text = "date,inputTokens,cost\n2026-11-02,5,1\nyesterday,5,1\n2026-11-03,-5,1\n"
    rows, bad = read_totals("file.csv", text.encode())
    assert ([row.day for row in rows], [*bad]) == (["2026-11-02"], ["row 2", "row 3"])


@pytest.mark.parametrize("data", [b"", b"{}", b"[1,2]", b"\xff\xfe", b"{" * 9_999, b"a,b\n1,2\n"])
def test_a_file_without_totals_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(InputError, match="expected"):
        read_totals("file", data)


def test_a_response_is_not_counted_on_a_day_of_which_nobody_knows(tmp_path: Path) -> None:
    """Once a response that they left out passed for one of midnight, counted on an empty day."""
    rows = LedgerRows()
    rows.trajectory("main", format="claude_code", source="main.jsonl", turns=3)
    near = {"started_at": NOON - DAY / 2 + 60}
    for place, times in enumerate(({"started_at": NOON - 2 * DAY}, near, {})):
        turn(rows, "main", place, **times)
    one = FIRST[0] / 4, FIRST[1] / 4, FIRST[2] / 4, 100.0, 0.01065
    found = reconcile(Ledger(rows.write(tmp_path)), [
        Total("2026-10-31", None, one), Total("2026-11-02", None, one)
    ])  # fmt: skip
    assert causes(found)[0].startswith("not counted: msg_main")


def test_a_response_around_midnight_may_count_on_the_other_day(tmp_path: Path) -> None:
    late = {"started_at": NOON + DAY / 2 - 9, "ended_at": NOON + DAY / 2 + 4}
    rows = LedgerRows()
    rows.trajectory("main", format="claude_code", source="main.jsonl", turns=4)
    stays = {"started_at": NOON + DAY / 2 - 60}
    for place, times in enumerate(({}, late, {"started_at": NOON + DAY}, stays)):
        turn(rows, "main", place, **times)
    one = FIRST[0] // 4, FIRST[1] // 4, FIRST[2] // 4, 100, 0.01065
    theirs = tuple(2 * each for each in one)
    found = reconcile(Ledger(rows.write(tmp_path)), said(theirs, theirs))
    assert causes(found) == ["counted on the day after: msg_main1, turn 1 of main"]
    [cause] = found.explained
    assert (cause.responses, cause.days) == (1, ("2026-11-02", "2026-11-03"))
    assert cause.change["cache_read"] == one[1]
