"""A judge may only cite what it was shown."""

import pytest

from agentdyno.judges.citations import unfounded
from agentdyno.judges.fencing import quote_block
from agentdyno.judges.forms import Form
from agentdyno.judges.prompt import Prompt
from tests.labelled import from_set

DISPLAYED = 'The tool returned {"price_usd": 47500, "sold_on": "2024-09-03", "id": "TX-9921"}.'


def _prompt() -> Prompt:
    return Prompt(
        "Label the answer.", f"{quote_block('return 1', DISPLAYED, 'k3y')}\n", Form(("a", "b"))
    )


@from_set("judges/citations", "reason")
def test_what_was_shown_may_be_cited_in_any_notation(reason: str) -> None:
    assert unfounded(reason, _prompt()) == []


@pytest.mark.parametrize(
    ("reason", "spans"),
    [
        ("The tool returned 61,200 and the answer says otherwise.", ["61,200"]),
        ("It was sold on 4 October 2023.", ["4 October 2023"]),
        ('The tool said "no such user" and the answer hides it.', ["no such user"]),
        ("It confuses TX-9921 with TX-4410.", ["TX-4410"]),
    ],
)
def test_what_nobody_showed_is_named(reason: str, spans: list[str]) -> None:
    assert unfounded(reason, _prompt()) == spans
