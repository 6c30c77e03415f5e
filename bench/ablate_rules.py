"""Leaves out each rule of the reader in turn and says what it costs the labelled answers.

A rule is a cue of a stance, a named pattern, a pair of contrary words or of opposite states, or a
word that gives a name another part (`matching/commitments/cues.toml`). For each the script counts
answers that were right and no longer are, and answers that became right. A rule whose removal costs
nothing can go.

    python bench/ablate_rules.py [--sets 27 28 29] [--all]
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.answer_sets import Case, load, names

from agentdyno.findings.failures import classify
from agentdyno.matching.commitments import cues as words
from agentdyno.matching.commitments import stance

NOTHING = re.compile(r"(?!)")
STRUCTURE = {"clause", "abbreviation", "yes", "no", "negated"}
"""Patterns that cut texts or carry a whole kind of value, and are no single rules."""


def main() -> None:
    """Prints a line per rule, by default only for those whose removal costs nothing."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sets", nargs="*", default=names())
    asked.add_argument("--all", action="store_true", help="also rules that cost something")
    options = asked.parse_args()
    cases = [case for name in options.sets for case in load(name)]
    before, fired = _baseline(cases)
    print(f"{len(cases)} answers, {sum(each is True for each in before)} right", flush=True)
    for name, without in rules():
        # Only where a cue held can its absence change anything.
        places = fired.get(name, range(len(cases)) if not name.startswith("cue") else [])
        with without():
            after = {place: is_right(cases[place]) for place in places}
        lost = sum(before[place] is True and found is not True for place, found in after.items())
        wrong = sum(before[place] is not False and found is False for place, found in after.items())
        won = sum(before[place] is not True and found is True for place, found in after.items())
        if options.all or (not lost and not wrong):
            print(f"{name:40} lost {lost:4}  wrong {wrong:4}  won {won:4}", flush=True)


class Recorder:
    """A pattern that remembers that it was found."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.found = False

    def search(self, *text: Any) -> re.Match[str] | None:
        """As of the pattern."""
        found = self.pattern.search(*text)
        self.found = self.found or found is not None
        return found


def _baseline(cases: list[Case]) -> tuple[list[bool | None], dict[str, list[int]]]:
    """What is right with all rules, and where each cue was found."""
    kept, right, fired = stance.CUES, [], defaultdict(list)
    recorders = [Recorder(cue.pattern) for cue in kept]
    pairs = zip(kept, recorders, strict=True)
    stance.CUES = tuple(cue._replace(pattern=each) for cue, each in pairs)  # type: ignore[arg-type]
    for place, case in enumerate(cases):
        right.append(is_right(case))
        for cue, recorder in zip(kept, recorders, strict=True):
            if recorder.found:
                fired[f"cue: {cue.name}"].append(place)
            recorder.found = False
    stance.CUES = kept
    return right, fired


def is_right(case: Case) -> bool | None:
    """None for unclear."""
    label = classify("own", case.task, case.answer).label
    return None if label is None else label == case.label


def rules() -> Iterator[tuple[str, Callable[[], AbstractContextManager[None]]]]:
    """Every rule with what switches it off for a while."""
    for number, cue in enumerate(stance.CUES):
        yield f"cue: {cue.name}", partial(without_cue, number)
    for name in words.cues()["patterns"]:
        if name not in STRUCTURE:
            yield f"pattern: {name}", partial(without_pattern, name)
    for name in ("poles", "opposites"):
        for number, pair in enumerate(words.cues()[name]):
            yield f"{name}: {pair[0]}", partial(without_pair, name, number)
    for name in words.cues()["preposed"]:
        yield f"preposed: {name}", partial(without_preposed, name)


@contextmanager
def without_cue(number: int) -> Iterator[None]:
    """The reader without one cue."""
    kept = stance.CUES
    stance.CUES = (*kept[:number], *kept[number + 1 :])
    try:
        yield
    finally:
        stance.CUES = kept


@contextmanager
def without_pattern(name: str) -> Iterator[None]:
    """The reader with a pattern that matches nothing."""
    yield from _swapped(words.cues()["patterns"], name, NOTHING.pattern, words.pattern.cache_clear)


@contextmanager
def without_pair(name: str, number: int) -> Iterator[None]:
    """The reader without one pair of words."""
    yield from _swapped(words.cues()[name], number, ["", ""], words.pairs.cache_clear)


@contextmanager
def without_preposed(name: str) -> Iterator[None]:
    """The reader without one word before names."""
    yield from _swapped(words.cues()["preposed"], name, "", lambda: None)


def _swapped(
    table: object, key: object, value: object, forget: Callable[[], None]
) -> Iterator[None]:
    kept = table[key]  # type: ignore[index]
    table[key] = value  # type: ignore[index]
    forget()
    try:
        yield
    finally:
        table[key] = kept  # type: ignore[index]
        forget()


if __name__ == "__main__":
    main()
