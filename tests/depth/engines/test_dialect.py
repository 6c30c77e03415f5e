"""How a small agent reads tools and writes calls."""

from hypothesis import given
from hypothesis import strategies as st

from agentdyno_depth.engines.chat import ChatTool
from agentdyno_depth.engines.dialect import (
    CUT,
    LONGEST_RESULT,
    MOST_CALLS,
    offer_tools,
    read_turn,
    render_result,
    signature,
    write_call,
    write_results,
    write_turn,
)

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "limit": {"type": "integer", "default": 10},
        "coupon": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "mode": {"enum": ["walking", "driving"], "default": "walking"},
        "cities": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["city", "cities"],
}


def test_a_signature_has_every_parameter_with_type_and_default() -> None:
    line = signature(ChatTool("maps_go", "Go there.", SCHEMA))
    assert line == (
        "maps_go(city: str, limit: int = 10, coupon: str = null, "
        'mode: "walking"|"driving" = "walking", cities: list[str]) - Go there.'
    )


def test_a_chat_without_tools_is_told_of_none() -> None:
    assert offer_tools("You help.", []) == "You help."


def test_calls_are_read_as_they_are_written() -> None:
    lines = [write_call("a_b", {"x": "é"}), write_call("c_d", {})]
    read = read_turn("\n".join(lines))
    assert read.calls == [("a_b", {"x": "é"}), ("c_d", {})]
    assert not read.problems
    assert not read.is_answer


def test_words_are_an_answer_and_a_broken_call_is_none() -> None:
    assert read_turn("It costs 12.\nAll done.").is_answer
    broken = read_turn('{"name": "a_b", "arguments": ')
    assert not broken.is_answer
    assert "not JSON" in broken.problems[0]
    assert "name and arguments" in read_turn('{"name": "a_b"}').problems[0]


def test_an_endless_list_of_calls_is_read_to_its_limit() -> None:
    assert len(read_turn("\n".join([write_call("a_b", {})] * 500)).calls) == MOST_CALLS


def test_results_stand_in_one_message_and_long_ones_are_cut() -> None:
    message = write_results(["one", "x" * 5_000])
    assert (message.role, message.text.count("\n")) == ("user", 3)
    assert render_result("x" * 5_000) == "x" * LONGEST_RESULT + CUT
    assert render_result("a\nb \ud800") == "a b ?"


@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_nothing_that_a_model_writes_raises(text: str) -> None:
    read = read_turn(text)
    assert len(read.calls) + len(read.problems) <= MOST_CALLS


def test_a_turn_may_begin_with_a_thought() -> None:
    call = write_call("shop_order", {"id": "p2"})
    written = write_turn("least price of products: 9 p1, 7 p2", call)
    read = read_turn(written)
    assert read.thought == "least price of products: 9 p1, 7 p2"
    assert (read.calls, read.answer) == ([("shop_order", {"id": "p2"})], "")
    read = read_turn(write_turn('{"name": "shop_order", "arguments": {}}', "p2 for 7."))
    assert read.is_answer, "what is thought is not called"
    assert read.answer == "p2 for 7."
    assert write_turn("", "p2 for 7.") == "p2 for 7."


def test_a_thought_without_an_end_says_nothing() -> None:
    read = read_turn('<think>\nleast price: 9 p1, {"name": "shop_order", "arguments": {}}')
    assert read.is_answer
    assert not read.answer
    assert read.thought
