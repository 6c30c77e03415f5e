"""Traces whose truth nobody knows: what the checks see, and what they leave alone."""

import json
from functools import partial

from agentdyno.findings.failures import unlabelled
from agentdyno.records import Part, ToolCall, Trajectory, Turn

find_doubts = partial(unlabelled.find_doubts, unproven=True)
possible_checks = partial(unlabelled.possible_checks, unproven=True)


def _trajectory(answer: str, result: str = '{"city": "Boise", "price_usd": 478000}') -> Trajectory:
    parts = (
        Part("schema", "{}", name="find_market", enters=0),
        Part("user", "What do homes in Boise cost?", enters=0),
        Part("request", "", name="find_market", call=0, made=0, enters=1),
        Part("result", result, name="find_market", call=0, enters=1),
        Part("text", answer, made=1),
    )
    call = ToolCall(0, 0, "find_market", '{"city": "Boise"}', request=2, result=3, executed=True)
    return Trajectory("t#1", "t", "openai_chat", parts, (Turn(), Turn()), (call,))


def test_an_answer_from_the_return_raises_no_doubt() -> None:
    assert find_doubts(_trajectory("Homes in Boise cost $478,000.")) == []


def test_a_figure_without_a_source() -> None:
    doubts = find_doubts(_trajectory("Homes there cost about $612,500."))
    assert [(d.kind, d.evidence) for d in doubts] == [("unsupported_claim", "$612,500")]


def test_what_two_figures_make_code_and_hypotheses_are_no_claims() -> None:
    two = '{"north_usd": 478000, "south_usd": 412500}'
    assert find_doubts(_trajectory("The difference is $65,500.", two)) == []
    assert find_doubts(_trajectory("Call `price(612500)` for more.")) == []
    assert find_doubts(_trajectory("If it were $612,500, you could not pay it.")) == []


def test_a_long_look_up_of_which_nothing_recurs_was_not_used() -> None:
    rows = [{"id": f"HB-{n}7{n}1", "street": f"{n}41{n} Mill"} for n in range(10, 22)]
    unused = find_doubts(_trajectory("Anything else?", json.dumps(rows)))
    assert [(d.kind, d.turn, d.call) for d in unused] == [("unused_call", 0, 0)]
    assert find_doubts(_trajectory("It is HB-1271.", json.dumps(rows))) == []


def test_a_call_that_was_only_written() -> None:
    text = 'Next: <tool_call>{"name": "find_market", "arguments": {"city": "Reno"}}</tool_call>'
    kinds = [d.kind for d in find_doubts(_trajectory(f"It is 478000. {text}"))]
    assert kinds == ["phantom_call"]


def test_results_that_are_no_json_are_sources_too() -> None:
    assert find_doubts(_trajectory("It is $478,000.", "median: 478000 dollars")) == []


def test_a_receipt_is_nothing_to_use() -> None:
    assert find_doubts(_trajectory("Your mail is on its way.", '{"status": "sent"}')) == []


def test_a_return_may_be_used_in_other_words() -> None:
    assert find_doubts(_trajectory("In sum you saved $10,519.", "10519.0")) == []
    assert find_doubts(_trajectory("You fly on May 4.", '{"date": "2024-05-04"}')) == []


def test_only_what_there_is_something_to_look_at_for_is_checked() -> None:
    whole = _trajectory("Homes in Boise cost $478,000.")
    assert possible_checks(whole) == {"unsupported_claim", "phantom_call", "unused_call"}
    silent = Trajectory("t#1", "t", "openai_chat", whole.parts[:4], whole.turns[:1], whole.calls)
    assert possible_checks(silent) == set()
    alone = Trajectory("t#1", "t", "openai_chat", (Part("text", "Hi.", made=0),), (Turn(),), ())
    assert possible_checks(alone) == {"phantom_call"}


def test_checks_that_were_not_read_often_enough_are_off_and_named() -> None:
    wrong = _trajectory("Homes there cost $612,500.")
    assert unlabelled.find_doubts(wrong) == []
    assert unlabelled.off_checks() == ["unsupported_claim", "phantom_call", "unused_call"]
