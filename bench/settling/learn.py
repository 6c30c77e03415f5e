"""Learns which words tell the value that an answer settles on, from the hard sets of the tests.

    python bench/settling/learn.py            # how well answers of a set are told that was left out
    python bench/settling/learn.py --write    # learn from all of them, and keep the weights

`frames.txt` adds sentences of our own to what is learned from; nothing is scored on them.

A sign's weight is that of a logistic regression with a penalty on its square. An answer counts as
settling on the returned value unless its label is `result_ignore`; answers that swap values or
leave them out say nothing of it and are not looked at.
"""

import argparse
import importlib
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FRAMES = Path(__file__).with_name("frames.txt")
sys.path.insert(0, str(ROOT))

from agentdyno.matching.legacy_values import Found, rejection  # noqa: E402
from agentdyno.metrics.failures import own_rule, settled_value  # noqa: E402
from agentdyno.metrics.failures.calls import missing_call  # noqa: E402
from agentdyno.metrics.failures.read_answer import read_answer  # noqa: E402
from agentdyno.metrics.failures.rivals import rivals_of  # noqa: E402
from agentdyno.metrics.failures.settled_value import Rival  # noqa: E402
from agentdyno.records.failures import CallMade, ToolAnswer, ToolTask  # noqa: E402

WEIGHTS = ROOT / "src/agentdyno/metrics/failures/settling_weights.json"
PENALTY = 0.5
LEAST_SEEN = 2
"""Answers that have to show a sign before it counts."""
EARLIEST = 8
"""Sets before the first that is told by those before it."""
LEAST_WEIGHT = 0.02
"""Weights below say nothing."""
TESTS = "tests.metrics.failures"
EARLY = {
    "test_natural_answers": ["HARD"],
    "test_more_hard_answers": ["SECOND", "THIRD"],
    "test_later_hard_answers": ["FOURTH", "FIFTH", "SIXTH"],
    "test_fresh_hard_answers": ["SEVENTH", "EIGHTH"],
}
LATE = ("ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
        "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
        "twentyfirst")  # fmt: skip
SECOND_AUTHOR = ("sixteenth", "seventeenth", "eighteenth", "nineteenth")
MINE, OTHER = "620", "845"
NO_EVIDENCE = ("swap",)
"""Kinds of answers that are wrong for another reason."""
IGNORED = "result_ignore"


class Example(NamedTuple):
    """One asked value of an answer that names another value too."""

    set_name: str
    number: int
    signs: frozenset[str]
    stands: bool


def main() -> None:
    """The table of what was left out, or the weights of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    examples = list(_examples())
    frames = list(_frames())
    if write:
        weights = learn([*examples, *frames])
        WEIGHTS.write_text(json.dumps(weights, indent=0, sort_keys=True, ensure_ascii=False) + "\n")
        print(f"{len(weights)} weights of {len(examples)} values: {WEIGHTS.name}")
        return
    sets = list(dict.fromkeys(example.set_name for example in examples))
    author = [s for s in sets if s in SECOND_AUTHOR]
    others = [s for s in sets if s not in author]
    for more in ([], frames):
        print(f"with {len(more)} frames")
        _print("a set left out", [(s, [t for t in sets if t != s]) for s in sets], examples, more)
        earlier = [(s, sets[:n]) for n, s in enumerate(sets) if n > EARLIEST]
        _print("sets before it only", earlier, examples, more)
        _print("an author left out", [(s, others) for s in author], examples, more)
    _print("frames only", [(s, []) for s in sets], examples, frames)


def learn(examples: Sequence[Example]) -> dict[str, float]:
    """The weight of every sign that was seen often enough."""
    seen = Counter(sign for example in examples for sign in example.signs)
    names = sorted(sign for sign, count in seen.items() if count >= LEAST_SEEN)
    shown = np.array([[float(name in e.signs) for name in names] for e in examples])
    stands = np.array([float(e.stands) for e in examples])
    weights = _regress(shown, stands)
    pairs = zip(names, weights, strict=True)
    return {name: round(float(w), 2) for name, w in pairs if abs(w) >= LEAST_WEIGHT}


def _regress(shown: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Newton's steps in the examples' space, of which there are fewer than signs."""
    inner = shown @ shown.T / PENALTY
    share = np.zeros(len(stands))
    for _ in range(60):
        odds = inner @ share
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        slope = chance * (1 - chance) + 1e-6
        share = np.linalg.solve(inner + np.diag(1 / slope), odds + (stands - chance) / slope)
    return shown.T @ share / PENALTY


