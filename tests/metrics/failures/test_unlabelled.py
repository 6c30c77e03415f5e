"""Traces whose truth nobody knows: what the checks see, and what they leave alone."""

from agentdyno.metrics.failures.unlabelled import find_doubts, possible_checks
from agentdyno.records import Part, ToolCall, Trajectory, Turn


def _trajectory(answer: str, result: str = '{"city": "Boise", "price_usd": 478000}') -> Trajectory:
    parts = (
        Part("schema", "{}", name="market", enters=0),
        Part("user", "What do homes in Boise cost?", enters=0),
        Part("request", "", name="market", call=0, made=0, enters=1),
        Part("result", result, name="market", call=0, enters=1),
        Part("text", answer, made=1),
    )
    call = ToolCall(0, 0, "market", '{"city": "Boise"}', request=2, result=3, executed=True)
    return Trajectory("t#1", "t", "openai_chat", parts, (Turn(), Turn()), (call,))


def test_an_answer_from_the_return_raises_no_doubt() -> None:
    assert find_doubts(_trajectory("Homes in Boise cost $478,000.")) == []


def test_a_figure_without_a_source_and_a_result_that_was_not_used() -> None:
    doubts = find_doubts(_trajectory("Homes there cost about $612,500."))
    assert [(d.kind, d.evidence) for d in doubts if d.kind == "unsupported_claim"] == [
        ("unsupported_claim", "$612,500")
    ]
    unused = [d for d in doubts if d.kind == "unused_call"]
    assert [(d.turn, d.call) for d in unused] == [(0, 0)]


def test_a_call_that_was_only_written() -> None:
    text = 'Next: <tool_call>{"name": "market", "arguments": {"city": "Reno"}}</tool_call>'
    kinds = [d.kind for d in find_doubts(_trajectory(f"It is 478000. {text}"))]
    assert kinds == ["phantom_call"]


def test_results_that_are_no_json_are_sources_too() -> None:
    assert find_doubts(_trajectory("It is $478,000.", "median: 478000 dollars")) == []


def test_a_receipt_is_nothing_to_use() -> None:
    assert find_doubts(_trajectory("Your mail is on its way.", '{"status": "sent"}')) == []


def test_a_return_may_be_used_in_other_words() -> None:
    assert find_doubts(_trajectory("In sum you saved $10,519.", "10519.0")) == []
    assert find_doubts(_trajectory("You fly on May 4.", '{"date": "2024-05-04"}')) == []
    unused = find_doubts(_trajectory("You fly on Friday.", '{"date": "2024-05-04"}'))
    assert [doubt.kind for doubt in unused] == ["unused_call"]


def test_only_what_there_is_something_to_look_at_for_is_checked() -> None:
    whole = _trajectory("Homes in Boise cost $478,000.")
    assert possible_checks(whole) == {"unsupported_claim", "phantom_call", "unused_call"}
    silent = Trajectory("t#1", "t", "openai_chat", whole.parts[:4], whole.turns[:1], whole.calls)
    assert possible_checks(silent) == set()
    alone = Trajectory("t#1", "t", "openai_chat", (Part("text", "Hi.", made=0),), (Turn(),), ())
    assert possible_checks(alone) == {"phantom_call"}
