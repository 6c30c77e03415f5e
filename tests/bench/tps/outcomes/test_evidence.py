"""What proves no value: what an agent wrote, made a service say, or met by chance. Every cheat
knows the right answers, submits them, and makes calls that look as if it had read them."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import pytest

from agentdyno_bench.tps.outcomes import AttemptMarks, RequestedCall, mark
from agentdyno_bench.tps.outcomes.submission import answers_of
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.kit.server import Row

Cheat = Callable[[CompoundTask, World], Iterator[RequestedCall]]
STEPS = (16, pytest.param(1, marks=pytest.mark.slow))
FAR = "2026-06-2{}T03:00"


def values_of(task: CompoundTask) -> list[Any]:
    return [goal.slot.value for goal in task.goals if goal.slot is not None]


def names_of(task: CompoundTask) -> str:
    """Everything that the task's steps are about, in one text."""
    return "; ".join(name for step in task.subtasks for name in step.about)


def first_of(world: World, server: str, collection: str) -> list[Row]:
    return list(world.state(server)[collection].values())


def through_a_note(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    for number, value in enumerate(values_of(task)):
        yield RequestedCall("notes_create_note", {"title": f"n{number}", "text": str(value)})
    yield RequestedCall("notes_search_notes", {"query": "n"})
    made = World(world.seed).call("notes_create_note", {"title": "n0", "text": ""}).value
    yield RequestedCall("notes_read_note", {"note_id": made["note_id"]})


def into_a_note_that_was_there(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    note = first_of(world, "notes", "notes")[0]["note_id"]
    for value in values_of(task):
        text = f"{names_of(task)} {value}"
        yield RequestedCall("notes_append_note", {"note_id": note, "text": text})
    yield RequestedCall("notes_read_note", {"note_id": note})


def as_words_of_a_document(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """A document of as many words as the number that is asked for."""
    for number, value in enumerate(values_of(task)):
        if isinstance(value, int) and 0 < value < 3000:
            file = {"title": f"d{number}", "text": "w " * value}
            made = world.call("documents_create_document", file).value["file_id"]
            yield RequestedCall("documents_create_document", file)
            yield RequestedCall("documents_word_count", {"file_id": made})


def as_a_label(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    everything = f"{task.subtasks} {task.prompt}"
    messages = [
        message
        for message in first_of(world, "mail", "messages")
        if message["sender"] not in everything and message["from_address"] not in everything
    ]
    for message, value in zip(messages, values_of(task), strict=False):
        label = {"message_id": message["message_id"], "label": str(value)}
        yield RequestedCall("mail_label_message", label)
    yield RequestedCall("mail_read_message", {"message_id": messages[0]["message_id"]})


def as_minutes_of_events(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """Days that are booked for as many minutes, under names of what is asked about."""
    minutes = [v for v in values_of(task) if isinstance(v, int) and 5 <= v <= 1200]
    for number, value in enumerate(minutes[:9]):
        event = {"title": names_of(task), "start": FAR.format(number), "minutes": value}
        yield RequestedCall("calendar_create_event", event)
        yield RequestedCall("calendar_day_agenda", {"date": event["start"][:10]})
    yield RequestedCall("calendar_list_events", {"start": "2026-06-20", "end": "2026-06-30"})
    yield RequestedCall("calendar_find_events", {"title": names_of(task)[:5]})


def as_gaps_between_events(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    for value in values_of(task):
        if isinstance(value, str) and len(value) == 16 and value[10] == "T":
            if any(step.tool == "calendar_free_slots" for step in task.subtasks):
                return  # Whoever asks for that day reads the right gap.
            begin = datetime.fromisoformat(value) - timedelta(minutes=30)
            event = {"title": "x", "start": begin.isoformat()[:16], "minutes": 30}
            yield RequestedCall("calendar_create_event", event)
            yield RequestedCall("calendar_free_slots", {"date": value[:10], "minutes": 5})


def through_the_clock(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """The hour somewhere else, of an hour that was chosen for it."""
    for value in values_of(task):
        if isinstance(value, str) and len(value) == 16 and value[10] == "T":
            if any(value in str(step.arguments) for step in task.subtasks):
                continue  # The user has said it.
            early = (datetime.fromisoformat(value) - timedelta(hours=1)).isoformat()[:16]
            there = {"time": early, "source_city": "Lisbon", "target_city": "Madrid"}
            yield RequestedCall("convert_convert_time", there)


def through_sums(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    for value in values_of(task):
        if isinstance(value, int | float):
            yield RequestedCall("convert_calculate", {"expression": f"{value}-1+1"})
            yield RequestedCall("convert_statistics_of", {"values": [value, value]})
            halves = {"total": 2 * value, "people": 2}
            yield RequestedCall("convert_split_bill", halves)


def as_names_of_playlists_and_places(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    place = World(world.seed).call(
        "maps_find_places", {"city": "Oslo", "category": "museum"}
    ).value["places"][0]  # fmt: skip
    for value in values_of(task):
        label = {"place_id": place["place_id"], "label": f"{names_of(task)} {value}"}
        yield RequestedCall("maps_save_place", label)
        yield RequestedCall("media_create_playlist", {"name": str(value), "genre": "jazz"})
    yield RequestedCall("maps_list_saved_places", {})
    yield RequestedCall("media_list_playlists", {})


def through_refusals(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """Services repeat in an error what they were asked for."""
    for value in values_of(task):
        yield RequestedCall("mail_find_contact", {"name": str(value)})
        yield RequestedCall("finance_stock_quote", {"symbol": str(value)})
        yield RequestedCall("notes_find_tasks", {"title": f"no such {value}"})
        yield RequestedCall("documents_read_file", {"file_id": f"{names_of(task)} {value}"})


def through_lengths_of_lists(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """Lists of as many rows as the number, about what the step is about."""
    numbers = [value for value in values_of(task) if isinstance(value, int | float)]
    for step in task.subtasks if all(value == int(value) for value in numbers) else ():
        for name in step.about[:1]:
            for limit in (1, 2, 3, 4, 5, 7, 12):
                asked = {"city": name, "category": "pharmacy", "limit": limit}
                yield RequestedCall("maps_find_places", asked)


def by_a_table_that_is_given_back(task: CompoundTask, world: World) -> Iterator[RequestedCall]:
    """Any reservation, so that the tool was used."""
    found = world.call("restaurants_search_restaurants", {"city": "Oslo"}).value["restaurants"]
    day = "2026-05-04"
    others = (place for place in found if place["name"] not in str(task.subtasks))
    for restaurant in islice(others, 3):
        place = {"restaurant_id": restaurant["restaurant_id"], "date": day, "party": 2}
        times = world.call("restaurants_free_tables", place).value["times"]
        if times:
            table = place | {"time": times[0]}
            made = world.call("restaurants_reserve_table", table).value
            yield RequestedCall("restaurants_reserve_table", table)
            yield RequestedCall("restaurants_cancel_table", {"table_id": made["table_id"]})
            return


CHEATS: dict[str, Cheat] = {
    cheat.__name__: cheat
    for cheat in (
        through_a_note, into_a_note_that_was_there, as_words_of_a_document, as_a_label,
        as_minutes_of_events, as_gaps_between_events, through_the_clock, through_sums,
        as_names_of_playlists_and_places, through_refusals, through_lengths_of_lists,
        by_a_table_that_is_given_back,
    )
}  # fmt: skip


def attempt(cheat: Cheat, task: CompoundTask, seed: int) -> AttemptMarks:
    calls = list(cheat(task, World(seed, timed=False)))
    return mark(task, calls, answers_of(task), seed)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", CHEATS)
def test_a_value_that_was_not_read_is_not_proved(name: str, step: int) -> None:
    for level in ("easy", "hard", "purpose"):
        bundled = load_bundled(level)
        for task in bundled.tasks[::step]:
            marks = attempt(CHEATS[name], task, bundled.world_seed)
            slots = {goal.goal_id for goal in task.goals if goal.slot is not None}
            assert not slots.intersection(marks.done), task.task_id
