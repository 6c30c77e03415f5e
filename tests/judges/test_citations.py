"""A judge may only cite what it was shown."""

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


@from_set("judges/citations", "reason", "spans")
def test_what_nobody_showed_is_named(reason: str, spans: list[str]) -> None:
    assert unfounded(reason, _prompt()) == spans
