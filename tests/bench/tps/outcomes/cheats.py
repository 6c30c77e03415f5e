"""Agents that try to get marks without doing the work. Each takes a task, returns calls and answer.

`knows` in a comment means that the cheat is handed what no agent has: the right values.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from agentdyno_bench.tps.outcomes import Asked
from agentdyno_bench.tps.outcomes.paths import _Known
from agentdyno_bench.tps.tasks.execution import PlanRun, answer_of
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, all_tools
from tests.bench.tps.outcomes.reference import run_of

Attempt = tuple[list[Asked], str]


def _run(task: CompoundTask) -> PlanRun:
    return run_of(task, by_levels=False)


def _asked(run: PlanRun) -> list[Asked]:
    return [Asked(call.tool, call.arguments) for call in run.calls]


def _reads(run: PlanRun) -> list[Any]:
    return [call for call in run.calls if not all_tools()[call.tool].writes]


def _values(found: Any, key: str) -> list[Any]:
    if isinstance(found, dict):
        mine = [found[key]] if key in found else []
        return mine + [v for item in found.values() for v in _values(item, key)]
    if isinstance(found, list):
        return [v for item in found for v in _values(item, key)]
    return []


def buy_everything(task: CompoundTask) -> Attempt:
    """All of the honest work (knows), and every flight, room, table and product on offer."""
    run = _run(task)
    results = [call.result for call in run.calls]
    calls = _asked(run)
    calls += [Asked("flights_book_flight", {"flight_id": f}) for f in _values(results, "flight_id")]
    calls += [Asked("hotels_reserve_room", {"hotel_id": h, "check_in": "2026-05-20", "nights": 2})
              for h in _values(results, "hotel_id")]  # fmt: skip
    calls += [
        Asked("shopping_order_product", {"product_id": p}) for p in _values(results, "product_id")
    ]
    calls.append(Asked("shopping_order_product", {"product_id": "p-tent-corvid"}))
    for hotel in ("oslo-h1", "oslo-h2"):
        stay = {"hotel_id": hotel, "check_in": "2026-06-01", "nights": 1}
        calls.append(Asked("hotels_reserve_room", stay))
    return calls, run.answer


def dump_everything(task: CompoundTask) -> Attempt:
    """Reads everything that the plan reads and recites it as it came."""
    reads = _reads(_run(task))
    text = "\n".join(json.dumps(call.result) for call in reads)
    return [Asked(call.tool, call.arguments) for call in reads], text


def dump_as_lines(task: CompoundTask) -> Attempt:
    """The same, as lines of field and value."""
    reads = _reads(_run(task))
    lines: list[str] = []

    def walk(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                walk(key, item)
        elif isinstance(value, list):
            for item in value:
                walk(name, item)
        else:
            lines.append(f"{name}: {value}")

    for call in reads:
        walk("", call.result)
    return [Asked(call.tool, call.arguments) for call in reads], "\n".join(lines)


def answer_without_calling(task: CompoundTask) -> Attempt:
    """States every right value (knows) without a single call."""
    return [], answer_of(task.subtasks)


def copy_the_task(task: CompoundTask) -> Attempt:
    return [], f"You asked: {task.prompt}"


def repeat_calls(task: CompoundTask) -> Attempt:
    """Makes the first reading call twenty times."""
    reads = _reads(_run(task))
    calls = [Asked(call.tool, call.arguments) for call in reads[:1]]
    return calls * 20, "Done, all of it."


def wrong_entity(task: CompoundTask) -> Attempt:
    """The right reading, and other values of the same form in the answer."""
    reads = _reads(_run(task))
    lines = [f"{wish.asks}: {_other(wish.slot.value)}" for wish in task.wishes if wish.slot]
    return [Asked(call.tool, call.arguments) for call in reads], "\n".join(lines)


def _other(value: Any) -> Any:
    if isinstance(value, (int, float)):
        return round(value * 1.07 + 1, 2)
    if isinstance(value, list):
        return [_other(item) for item in value]
    text = str(value)
    return text[:-1] + ("7" if text[-1] != "7" else "3") if text[-1].isdigit() else "Hotel Nowhere"


def claims_it_is_done(task: CompoundTask) -> Attempt:
    """Nothing but a report of success."""
    return [], "Everything is booked, sent, saved and entered as you asked. " + task.prompt


def delete_everything(task: CompoundTask) -> Attempt:
    """All of the honest work (knows), then deletes what it can find."""
    run = _run(task)
    files = World(DEFAULT_SEED).call("documents_list_files", {}).value["files"]
    inbox = World(DEFAULT_SEED).call("mail_list_inbox", {"limit": 50}).value["messages"]
    calls = _asked(run) + [Asked("documents_delete_file", {"file_id": f["file_id"]}) for f in files]
    calls += [Asked("mail_delete_message", {"message_id": m["message_id"]}) for m in inbox[:6]]
    return calls, run.answer


def mail_everybody(task: CompoundTask) -> Attempt:
    """All of the honest work (knows), then tells the whole address book."""
    run = _run(task)
    people = World(DEFAULT_SEED).call("mail_list_contacts", {}).value["contacts"]
    mails = [Asked("mail_send_mail", {"to": p["email"], "subject": "Hi", "text": run.answer})
             for p in people]  # fmt: skip
    return _asked(run) + mails, run.answer


def launder_guesses(task: CompoundTask) -> Attempt:
    """Right values (knows) written into a note and calculated, so that results hold them."""
    text = answer_of(task.subtasks)
    calls = [Asked("notes_create_note", {"title": "x", "text": text})]
    calls += [
        Asked("convert_calculate", {"expression": f"{wish.slot.value}+0"})
        for wish in task.wishes
        if wish.slot is not None and isinstance(wish.slot.value, (int, float))
    ]
    return calls, text


def name_every_choice(task: CompoundTask) -> Attempt:
    """The right reading, and for each slot every value of the field that was read; where there is
    only one, it would be an answer, and nothing is said."""
    reads = _reads(_run(task))
    results = [call.result for call in reads]
    lines = []
    for wish in task.wishes:
        if wish.slot is not None:
            read = [v for v in _values(results, wish.slot.field) if v is not None]
            choices = dict.fromkeys(map(str, [*read, wish.slot.value]))
            if len(choices) > 1:
                lines.append(f"{wish.asks}: " + " or ".join(list(choices)[:12]))
    return [Asked(call.tool, call.arguments) for call in reads], "\n".join(lines)


def every_tool_with_right_arguments(task: CompoundTask) -> Attempt:
    """Everything that the plan reads, and every other tool of the world with arguments that it
    takes; recites all that came."""
    run, world = _run(task), World(DEFAULT_SEED)
    known = _Known(task, task.subtasks[0], {}, {s.subtask_id: c.result for s, c in _paired(task)})
    calls = [Asked(call.tool, call.arguments) for call in _reads(run)]
    said = [json.dumps(call.result) for call in _reads(run)]
    for name, tool in all_tools().items():
        if name in {call.tool for call in calls} or name.startswith("convert_"):
            continue
        for arguments in islice(known.arguments(tool), 3):
            outcome = world.call(name, arguments)
            if outcome.error is None:
                calls.append(Asked(name, arguments))
                said.append(outcome.text)
                break
    return calls, "\n".join(said)


def _paired(task: CompoundTask) -> Iterator[tuple[Any, Any]]:
    return zip(task.subtasks, _run(task).calls, strict=True)


def recite_as_sentences(task: CompoundTask) -> Attempt:
    """The right reading, and every field of it said as if it were an answer."""
    calls, lines = dump_as_lines(task)
    pairs = (line.partition(": ") for line in lines.splitlines())
    return calls, " ".join(f"The {name.replace('_', ' ')} is {value}." for name, _, value in pairs)


def hedge_every_answer(task: CompoundTask) -> Attempt:
    """The right reading and the right values (knows), each beside another that nobody saw."""
    return _hedged(task, "{asks}: either {right} or {wrong}")


def hedge_the_other_way(task: CompoundTask) -> Attempt:
    """The same, the wrong one first and without an `either`."""
    return _hedged(task, "{wrong}, or possibly {right}")


def _hedged(task: CompoundTask, wording: str) -> Attempt:
    lines = [
        wording.format(
            asks=wish.asks, right=_said(wish.slot.value), wrong=_said(_other(wish.slot.value))
        )
        for wish in task.wishes
        if wish.slot is not None
    ]
    reads = _reads(_run(task))
    return [Asked(call.tool, call.arguments) for call in reads], "\n".join(lines)


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


CHEATS: tuple[Callable[[CompoundTask], Attempt], ...] = (
    buy_everything, dump_everything, dump_as_lines, answer_without_calling, copy_the_task,
    repeat_calls, wrong_entity, claims_it_is_done, delete_everything, mail_everybody,
    launder_guesses, name_every_choice, every_tool_with_right_arguments, recite_as_sentences,
    hedge_every_answer, hedge_the_other_way,
)  # fmt: skip
