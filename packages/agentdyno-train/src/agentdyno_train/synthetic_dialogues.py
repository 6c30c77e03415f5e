"""Synthetic dialogues about every tool of the world, for what scenes do not reach.

Scenes use a part of the world's tools; an agent that learns from scenes alone learns those by heart
and fails at a tool that it has not met. Nine of ten exercises of a dialogue are in people's words
(`natural`), the others in those of tool descriptions (`mechanical`); two to five make a dialogue,
of which `synthetic_tasks` makes tasks and conversations. Takes settings, returns dialogues whose
calls were all executed in the world that they are about. They share no six words with a test
prompt, and an exercise is dropped whose question and answer belong to a test task, or that makes a
call of a task with a purpose.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import count as count_up
from typing import TypeVar

from msgspec import Struct

from agentdyno.engines.children import create_isolated_context
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.screening import find_answered_pairs, find_calls, name_call
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_train.exercises import Exercise, ExerciseRun, run_exercises
from agentdyno_train.mechanical import mechanical_exercises
from agentdyno_train.natural import natural_exercise
from agentdyno_train.prompt_templates import PromptTemplate, read_templates
from agentdyno_train.slots import Slots
from agentdyno_train.tool_offers import FEWEST, among

FEWEST_EXERCISES, MOST_EXERCISES = 2, 5
"""Exercises of one conversation."""
MECHANICAL = 0.1
"""Share of exercises in the words of tool descriptions."""
MOST_TOOLS = 48
"""Tools on offer, as many as the benchmark's rule offers."""
WINDOW = 6_200
"""Characters of a conversation besides the brief: about 2,200 tokens with it."""
LINE, CALL, FIELD = 100, 90, 80
"""Characters of a tool on offer, of a call without its result, and of a field that is submitted,
its place in the schema included."""
MOST_LATE = 20
MANY = 2_000
"""Conversations from which on every processor makes some: the worlds are independent."""
TRIES = 6
"""Draws for one template before the next one's turn comes."""
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
"""Words that a dialogue may not have in common with a test prompt."""
_WORDS, _QUOTED = re.compile(r"[\w']+"), re.compile("“[^”]*”")

Item = TypeVar("Item")

Held = set[tuple[frozenset[str], str]]
"""What test tasks ask about, with the answer."""


class SyntheticDialogue(Struct, frozen=True):
    """Some exercises as they are put to an agent."""

    world: int
    """Seed of the world that they are about."""
    number: int
    """Its position among the dialogues of that world."""
    exercises: list[Exercise]
    """What the user asks for, one exercise for each request."""
    run: ExerciseRun
    """What came of doing them."""
    prompt: str
    """Text of the user's message."""
    tools: list[str]


