"""A whole trajectory as evidence: its task, what happened, and what the agent ended with.

For judges of trajectories: failures, answers, completion. Everything from the trace is quoted.
"""

from collections.abc import Iterable

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.evidence import Event, events_of, task_of
from agentdyno_bench.shared.judges.evidence_budget import (
    CHARACTERS_PER_TOKEN,
    choose_events,
    describe_missing,
    shorten,
)
from agentdyno_bench.shared.judges.fencing import block_key, quote_block

TASK_SHARE, FINAL_SHARE = 0.3, 0.3
MOST_TOOLS = 60
"""Names of offered tools that are shown."""


class WholeState(Struct, frozen=True):
    """Everything that a judge of a trajectory may see."""

    task: str
    """What the agent was asked to do."""
    events: tuple[Event, ...]
    """What happened before it ended, in order."""
    final: str
    """What it ended with: the texts and requests of its last turn; empty when there is nothing."""
    offered: tuple[str, ...] = ()
    """Names of the tools it was offered, where the trace says so."""


def whole_of(trajectory: Trajectory) -> WholeState:
    """The trajectory as evidence."""
    last = len(trajectory.turns) - 1
    ending = [part for part in trajectory.parts if part.made == last and part.kind in _ENDINGS]
    before = events_of(trajectory, lambda part: not any(part is end_part for end_part in ending))
    schemas = (part.name for part in trajectory.parts if part.kind == "schema" and part.name)
    return WholeState(
        task=task_of(trajectory),
        events=tuple(before),
        final="\n".join(part.text for part in ending if part.text.strip()),
        offered=tuple(dict.fromkeys(schemas)),
    )


_ENDINGS = ("text", "request")
"""An answer may be handed in as the argument of a call."""


def with_order(state: WholeState, order: str) -> WholeState:
    """The same with an order to the judge at the end of the last result, or else of the answer."""
    places = [index for index, event in enumerate(state.events) if event.what.startswith("result")]
    if not places:
        return structs.replace(state, final=state.final + order)
    events = list(state.events)
    last = events[places[-1]]
    events[places[-1]] = structs.replace(last, text=last.text + order)
    return structs.replace(state, events=tuple(events))


class PromptBlocks(Struct, frozen=True):
    """The blocks of a prompt, quoted and within a budget."""

    task: str
    history: str
    """What happened, and what of it is left out."""
    final: str
    """What the agent ended with."""
    tools: str
    """What it was offered and what it called."""
    extra: dict[str, str]
    """Further blocks by name."""
    left_out: str
    """What of the history is missing; empty when nothing is."""


def quote_state(
    state: WholeState, tokens: int, extra: dict[str, str] | None = None
) -> PromptBlocks:
    """Quotes everything with one word in the marks that none of it holds."""
    room = tokens * CHARACTERS_PER_TOKEN
    task, final = (
        shorten(state.task, int(room * TASK_SHARE)),
        shorten(state.final, int(room * FINAL_SHARE)),
    )
    displayed = choose_events(state.events, state.final, max(room - len(task) - len(final), 0))
    missing = describe_missing(state.events, displayed, task_cut=len(task) != len(state.task))
    more, tools = extra or {}, ", ".join(state.offered[:MOST_TOOLS])
    texts = [event.text for event in displayed.values()]
    key = block_key(task, final, tools, *texts, *more.values())
    return PromptBlocks(
        task=f"THE TASK\n{quote_block('task', task, key)}",
        history=_history(displayed.items(), missing, key),
        final=_final(final, key),
        tools=f"OFFERED TOOLS\n{quote_block('tools', tools or 'not recorded', key)}",
        extra={name: quote_block(name, text, key) for name, text in more.items()},
        left_out=missing,
    )


def _history(displayed: Iterable[tuple[int, Event]], missing: str, key: str) -> str:
    head = "WHAT HAPPENED" + (f" (left out for length: {missing})" if missing else "")
    events = [
        f"({number}) {event.what}\n{quote_block('event', event.text, key)}"
        for number, event in displayed
    ]
    return "\n".join([head, *(events or ["Nothing is recorded between the task and the end."])])


def _final(final: str, key: str) -> str:
    if not final:
        return "HOW IT ENDED\nThe agent's last turn has neither a text nor a call."
    return f"HOW IT ENDED\nThe agent's last turn says:\n{quote_block('final', final, key)}"
