"""Calls that were only written, claims of calls, and output that no working model writes."""

from hypothesis import given
from hypothesis import strategies as st

from agentdyno.findings.failures.texts import (
    find_claimed_call,
    find_written_calls,
    why_broken,
    why_empty,
)
from tests.labelled import from_set


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    find_written_calls(text, {"a_tool"})
    why_broken(text)


@from_set("metrics/failures/texts", "text")
def test_written_calls_are_seen(text: str) -> None:
    assert find_written_calls(text, {"f"})


def test_talk_of_tools_is_no_written_call_and_executed_ones_are_no_phantom() -> None:
    assert not find_written_calls('The field "name" is f, and f(x) is a function.', {"f"})
    assert find_claimed_call("Per `f`, it is 3.", {"f"}, set()) == "Per `f"
    assert find_claimed_call("Per `f`, it is 3.", {"f"}, {"f"}) is None


def test_prose_is_not_broken_and_token_salad_is() -> None:
    assert why_broken("The share price is $3,400 as of 2 June 2031.") is None
    assert "raw tokens" in (why_broken("Ġthe Ġ<|im_end|> ▁82 <unk><unk>") or "")
    assert "repetition" in (why_broken("the " * 40) or "")
    assert why_broken(" \n") is None
    assert why_empty(" \n") == "the answer is empty"
