"""How a demonstration spreads its calls over turns: the style of an agent.

Reference plans make every call in its earliest turn, several at once. Real agents mostly call one
tool a turn, look at something before they go on, repeat a call or take things in another order; an
agent that has only seen plans has nothing left to learn from waiting. Takes the levels of a plan,
returns its turns. Styles change when calls are made, never what comes out.

- `parallel`: every call as early as it can be made, several in one turn.
- `single`: one call a turn, in the order of the plan.
- `shuffled`: one call a turn, those of a level in any order.
- `hesitant`: one call first, then some of the others, then the rest.
- `repeated`: one call a turn, and one that only reads is made a second time.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

Style = Literal["single", "shuffled", "hesitant", "repeated"]
Call = TypeVar("Call")


def choose_style(shares: Mapping[Style, float], rng: random.Random) -> Style | None:
    """A style by its share of the demonstrations; None is `parallel`, which has the rest."""
    drawn = rng.random()
    for style, share in sorted(shares.items()):
        drawn -= share
        if drawn < 0:
            return style
    return None


def arrange_calls(
    levels: Sequence[Sequence[Call]],
    style: Style | None,
    rng: random.Random,
    reads: Callable[[Call], bool],
) -> list[list[list[Call]]]:
    """For every level of a plan, its turns. `reads` says whether a call changes nothing."""
    turns = [_split_level(level, style, rng) for level in levels]
    readers = [
        (number, call) for number, level in enumerate(levels) for call in level if reads(call)
    ]
    if style == "repeated" and readers:
        number, call = rng.choice(readers)
        turns[number].append([call])
    return turns


def _split_level(
    level: Sequence[Call], style: Style | None, rng: random.Random
) -> list[list[Call]]:
    calls = list(level)
    if style is None:
        return [calls]
    if style == "hesitant":
        cut = rng.randint(1, len(calls))
        return [part for part in (calls[:1], calls[1:cut], calls[max(1, cut) :]) if part]
    if style == "shuffled":
        rng.shuffle(calls)
    return [[call] for call in calls]
