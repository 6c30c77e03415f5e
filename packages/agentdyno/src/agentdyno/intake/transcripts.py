"""Lists of messages in any provider's shape, as harnesses keep them, into builder events.

Takes messages in order and what is known of each answer; every message of the assistant is a turn.
Knows nothing of files or of any harness.
"""

from collections.abc import Callable, Iterable
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.loose_bodies import plain_message
from agentdyno.intake.spans.convert import give
from agentdyno.intake.spans.messages import ChatRecord, parse_message
from agentdyno.intake.spans.usage import read_reported_usd, usage_fields

Fields = dict[str, Any]
Facts = Callable[[Fields], Fields]
"""Takes an answer, returns the fields of its turn."""


def write_transcript(
    builder: TrajectoryBuilder, messages: Iterable[Any], facts: Facts = lambda message: {}
) -> None:
    """Adds messages; of those that are none, nothing."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        record = parse_message(plain_message(message))
        if record.is_answer:
            builder.turn(**facts(message))
            write_answer(builder, record)
        else:
            give(builder, record)


def write_answer(builder: TrajectoryBuilder, record: ChatRecord, resent: bool = False) -> None:
    """Add the last turn's output; `resent`: its reasoning stays in the context."""
    for piece in record.pieces:
        if piece.kind == "reasoning":
            builder.reasoning(piece.text, resent=resent)
        elif piece.kind == "text":
            builder.text(piece.text)
        elif piece.kind == "call":
            builder.call(piece.name or "", piece.text, piece.call_id)
        else:
            give(builder, ChatRecord("tool", [piece]))
            builder.given_within(len(builder.parts) - 1)


def turn_fields(attributes: Fields) -> Fields:
    """The fields of a turn that attributes of a model call amount to."""
    finish = attributes.get("gen_ai.response.finish_reasons")
    model = attributes.get("gen_ai.response.model") or attributes.get("gen_ai.request.model")
    return {
        **usage_fields([attributes]),
        "model": model if isinstance(model, str) else None,
        "response_id": attributes.get("gen_ai.response.id"),
        "finish": finish[0] if isinstance(finish, list) and finish else None,
        "reported_usd": read_reported_usd([attributes]),
    }