def for_worlds(
    make: Callable[[tuple[int, int]], list[Item]], count: int, worlds: Sequence[int]
) -> list[Item]:
    """Apply a function to worlds, each with its share of a count; for many, in processes."""
    per_world = -(-count // max(1, len(worlds)))
    shares = [min(per_world, count - at * per_world) for at in range(len(worlds))]
    jobs = [(world, share) for world, share in zip(worlds, shares, strict=True) if share > 0]
    if count < MANY:
        return [item for job in jobs for item in make(job)]
    with ProcessPoolExecutor(mp_context=create_isolated_context()) as pool:
        return [item for ones in pool.map(make, jobs) for item in ones]


def generate_dialogues(
    world: int, seed: int, most_tools: int = MOST_TOOLS
) -> Iterator[SyntheticDialogue]:
    """The dialogues of a world, without end."""
    rng = random.Random(f"drills-{seed}-{world}")
    stream = _Stream(_exercises(world, rng, read_test_pairs()))
    for number in count_up():
        yield _make_dialogue(stream, world, number, most_tools, rng)


class _Stream:
    """Exercises in turn; what found no room opens a later conversation, where it has the most."""

    def __init__(self, exercises: Iterator[Exercise]) -> None:
        self._exercises = exercises
        self._late: list[Exercise] = []

    def draw(self, first: bool) -> Exercise:
        """The next exercise; `first` when it opens a conversation."""
        return self._late.pop(0) if first and self._late else next(self._exercises)

    def put_off(self, exercise: Exercise) -> None:
        """Keeps one for later; forgets it when many wait already."""
        if len(self._late) < MOST_LATE:
            self._late.append(exercise)


@cache
def read_test_pairs() -> Held:
    """Questions of test tasks, each with its answer: no training task may ask one."""
    return {pair for task in _test_tasks() for pair in find_answered_pairs(task)}


@cache
def read_test_calls() -> frozenset[str]:
    """Calls of the tasks with a purpose: no training task may make one of them."""
    purpose = load_bundled("purpose")
    return frozenset().union(*(find_calls(task, purpose.world_seed) for task in purpose.tasks))


def _test_tasks() -> list[CompoundTask]:
    return [*load_bundled("easy").tasks, *load_bundled("hard").tasks]


@cache
def _test_phrases() -> frozenset[tuple[str, ...]]:
    tasks = [*_test_tasks(), *load_bundled("purpose").tasks]
    messages = [text for task in tasks for text in (task.prompt, *task.follow_ups)]
    return frozenset().union(*map(_phrases, messages))


def _phrases(text: str) -> set[tuple[str, ...]]:
    """Runs of six words; a quoted title is the world's and counts as one word."""
    words = _WORDS.findall(_QUOTED.sub("_", text).lower())
    return {tuple(words[at : at + PHRASE]) for at in range(len(words) - PHRASE + 1)}


def _exercises(world: int, rng: random.Random, test_pairs: Held) -> Iterator[Exercise]:
    """Exercises without end, in people's words and in those of descriptions."""
    natural, mechanical = _natural(world, rng), mechanical_exercises(world, rng)
    while True:
        exercise = next(mechanical if rng.random() < MECHANICAL else natural)
        run = run_exercises(world, [exercise])
        if run is not None and not _is_held(run, test_pairs) and not _is_test_call(run):
            yield exercise


def _natural(world: int, rng: random.Random) -> Iterator[Exercise]:
    """Every tool about as often as any other, each time in another wording."""
    slots = Slots(world)
    by_tool: dict[str, list[PromptTemplate]] = {}
    for template in read_templates():
        by_tool.setdefault(template.tool, []).append(template)
    tools = list(by_tool)
    while True:
        rng.shuffle(tools)
        for tool in tools:
            wordings = [
                (template, wording) for template in by_tool[tool] for wording in template.wordings
            ]
            for _ in range(TRIES):
                template, wording = rng.choice(wordings)
                exercise = natural_exercise(template, wording, world, slots, rng)
                if exercise is not None:
                    yield exercise
                    break


def _is_test_call(run: ExerciseRun) -> bool:
    return any(name_call(call.tool, call.arguments) in read_test_calls() for call in run.calls)


def _is_held(run: ExerciseRun, test_pairs: Held) -> bool:
    """True when the question and its answer are those of a test task."""
    about = " ".join(str(value) for call in run.calls for value in call.arguments.values())
    results = " ".join(call.text for call in run.calls)
    return any(
        texts and all(text in about for text in texts) and _is_in(value, results)
        for texts, value in test_pairs
    )


def _is_in(value: str, results: str) -> bool:
    """True when a value occurs as a complete word: 2 is not in 2026, nor BER in a flight's id."""
    if value not in results:
        return False
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\d)", results) is not None


def _make_dialogue(
    stream: _Stream, world: int, number: int, most_tools: int, rng: random.Random
) -> SyntheticDialogue:
    size = rng.randint(min(FEWEST, most_tools), most_tools)
    exercises, run = _together(stream, world, WINDOW - size * LINE, rng)
    prompt = _prompt([exercise.request for exercise in exercises], rng)
    if _phrases(prompt) & _test_phrases():
        return _make_dialogue(stream, world, number, most_tools, rng)
    needed = list(dict.fromkeys(call.tool for call in run.calls))
    spare = (WINDOW - _length(exercises, run)) // LINE
    tools = among(prompt, needed, max(len(needed), FEWEST, min(size, spare)), rng)
    return SyntheticDialogue(world, number, exercises, run, prompt, tools)


def _together(
    stream: _Stream, world: int, room: int, rng: random.Random
) -> tuple[list[Exercise], ExerciseRun]:
    """Exercises that can be done in one go: none undoes another, and there is room for all."""
    count = rng.randint(FEWEST_EXERCISES, MOST_EXERCISES)
    exercises: list[Exercise] = []
    run: ExerciseRun | None = None
    for _ in range(4 * count):
        tried = [*exercises, stream.draw(first=run is None)]
        both = run_exercises(world, tried)
        enough = room if len(tried) > FEWEST_EXERCISES else WINDOW - FEWEST * LINE
        if both is not None and (_length(tried, both) <= enough or run is None):
            exercises, run = tried, both
        elif both is not None:
            stream.put_off(tried[-1])
        if len(exercises) == count:
            break
    return _together(stream, world, room, rng) if run is None else (exercises, run)


def _length(exercises: Sequence[Exercise], run: ExerciseRun) -> int:
    """Characters of all but the offer."""
    length = sum(len(exercise.request) for exercise in exercises)
    length += sum(FIELD * len(exercise.answer_fields) for exercise in exercises)
    length += sum(map(len, run.thoughts))
    return length + sum(len(call.text) + CALL for call in run.calls)


def _prompt(request: Sequence[str], rng: random.Random) -> str:
    text = rng.choice(OPENINGS) if rng.random() < OPENED else ""
    for number, template in enumerate(request, 1):
        text += template if template.endswith(ENDS) else f"{template}."
        if number < len(request):
            text += rng.choice(LINKS if number < len(request) - 1 else (*LINKS, *LAST))
    return text
