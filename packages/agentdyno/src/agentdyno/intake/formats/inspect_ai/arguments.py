"""The arguments of tool calls as the model wrote them.

Inspect repairs malformed arguments without a word (`5` becomes the first parameter, a stray quote
is dropped) or replaces them by nothing and quotes them in an error. The provider's answer, which
the log keeps beside, still has the text.
"""

from agentdyno.intake.formats.inspect_ai.texts import SampleTexts
from agentdyno.intake.formats.inspect_ai.wire import (
    WIRE_CALL,
    Event,
    Message,
    WireItem,
    WireResponse,
)
from agentdyno.intake.streams import decode
from agentdyno.records import UnreadableError


def read_written_arguments(event: Event, message: Message, texts: SampleTexts) -> dict[str, str]:
    """Arguments by call id, for the calls whose text the log still has."""
    if not message.tool_calls:
        return {}
    written: dict[str, str] = {}
    for item in _items(event):
        text = item.function.arguments if item.function is not None else item.arguments
        call_id = item.call_id or item.id
        if isinstance(text, str) and isinstance(call_id, str):
            written[call_id] = texts.text(text)
    for call in message.tool_calls:
        if call.parse_error and call.id and call.id not in written:
            quoted = _find_quoted(texts.text(call.parse_error))
            if quoted is not None:
                written[call.id] = quoted
    return written


def _items(event: Event) -> list[WireItem]:
    try:
        exchange = decode(bytes(event.call), WIRE_CALL)
    except UnreadableError:
        return []  # A provider with another shape; its calls are as Inspect parsed them.
    response: WireResponse | None = exchange.response if exchange is not None else None
    if response is None:
        return []
    if response.choices and response.choices[0].message is not None:
        return response.choices[0].message.tool_calls or []
    return response.output or []


def _find_quoted(parse_error: str) -> str | None:
    """The text an error quotes between two blank lines; None when it quotes none."""
    pieces = parse_error.split("\n\n")
    return "\n\n".join(pieces[1:-1]) if len(pieces) > 2 else None
