"""Drills: conversations about every tool of the world, for what scenes do not reach.

Scenes use a part of the world's tools; an agent that learns from scenes alone learns those by heart
and fails at a tool that it has not met. Nine of ten exercises of a drill are in people's words
(`natural`), the others in those of tool descriptions (`mechanical`); two to five make a
conversation. Takes settings, returns conversations whose calls were all made in the world that they
are about. No six words of a test prompt stand in them, and an exercise whose question and answer
belong to a test task is dropped.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import count as count_up
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from agentdyno.engines.children import isolated_context
from agentdyno_bench.tps.tasks.dataset import bundled
from agentdyno_bench.tps.tasks.screening import answered_pairs
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_depth.engines.dialect import write_call, write_results, write_turn
from agentdyno_train.asks import Ask, read_asks
from agentdyno_train.environment import begun_with, chat_tools
from agentdyno_train.exercises import Exercise, Played, play
from agentdyno_train.mechanical import mechanical_exercises
from agentdyno_train.natural import natural_exercise
from agentdyno_train.offering import FEWEST, among
from agentdyno_train.plans import Conversation
from agentdyno_train.slots import Slots

FEWEST_ASKS, MOST_ASKS = 2, 5
"""Exercises of one conversation."""
MECHANICAL = 0.1
"""Share of exercises in the words of tool descriptions."""
MOST_TOOLS = 48
"""Tools on offer, as many as the benchmark's rule offers."""
WINDOW = 6_200
"""Characters of a conversation besides the brief: about 2,200 tokens with it."""
LINE, CALL = 100, 90
"""Characters of a tool on offer, and of a call without its result."""
MOST_LATE = 20
MANY = 2_000
"""Conversations from which on every processor makes some: the worlds are independent."""
TRIES = 6
"""Draws for one ask before the next one's turn comes."""
OPENINGS = (
    "Hi! ", "Morning. ", "Could you help me with a few things? ", "A couple of things. ",
    "Some errands for you:\n", "Before I go into my meeting: ", "Hello, this is what I need.\n",
)  # fmt: skip
OPENED = 0.35
LINKS = (
    " ", " ", "\n", "\n", "\n\n", " Also: ", " And: ", " Next: ", " Oh, and: ", " Something else: ",
    "\nThen: ", "\nBesides that: ", " By the way: ", " And another thing. ", "\nPlus: ",
)  # fmt: skip
LAST = (" Lastly: ", "\nFinally: ", " Last but not least: ")
"""Links that only the last can follow."""
ENDS = (".", "?", "!", "”")

PHRASE = 6
"""Words that a drill may not have in common with a test prompt."""
_WORDS, _QUOTED = re.compile(r"[\w']+"), re.compile("“[^”]*”")

Made = TypeVar("Made")

Held = set[tuple[frozenset[str], str]]
"""What test tasks ask about, with the answer."""


class Drill(Struct, frozen=True):
    """Some exercises as they are put to an agent."""

    world: int
    """Seed of the world that they are about."""
    number: int
    """Among the drills of that world."""
    exercises: list[Exercise]
    """What is wished."""
    played: Played
    """What came of doing them."""
    prompt: str
    """What the user says."""
    tools: list[str]
    """Tools on offer."""


def drill_conversations(
    count: int, seed: int, worlds: Sequence[int], most_tools: int = MOST_TOOLS
) -> list[Conversation]:
    """So many conversations of drills, over these worlds in turn; equal arguments, equal drills."""
    return for_worlds(partial(_of_world, seed=seed, most_tools=most_tools), count, worlds)