def _print(
    title: str,
    folds: Sequence[tuple[str, Sequence[str]]],
    examples: Sequence[Example],
    more: Sequence[Example],
) -> None:
    right = every = 0
    for left_out, kept in folds:
        weights = learn([*(e for e in examples if e.set_name in kept), *more])
        told: dict[int, bool] = {}
        truth: dict[int, bool] = {}
        for e in (e for e in examples if e.set_name == left_out):
            stands = math.fsum(weights.get(sign, 0.0) for sign in e.signs) >= 0
            told[e.number] = told.get(e.number, True) and stands
            truth[e.number] = e.stands
        right += sum(told[n] == truth[n] for n in told)
        every += len(told)
    print(f"{title}: {right} of {every}, {right / every:.3f}")


def _examples() -> Iterator[Example]:
    for name, number, task, label, answer in _answers():
        if task.kind != "required" or missing_call(task, answer):
            continue
        reading = read_answer(task, answer.answer)
        if not all(reading.found):
            continue
        claims = own_rule._invented(task, reading)
        rivalled = [
            (places, rivals)
            for places, rivals in zip(reading.found, rivals_of(task, reading, claims), strict=True)
            if rivals
        ]
        stands = label != IGNORED
        if (
            not stands
        ):  # Which of several values was set aside nobody wrote down: likely the prior's.
            rivalled.sort(key=lambda pair: -sum(r.kind == "prior" for r in pair[1]))
            rivalled = rivalled[:1]
        for places, rivals in rivalled:
            signs = settled_value.signs(answer.answer, places, rivals)
            yield Example(name, number, frozenset(signs), stands)


def _frames() -> Iterator[Example]:
    """The sentences of our own, with figures for their letters."""
    lines = [line for line in FRAMES.read_text("utf-8").splitlines() if line[:2] in ("+ ", "- ")]
    for number, line in enumerate(lines):
        text = re.sub(r"\bM\b", MINE, re.sub(r"\bO\b", OTHER, line[2:]))
        mine, other = (
            [
                Found(f.start(), f.end(), rejection(text, f.start(), f.end()))
                for f in re.finditer(figure, text)
            ]
            for figure in (MINE, OTHER)
        )
        signs = settled_value.signs(text, mine, [Rival(place, "prior") for place in other])
        yield Example("frames", number, frozenset(signs), line[0] == "+")


def _answers() -> Iterator[tuple[str, int, ToolTask, str, ToolAnswer]]:
    for module, names in EARLY.items():
        found = importlib.import_module(f"{TESTS}.{module}")
        for name in names:
            for number, (task, text, label) in enumerate(getattr(found, name)):
                yield name.lower(), number, task, label, _answer(task, text, None)
    for name in LATE:
        cases = getattr(importlib.import_module(f"{TESTS}.{name}_set"), name.upper())
        for number, case in enumerate(cases):
            if case.kind not in NO_EVIDENCE or case.label != IGNORED:
                answer = _answer(case.task, case.text, case.called)
                yield name, number, case.task, case.label, answer


def _answer(task: ToolTask, text: str, called: tuple[CallMade, ...] | None) -> ToolAnswer:
    if called is None:
        called = tuple(CallMade(step.tool, step.arguments) for step in task.script)
    return ToolAnswer(task.task_id, called, text)


if __name__ == "__main__":
    main()
