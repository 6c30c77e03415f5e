"""Reads the agent's answers and its tools' results from one sample of a log.

Takes a log and a sample's id, returns the agent's answers in order and the results of each. Model
calls of scorers, graders and of tools are no answers of the agent; neither are calls that failed.
The n-th answer is the n-th turn of the trajectory that intake makes of the same sample.
"""

from inspect_ai.event import Event, ModelEvent, SpanBeginEvent
from inspect_ai.log import EvalSample, read_eval_log_sample_async
from inspect_ai.model import ChatMessage, ChatMessageTool, ModelOutput
from msgspec import Struct

from agentdyno.records import InputError, printable

APART = ("tool", "subtask", "branch", "task", "scorer", "scorers")
"""Spans in which somebody else than the agent calls models."""
NOT_AGENTS = ("grader", "summarizer", "judge", "scorer", "user", "user_simulator")
"""Roles of models that are not the agent."""
MOST_RECORDINGS = 256
"""Samples kept in memory: continuations of one sample stand side by side."""


class Recording(Struct, frozen=True):
    """One sample."""

    answers: list[ModelOutput]
    """The model's outputs, turn by turn."""
    results: list[list[ChatMessageTool]]
    """What came back on each answer's calls, in their order."""


_recordings: dict[tuple[str, str], Recording] = {}


async def read_recording(log: str, sample: str) -> Recording:
    """The recording; a sample that is not there is an error."""
    if (log, sample) not in _recordings:
        if len(_recordings) >= MOST_RECORDINGS:
            del _recordings[next(iter(_recordings))]
        _recordings[log, sample] = await _read_recording(log, sample)
    return _recordings[log, sample]


async def _read_recording(log: str, sample: str) -> Recording:
    log_sample = await _read(log, sample)
    answers = [event.output for event in _agent_calls(log_sample.events) if event.output.choices]
    behind = _results_behind(log_sample.messages)
    results = [behind.get(answer.message.id or "", []) for answer in answers]
    return Recording(answers, results)


async def _read(log: str, sample: str) -> EvalSample:
    ids: list[str | int] = [sample]
    if sample.isdecimal():
        ids.append(int(sample))  # A sample without an id of its own was numbered.
    for name in ids:
        try:
            return await read_eval_log_sample_async(log, id=name, resolve_attachments=True)
        except (IndexError, KeyError):
            continue
        except (OSError, ValueError) as error:
            raise InputError(
                f"{log}: expected an Inspect log, found {printable(str(error), 200)}"
            ) from None
    raise InputError(f"{log}: expected the sample {printable(sample, 60)}, found none.")


def _agent_calls(events: list[Event]) -> list[ModelEvent]:
    excluded: set[str] = set()
    calls: list[ModelEvent] = []
    for event in events:
        if isinstance(event, SpanBeginEvent):
            if event.type in APART or event.parent_id in excluded:
                excluded.add(event.id)
        elif isinstance(event, ModelEvent) and event.role not in NOT_AGENTS:
            calls += [] if event.span_id in excluded else [event]
    return calls


def _results_behind(messages: list[ChatMessage]) -> dict[str, list[ChatMessageTool]]:
    """By the id of the answer that they follow."""
    results: dict[str, list[ChatMessageTool]] = {}
    last = ""
    for message in messages:
        if message.role == "assistant":
            last = message.id or ""
        elif isinstance(message, ChatMessageTool):
            results.setdefault(last, []).append(message)
    return results
