"""Values that `bench/fuzz.py` found readers to fall over, each in the smallest form."""

from typing import Any

import pytest

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.exchange_log import Exchange, _Log
from agentdyno.intake.formats.pi.answers import _moment
from agentdyno.intake.loose_bodies import loose_request
from agentdyno.intake.texts import seconds


@pytest.mark.parametrize("odd", [["tool"], {"name": "tool"}])
def test_a_role_or_a_name_of_another_type_is_no_tools_name(odd: Any) -> None:
    call = {"role": "assistant", "tool_calls": [{"function": {"name": odd}}]}
    answer = {"role": odd, "content": "3"}
    assert loose_request([call, answer])["messages"][1]["role"] == odd


def test_a_time_beyond_all_numbers_is_unknown() -> None:
    assert seconds(10**400) is None
    assert _moment(10**400) is None
    assert _moment(1_790_000_000_000) == 1_790_000_000


def test_an_earlier_response_that_is_no_name_is_none() -> None:
    log = _Log()
    request = {"input": "hello", "previous_response_id": ["one"]}
    log.take(Exchange(locator="0", request=request, response={"output": []}))
    assert len(log.threads) == 1


def test_parts_that_left_once_stay_as_they_left() -> None:
    builder = TrajectoryBuilder()
    first = builder.user("one")
    builder.turn()
    hidden = builder.reasoning("thought", resent=False)
    builder.retire_from(0)
    second = builder.user("two")
    builder.resend(hidden)
    builder.turn()
    builder.retire_from(first)
    builder.retire_from(first)
    parts = [builder.parts[index] for index in (first, hidden, second)]
    assert [(part.enters, part.leaves) for part in parts] == [(0, 1), (1, 2), (1, 2)]
