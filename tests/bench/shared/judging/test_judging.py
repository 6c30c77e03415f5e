"""Judging a ledger: who is asked what, for how much, and what is recorded."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records import InputError
from agentdyno_bench.shared.judges.asking import Answer, Message
from agentdyno_bench.shared.judges.forms import Form
from agentdyno_bench.shared.judges.journal import Journal
from agentdyno_bench.shared.judges.questions import AskOptions
from agentdyno_bench.shared.judging import ANSWERS, JudgeOptions
from agentdyno_bench.shared.judging.importing import import_verdicts
from agentdyno_bench.shared.reports.judging_remarks import remarks
from agentdyno_bench.shared.verdicts.expected_cost import Estimated
from agentdyno_bench.shared.verdicts.options import Check
from tests.bench.shared.judging.worlds import (
    USEFUL,
    USELESS,
    ScriptedAsk,
    facts_ledger,
    judge_utility,
)
from tests.ledger.traces import copy_ledger

FAST = AskOptions(first_pause_seconds=0.0)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return facts_ledger(tmp_path_factory.mktemp("facts"), tasks=3)


@pytest.fixture
def ledger(measured: Path, tmp_path: Path) -> Path:
    return copy_ledger(measured, tmp_path / "ledger")


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """0.001 USD for a token of the scripted judge."""
    path = tmp_path / "prices.toml"
    path.write_text('["scripted"]\ninput = 0.0\noutput = 1000.0\nas_of = 2026-01-01\n')
    return path


def calls_of(ledger: Path) -> int:
    return len(Ledger(ledger).read("calls"))


def test_every_call_gets_a_verdict_with_its_reason(ledger: Path) -> None:
    judged = judge_utility(ledger, [ScriptedAsk()])
    rows = Ledger(ledger).read("verdicts")
    assert judged.verdicts == judged.added == len(rows) == calls_of(ledger)
    assert (set(rows["label"]), set(rows["kind"])) == ({"positive", "non_positive"}, {"utility"})
    assert set(rows["rationale"]) == {"a fact", "no fact"}


def test_a_reason_that_cites_what_was_not_shown_is_named(ledger: Path) -> None:
    wild = '{"label": "positive", "confidence": 0.9, "rationale": "It returned 918,273."}'
    judged = judge_utility(ledger, [ScriptedAsk(lambda _: wild, "wild")])
    assert len(judged.unfounded) == calls_of(ledger)
    first = judged.unfounded[0]
    assert (first.model, first.judge, first.spans) == ("wild", "utility", ["918,273"])
    assert any("cite what their judge was not shown" in each for each in remarks(judged, "calls"))
    assert judge_utility(ledger, [ScriptedAsk()]).unfounded == []


def test_the_same_evidence_is_paid_for_once(ledger: Path, tmp_path: Path) -> None:
    shared = JudgeOptions(answers=tmp_path / "answers")
    first, second = ScriptedAsk(), ScriptedAsk()
    judge_utility(ledger, [first], shared)
    other = facts_ledger(tmp_path / "other", tasks=3)
    judged = judge_utility(other, [second], shared)
    assert first.asked > 0
    assert (second.asked, judged.added) == (0, calls_of(other))


def test_several_judges_and_repeats_are_asked_apart(ledger: Path) -> None:
    judges = [ScriptedAsk(name="a"), ScriptedAsk(name="b")]
    judged = judge_utility(ledger, judges, JudgeOptions(repeats=2))
    assert judged.verdicts == 4 * calls_of(ledger)
    rows = Ledger(ledger).read("verdicts").select("judge", "model").unique().sort("judge", "model")
    found = rows.rows()
    assert found == [("utility", "a"), ("utility", "b"), ("utility~2", "a"), ("utility~2", "b")]


def test_a_failing_call_is_tried_again(ledger: Path) -> None:
    class Flaky(ScriptedAsk):
        async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
            answer = await super().ask(conversation, form)
            if self.asked % 3 == 1:
                raise TimeoutError("try later")
            return answer

    judged = judge_utility(ledger, [Flaky()], JudgeOptions(ask=FAST))
    assert (judged.verdicts, judged.unanswered) == (calls_of(ledger), 0)


def test_a_dead_provider_stops_the_run_and_says_what_it_said(ledger: Path) -> None:
    class Dead(ScriptedAsk):
        async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
            raise ConnectionError("no route to host")

    dead = Dead()
    with pytest.raises(InputError, match="in a row failed, the last with: ConnectionError: no"):
        judge_utility(ledger, [dead], JudgeOptions(ask=FAST))
    assert dead.closed == 1


def test_the_price_is_asked_before_anything_is_sent(ledger: Path) -> None:
    ask = ScriptedAsk(name="openai/gpt-4.1")
    told: list[Estimated] = []
    options = JudgeOptions(ask=AskOptions(max_usd=5.0))
    judge_utility(ledger, [ask], options, announce=told.append)
    assert told[0].to_pay == calls_of(ledger)
    assert str(told[0]).startswith(f"about {calls_of(ledger)} calls, about $0.0")
    dear = JudgeOptions(ask=AskOptions(max_usd=0.000001), repeats=2)
    with pytest.raises(InputError, match="more than --max-usd 1e-06"):
        judge_utility(ledger, [fresh := ScriptedAsk(name="openai/gpt-4.1")], dear)
    assert fresh.asked == 0


def test_money_without_a_known_price_is_refused(ledger: Path) -> None:
    options = JudgeOptions(ask=AskOptions(max_usd=1.0))
    with pytest.raises(InputError, match="scripted has no known price"):
        judge_utility(ledger, [ScriptedAsk()], options)


def test_spending_stops_at_the_cap(ledger: Path, prices: Path) -> None:
    # 120 tokens are expected of an answer, 0.12 USD; these judges use 600, 0.60 USD.
    cap = 0.12 * calls_of(ledger) + 0.01
    options = JudgeOptions(ask=AskOptions(max_usd=cap, concurrency=1), prices=prices)
    judged = judge_utility(ledger, [ask := ScriptedAsk(output_tokens=600)], options)
    assert cap <= judged.spent_usd <= cap + 0.6
    assert judged.unanswered == calls_of(ledger) - ask.asked > 0
    assert judged.added == ask.asked


def test_a_rate_is_kept(ledger: Path) -> None:
    options = JudgeOptions(sample=5, ask=AskOptions(per_minute=1200))
    start = time.monotonic()
    judge_utility(ledger, [ScriptedAsk()], options)
    # The second to fifth question start 50 ms after the one before.
    assert time.monotonic() - start >= 0.2


def test_left_out_tools_are_not_judged(ledger: Path) -> None:
    rules = LogicalTools(leave_out=("get_*", "write_*"))
    judge_utility(ledger, [ScriptedAsk()], JudgeOptions(rules=rules))
    left = (
        Ledger(ledger)
        .read("calls")
        .filter(~Ledger(ledger).read("calls")["tool"].is_in(["get_gossip", "write_note"]))
    )
    assert len(Ledger(ledger).read("verdicts")) == len(left)


def test_checks_find_a_judge_that_follows_the_order(ledger: Path) -> None:
    def first_label(conversation: Sequence[Message]) -> str:
        system = conversation[0].text
        first = system.index('- "positive"') < system.index('- "non_positive"')
        return USEFUL if first else USELESS

    swap, injection = checks(ledger, first_label)
    assert (swap.name, swap.calls, swap.moved) == ("swap", 10, 10)
    assert (injection.name, injection.moved) == ("injection", 0)


def checks(
    ledger: Path, reply: Callable[[Sequence[Message]], str] | None = None, many: int = 10
) -> list[Check]:
    options = JudgeOptions(sample=many, check=many)
    return judge_utility(ledger, [ScriptedAsk(reply)], options).checks


def test_checks_are_in_the_estimate_and_under_the_cap(ledger: Path, prices: Path) -> None:
    told: list[Estimated] = []
    options = JudgeOptions(sample=4, check=4, prices=prices)
    judged = judge_utility(ledger, [ScriptedAsk()], options, announce=told.append)
    # Four calls as they are, swapped and steered; 120 tokens at 0.001 USD are expected of each.
    assert (told[0].questions, told[0].to_pay, told[0].check_to_pay) == (4, 12, 8)
    assert told[0].usd == pytest.approx(12 * 0.12)
    assert str(told[0]) == "about 12 calls (8 of them for --check), about $1.44"
    assert judged.paid == 12
    # Plain answers are there; what the checks cost is still refused.
    low = JudgeOptions(sample=4, check=6, prices=prices, ask=AskOptions(max_usd=0.5))
    with pytest.raises(InputError, match=r"for --check.*more than --max-usd 0\.5"):
        judge_utility(ledger, [fresh := ScriptedAsk()], low)
    assert fresh.asked == 0


def test_the_cap_stops_checks_too_and_the_unchecked_are_counted(ledger: Path, prices: Path) -> None:
    # 12 questions are expected to cost 1.44 USD; at 0.20 USD each, 8 go out before that.
    ask = AskOptions(max_usd=1.5, concurrency=1)
    options = JudgeOptions(sample=4, check=4, prices=prices, ask=ask)
    judged = judge_utility(ledger, [asked := ScriptedAsk(output_tokens=200)], options)
    swap, injection = judged.checks
    assert (asked.asked, judged.unanswered) == (8, 0)
    assert (swap.calls, injection.calls, injection.unanswered) == (4, 0, 4)


def test_a_second_run_finds_the_checks_in_the_journal(ledger: Path) -> None:
    first = checks(ledger, many=5)
    again = ScriptedAsk()
    told: list[Estimated] = []
    options = JudgeOptions(sample=5, check=5)
    judged = judge_utility(ledger, [again], options, announce=told.append)
    assert (again.asked, told[0].to_pay) == (0, 0)
    assert judged.checks == first


def test_usage_that_nobody_reports_is_counted_by_length(ledger: Path) -> None:
    class Silent(ScriptedAsk):
        async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
            return Answer((await super().ask(conversation, form)).text)

    options = JudgeOptions(sample=2, ask=AskOptions(max_usd=5.0))
    judged = judge_utility(ledger, [Silent(name="openai/gpt-4.1")], options)
    assert 0.001 < judged.spent_usd < 0.05


def test_verdicts_from_elsewhere_come_in_once(ledger: Path, tmp_path: Path) -> None:
    trajectory, turn, call = next(
        Ledger(ledger).read("calls").select("trajectory_id", "turn", "call").iter_rows()
    )
    good = {
        "trajectory_id": trajectory,
        "turn": turn,
        "call": call,
        "label": "positive",
        "confidence": 0.7,
        "rationale": "I was there",
        "judge": "ann",
    }
    lines = [good, good | {"turn": 999}, good | {"label": "maybe"}, good | {"confidence": 7}]
    file = tmp_path / "people.jsonl"
    file.write_text("\n".join([*map(json.dumps, lines), "{", ""]))
    imported = import_verdicts(ledger, file)
    assert (imported.lines, imported.added, len(imported.bad)) == (5, 1, 4)
    assert [bad.place for bad in imported.bad] == ["line 2", "line 3", "line 4", "line 5"]
    assert imported.bad[0].expected == "a call of the ledger"
    assert import_verdicts(ledger, file).added == 0
    rows = Ledger(ledger).read("verdicts")
    assert rows.select("judge", "label", "confidence").rows() == [("ann", "positive", 0.7)]


def test_a_file_without_one_good_line_is_refused(ledger: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"label": "positive"}\n')
    with pytest.raises(InputError, match=r"bad\.jsonl: line 1: expected a verdict"):
        import_verdicts(ledger, file)


def test_two_runs_at_once_are_refused(ledger: Path) -> None:
    with Journal(ledger / ANSWERS), pytest.raises(InputError, match="another process is judging"):
        judge_utility(ledger, [ScriptedAsk()])
