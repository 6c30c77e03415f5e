"""Reads logs in which every record is one request with its response.

A request continues a conversation when it repeats its messages and then its answer: the same
calls by id, or the same text. So attempts at one task that begin alike stay apart. Markers for
the cache move from message to message and are not looked at, nor is thinking, which clients may
drop. An id in the record (`session_id`, …) settles the matter.
"""

from collections.abc import Iterator

from agentdyno.intake.anthropic import as_blocks, read_thinking_tokens, usage_fields
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.chats import first_id, read_talks
from agentdyno.intake.formats.anthropic_messages.convert import give, read_offered
from agentdyno.intake.formats.anthropic_messages.threads import Item, Thread, Threads
from agentdyno.intake.formats.anthropic_messages.wire import (
    CONTENT,
    LOGGED,
    LoggedCall,
    Request,
    Response,
)
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "anthropic_messages"


def read_log(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation in the log."""
    threads = Threads()

    def take(record: Record) -> None:
        _take(threads, record.decode(LOGGED), record)

    def close() -> Trajectory | BadRecord:
        return threads.close_oldest().build(source, FORMAT_NAME, "a response with content")

    return read_talks(source, FORMAT_NAME, records, take, threads.open, close)


def _take(threads: Threads, logged: LoggedCall, record: Record) -> None:
    request = logged.request or logged.body
    if request is None:
        raise UnreadableError("a request with messages", "none")
    items = threads.items(request.messages)
    continued = threads.continued(logged, bytes(request.system), items)
    thread = continued or threads.start(record.locator, record.line)
    thread.writer.builder.line = record.line
    try:
        _follow(thread, request, items)
        thread.answered = _answer(thread, logged.response or Response(), logged)
    except (UnreadableError, RecursionError):
        threads.drop_if_empty(thread)
        raise
    threads.remember(thread, logged, items)


def _follow(thread: Thread, request: Request, items: list[Item]) -> None:
    """Brings the context up to this request."""
    thread.model = request.model or thread.model
    tools = bytes(request.tools)
    thread.writer.builder.offer(read_offered(tools, frozenset(thread.writer.loaded)))
    _instruct(thread, bytes(request.system))

    def add(builder: TrajectoryBuilder, item: Item) -> None:
        give(thread.writer, item.message, thread.model)

    thread.talk.align(items, lambda i: i.key, lambda i: i.message.role == "assistant", add)
    thread.drop_thinking(items)
    thread.writer.builder.offer(read_offered(tools, frozenset(thread.writer.loaded)))


def _instruct(thread: Thread, system: bytes) -> None:
    """Update the system prompt, which is apart from the messages and may change under them."""
    if system == thread.system:
        return
    blocks, builder = as_blocks(decode(system, CONTENT)), thread.writer.builder
    thread.system = system
    standing = [builder.parts[index].text for index in thread.system_parts]
    if [block.text for block in blocks if block.text] == standing:
        return  # Only a marker for the cache has moved.
    builder.retire(thread.system_parts)
    before = len(builder.parts)
    thread.writer.instruct(blocks)
    thread.system_parts = range(before, len(builder.parts))


def _answer(thread: Thread, response: Response, logged: LoggedCall) -> bool:
    """Adds the turn; False when the call failed without the model having said anything."""
    thread.note(logged)
    builder = thread.writer.builder
    blocks = as_blocks(response.content)
    if response.error is not None or (not blocks and response.usage is None):
        builder.retries += 1
        return False
    thread.model = response.model or thread.model
    builder.turn(
        thread.model,
        finish=response.stop_reason,
        latency_seconds=logged.latency_seconds,
        response_id=response.id,
        request_id=first_id(logged.request_id),
        reported_usd=logged.response_cost,
        **usage_fields(response.usage),
    )
    thread.hear(blocks, read_thinking_tokens(response.usage))
    return True