def for_worlds(
    made: Callable[[tuple[int, int]], list[Made]], count: int, worlds: Sequence[int]
) -> list[Made]:
    """What a function makes of worlds, each with its share of a count; of many, in processes."""
    each = -(-count // max(1, len(worlds)))
    shares = [min(each, count - at * each) for at in range(len(worlds))]
    wanted = [(world, share) for world, share in zip(worlds, shares, strict=True) if share > 0]
    if count < MANY:
        return [one for share in wanted for one in made(share)]
    with ProcessPoolExecutor(mp_context=isolated_context()) as pool:
        return [one for ones in pool.map(made, wanted) for one in ones]


def _of_world(wanted: tuple[int, int], seed: int, most_tools: int) -> list[Conversation]:
    world, count = wanted
    return [_conversation(drill) for drill in islice(drills_of(world, seed, most_tools), count)]


def drills_of(world: int, seed: int, most_tools: int = MOST_TOOLS) -> Iterator[Drill]:
    """The drills of a world, without end."""
    rng = random.Random(f"drills-{seed}-{world}")
    stream = _Stream(_exercises(world, rng, held_pairs()))
    for number in count_up():
        yield _drill(stream, world, number, most_tools, rng)


class _Stream:
    """Exercises in turn; what found no room opens a later conversation, where it has the most."""

    def __init__(self, exercises: Iterator[Exercise]) -> None:
        self._exercises = exercises
        self._late: list[Exercise] = []

    def draw(self, first: bool) -> Exercise:
        """The next one."""
        return self._late.pop(0) if first and self._late else next(self._exercises)

    def put_off(self, exercise: Exercise) -> None:
        """Keeps one for later; forgets it when many wait already."""
        if len(self._late) < MOST_LATE:
            self._late.append(exercise)


@cache
def held_pairs() -> Held:
    """What test tasks ask about, each with its answer: no lesson may ask it."""
    return {pair for task in _test_tasks() for pair in answered_pairs(task)}


def _test_tasks() -> list[CompoundTask]:
    return [*bundled("easy").tasks, *bundled("hard").tasks]


@cache
def _test_phrases() -> frozenset[tuple[str, ...]]:
    return frozenset().union(*(_phrases(task.prompt) for task in _test_tasks()))


def _phrases(text: str) -> set[tuple[str, ...]]:
    """Runs of six words; a quoted title is the world's and counts as one word."""
    words = _WORDS.findall(_QUOTED.sub("_", text).lower())
    return {tuple(words[at : at + PHRASE]) for at in range(len(words) - PHRASE + 1)}


def _exercises(world: int, rng: random.Random, held: Held) -> Iterator[Exercise]:
    """Exercises without end, in people's words and in those of descriptions."""
    natural, mechanical = _natural(world, rng), mechanical_exercises(world, rng)
    while True:
        exercise = next(mechanical if rng.random() < MECHANICAL else natural)
        played = play(world, [exercise])
        if played is not None and not _is_held(played, held):
            yield exercise


def _natural(world: int, rng: random.Random) -> Iterator[Exercise]:
    """Every tool about as often as any other, each time in another wording."""
    slots = Slots(world)
    by_tool: dict[str, list[Ask]] = {}
    for ask in read_asks():
        by_tool.setdefault(ask.tool, []).append(ask)
    tools = list(by_tool)
    while True:
        rng.shuffle(tools)
        for tool in tools:
            wordings = [(ask, saying) for ask in by_tool[tool] for saying in ask.says]
            for _ in range(TRIES):
                ask, saying = rng.choice(wordings)
                exercise = natural_exercise(ask, saying, world, slots, rng)
                if exercise is not None:
                    yield exercise
                    break


def _is_held(played: Played, held: Held) -> bool:
    """Whether what is asked about and its answer are those of a test task."""
    about = " ".join(str(value) for call in played.made for value in call.arguments.values())
    results = " ".join(call.text for call in played.made)
    return any(
        texts and all(text in about for text in texts) and _stands(value, results)
        for texts, value in held
    )


def _stands(value: str, results: str) -> bool:
    """Whether a value stands there as a whole: 2 is not in 2026, nor BER in a flight's id."""
    if value not in results:
        return False
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\d)", results) is not None


def _drill(stream: _Stream, world: int, number: int, most_tools: int, rng: random.Random) -> Drill:
    size = rng.randint(min(FEWEST, most_tools), most_tools)
    exercises, played = _together(stream, world, WINDOW - size * LINE, rng)
    prompt = _prompt([exercise.asks for exercise in exercises], rng)
    if _phrases(prompt) & _test_phrases():
        return _drill(stream, world, number, most_tools, rng)
    needed = list(dict.fromkeys(call.tool for call in played.made))
    spare = (WINDOW - _length(exercises, played)) // LINE
    tools = among(prompt, needed, max(len(needed), FEWEST, min(size, spare)), rng)
    return Drill(world, number, exercises, played, prompt, tools)


def _conversation(drill: Drill) -> Conversation:
    messages = begun_with(drill.prompt, chat_tools(drill.tools))
    return Conversation(
        f"drill-{drill.number:04d}", drill.world, [*messages, *_turns(drill.played)]
    )


def _together(
    stream: _Stream, world: int, room: int, rng: random.Random
) -> tuple[list[Exercise], Played]:
    """Exercises that can be done in one go: none undoes another, and there is room for all."""
    wanted = rng.randint(FEWEST_ASKS, MOST_ASKS)
    exercises: list[Exercise] = []
    played: Played | None = None
    for _ in range(4 * wanted):
        tried = [*exercises, stream.draw(first=played is None)]
        both = play(world, tried)
        enough = room if len(tried) > FEWEST_ASKS else WINDOW - FEWEST * LINE
        if both is not None and (_length(tried, both) <= enough or played is None):
            exercises, played = tried, both
        elif both is not None:
            stream.put_off(tried[-1])
        if len(exercises) == wanted:
            break
    return _together(stream, world, room, rng) if played is None else (exercises, played)


def _length(exercises: Sequence[Exercise], played: Played) -> int:
    """Characters of all but the offer."""
    said = sum(len(exercise.asks) for exercise in exercises)
    said += sum(map(len, played.answers)) + sum(map(len, played.thoughts))
    return said + sum(len(call.text) + CALL for call in played.made)


def _prompt(asks: Sequence[str], rng: random.Random) -> str:
    text = rng.choice(OPENINGS) if rng.random() < OPENED else ""
    for number, ask in enumerate(asks, 1):
        text += ask if ask.endswith(ENDS) else f"{ask}."
        if number < len(asks):
            text += rng.choice(LINKS if number < len(asks) - 1 else (*LINKS, *LAST))
    return text


def _turns(played: Played) -> list[ChatMessage]:
    messages = []
    for level, thought in zip(played.levels, played.thoughts, strict=False):
        calls = "\n".join(write_call(call.tool, call.arguments) for call in level)
        said = ChatMessage("assistant", write_turn(thought, calls))
        messages += [said, write_results(call.text for call in level)]
    answer = write_turn(played.thoughts[-1], "\n".join(played.answers))
    return [*messages, ChatMessage("assistant", answer)]
