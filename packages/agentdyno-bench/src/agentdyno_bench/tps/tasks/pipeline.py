"""Makes tasks: tools -> subtasks -> compounds -> screening, all from one seed.

A scene turns tools into a few subtasks with their values; several scenes become a compound; what
does not pass the screening is thrown away and drawn again. The world is fresh for every compound,
so no task depends on another. Easy tasks join two to five subtasks of small scenes; hard ones join
chains and end with something that needs all of them, up to fifty subtasks. Tasks with a purpose
are one scene each, all scenes in turn, with every rule once kept and once in the way.
"""

import copy
import itertools
import random
from collections.abc import Iterable

from msgspec import structs

from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.scenes import (
    CHAINS,
    CLOSINGS,
    PURPOSES,
    SMALL,
    chains_for,
    closings_for,
    outcome_words,
    small_for,
)
from agentdyno_bench.tps.tasks.screening import Screen
from agentdyno_bench.tps.tasks.values import CompoundTask, Level
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

EASY_LARGEST = 5
HARD_LARGEST = 50
HARD_SMALLEST = 6
OFTEN = 2
"""How often one task may want the same thing of different objects."""
_PATIENCE = 40
"""Attempts at one scene before the compound is given up."""
_PURPOSE_TRIES = 150
"""Drafts of one scene with a purpose before the next scene takes its place."""
_STRIDE = 100_000
"""Between the numbers of two drafts for the same place."""

OPENINGS = (
    "", "", "", "Hi, a few things at once. ", "I need some help today. ",
    "Quick list of what is on my mind. ", "Could you sort this out for me? ",
    "Before I leave the office: ",
)  # fmt: skip
BRIDGES = ("", "", "Also: ", "And then: ", "Besides: ", "Apart from that: ", "One more thing. ")


def make_tasks(
    counts: dict[Level, int], seed: int = 1, world_seed: int = DEFAULT_SEED
) -> list[CompoundTask]:
    """So many tasks of each level; no two share what they are about."""
    screen = Screen(world_seed)
    accepted: list[CompoundTask] = []
    for level, count in counts.items():
        drafts = find_drafts(level, count, screen, seed, world_seed)
        accepted += _number(level, drafts.values())
    return accepted


def find_drafts(
    level: Level, count: int, screen: Screen, seed: int = 1, world_seed: int = DEFAULT_SEED
) -> dict[int, CompoundTask]:
    """The first drafts that pass the screen, by their numbers."""
    drafts: dict[int, CompoundTask] = {}
    for first in itertools.count(1):
        if len(drafts) == count or (level == "purpose" and first > 10 * count + len(PURPOSES)):
            break
        tries = _PURPOSE_TRIES if level == "purpose" else 1
        for number in range(first, first + tries * _STRIDE, _STRIDE):
            task = draw(level, number, seed, world_seed)
            if task and screen.refusal(task) is None:
                drafts[number] = task
                break
    return drafts


def redraw(
    level: Level, draws: Iterable[int], seed: int = 1, world_seed: int = DEFAULT_SEED
) -> list[CompoundTask]:
    """The tasks of drafts that were once accepted."""
    drafts = (draw(level, number, seed, world_seed) for number in draws)
    return _number(level, (task for task in drafts if task))


def _number(level: Level, tasks: Iterable[CompoundTask]) -> list[CompoundTask]:
    numbered = enumerate(tasks, 1)
    return [structs.replace(task, task_id=f"{level}-{n:03d}") for n, task in numbered]


def draw(level: Level, number: int, seed: int, world_seed: int) -> CompoundTask | None:
    """One draft; None where its scenes do not work out."""
    rng = random.Random(f"{seed}-{level}-{number}")
    if level == "purpose":
        return _draw_purpose(number, rng, seed, world_seed)
    easy = level == "easy" or (level == "train" and rng.random() < 0.5)
    draft = Draft(World(world_seed), rng)
    test = level != "train"
    try:
        _compose_easy(draft, test) if easy else _compose_hard(draft, test)
    except DraftError:
        return None
    return CompoundTask("", level, prompt(draft), draft.scenes, draft.subtasks(), draft.goals())


def _draw_purpose(
    number: int, rng: random.Random, seed: int, world_seed: int
) -> CompoundTask | None:
    slot = number % _STRIDE
    order = random.Random(seed).sample(sorted(PURPOSES), len(PURPOSES))
    round_number, at = divmod(slot, len(order))
    draft = Draft(World(world_seed), rng)
    draft.wanted = bool((round_number + at) % 2)
    try:
        PURPOSES[order[at]](draft)
        return CompoundTask(
            "", "purpose", draft.sentences[0], [order[at]], draft.subtasks(), draft.goals(),
            draft.follow_ups, draft.forbidden,
        )  # fmt: skip
    except DraftError:
        return None


def _compose_easy(draft: Draft, test: bool) -> None:
    counts = draft.rng.randint(2, EASY_LARGEST)
    names_available = small_for(test)
    names = draft.rng.sample(names_available, len(names_available))
    while names and len(draft.steps) < counts:
        _try(draft, names.pop(), counts)
    if len(draft.scenes) < 2:
        raise DraftError("fewer than two goals")


def _try(draft: Draft, name: str, largest: int) -> None:
    """Adds a scene when it works out and fits."""
    for _ in range(_PATIENCE):
        branch = copy.deepcopy(draft)
        try:
            SMALL[name](branch)
        except DraftError:
            draft.rng.random()
            continue
        if len(branch.steps) <= largest:
            branch.scenes.append(name)
            draft.__dict__.update(branch.__dict__)
        return


def _compose_hard(draft: Draft, test: bool) -> None:
    counts = draft.rng.choice((*range(HARD_SMALLEST, 20), *range(20, HARD_LARGEST + 1, 3)))
    outcomes = []
    for _ in range(_PATIENCE):
        room = counts - len(draft.steps) - 2
        if room < 3:
            break
        name = draft.rng.choice(chains_for(test))
        if draft.scenes.count(name) == OFTEN:
            continue
        branch = copy.deepcopy(draft)
        branch.rng.seed(draft.rng.random())
        try:
            outcome = CHAINS[name](branch)
        except DraftError:
            continue
        if len(branch.steps) - len(draft.steps) <= room:
            branch.scenes.append(name)
            outcomes.append((name, outcome))
            draft.__dict__.update(branch.__dict__)
    if not outcomes:
        raise DraftError("no chain fits")
    _close(draft, outcomes, test)


def _close(draft: Draft, outcomes: list[tuple[str, dict[str, object]]], test: bool) -> None:
    name = draft.rng.choice(closings_for(test))
    CLOSINGS[name](draft, [outcome for _, outcome in outcomes])
    draft.scenes.append(name)
    reasons = outcome_words([chain for chain, _ in outcomes])
    draft.sentences[-1] = draft.sentences[-1].replace("{outcomes}", reasons)
    if not HARD_SMALLEST <= len(draft.steps) <= HARD_LARGEST:
        raise DraftError("too small or too large")


def prompt(draft: Draft) -> str:
    """The sentences of all scenes, joined as somebody would say them."""
    text = draft.rng.choice(OPENINGS) + draft.sentences[0]
    for index, sentence in enumerate(draft.sentences[1:], 2):
        # What closes a task says itself that it comes last.
        closes = index == len(draft.sentences) and draft.scenes[-1] in CLOSINGS
        text += " " + ("" if closes else draft.rng.choice(BRIDGES)) + sentence
    return text
