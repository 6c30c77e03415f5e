"""Which models of Anthropic's keep their earlier thinking."""

from agentdyno.intake.anthropic import keeps_thinking
from tests.labelled import from_set


@from_set("intake/formats/anthropic_messages", "model", "kept")
def test_which_models_keep_earlier_thinking(model: str, kept: bool) -> None:
    assert keeps_thinking(model) is kept
