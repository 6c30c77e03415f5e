"""The questions: a seeded set of small word problems written here, or those of a file.

The built-in set is made for the embedded model of 135 million parameters, which solves such
problems sometimes: products of small numbers about half of the time, sums less often, differences
and anything in two steps hardly ever (so there are none). The same number and seed give the same
problems on any machine; the first ten of forty are the ten. Knows nothing of prompts.
"""

import random
from collections.abc import Callable
from pathlib import Path

from agentdyno.records import InputError, printable
from agentdyno_depth.records.thinking import Problem

BUILTIN = "builtin"
BUILTIN_PROBLEMS = 40
BUILTIN_EXAMPLES = 3
"""Worked examples that go before each."""
SEED = 20_261


def load_problems(name: str, limit: int | None = None) -> list[Problem]:
    """`builtin`, or the problems of a JSONL file."""
    items = arithmetic(limit or BUILTIN_PROBLEMS) if name == BUILTIN else read_problems(Path(name))
    return items[:limit]


def arithmetic(count: int = BUILTIN_PROBLEMS, seed: int = SEED) -> list[Problem]:
    """Word problems with small numbers, the kinds in turn."""
    problems = []
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        question, answer = KINDS[number % len(KINDS)](chance)
        problems.append(Problem(f"arithmetic-{number:03}", question, str(answer)))
    return problems


def _each_holder(chance: random.Random) -> tuple[str, int]:
    thing, holder = chance.choice(THINGS), chance.choice(HOLDERS)
    count, per_holder = chance.randint(2, 9), chance.randint(2, 9)
    question = (
        f"There are {count} {holder} with {per_holder} {thing} in each of them. "
        f"How many {thing} are there in total?"
    )
    return question, count * per_holder


def _each_day(chance: random.Random) -> tuple[str, int]:
    name, thing = chance.choice(NAMES), chance.choice(THINGS)
    days, per_day = chance.randint(2, 7), chance.randint(2, 9)
    question = (
        f"{name} collects {per_day} {thing} on each of {days} days. "
        f"How many {thing} are there in total?"
    )
    return question, days * per_day


def _rows(chance: random.Random) -> tuple[str, int]:
    thing = chance.choice(THINGS)
    rows, per_row = chance.randint(2, 9), chance.randint(2, 9)
    question = (
        f"Someone lays out {rows} rows of {thing}, and each row has {per_row} {thing}. "
        f"How many {thing} are there in total?"
    )
    return question, rows * per_row


def _some_more(chance: random.Random) -> tuple[str, int]:
    name, thing = chance.choice(NAMES), chance.choice(THINGS)
    have, more = chance.randint(3, 9), chance.randint(2, 9)
    question = (
        f"{name} has {have} {thing} and finds {more} more. How many {thing} does {name} have now?"
    )
    return question, have + more


NAMES = ("Mia", "Omar", "Lena", "Ravi", "Sofia", "Jonas")
THINGS = ("shells", "stamps", "marbles", "pens", "cards", "apples")
HOLDERS = ("boxes", "bags", "trays", "baskets")
KINDS: tuple[Callable[[random.Random], tuple[str, int]], ...] = (
    _each_holder,
    _each_day,
    _rows,
    _some_more,
)


def read_problems(path: Path) -> list[Problem]:
    """The problems of a file, a JSON object on each line."""
    import msgspec

    if not path.is_file():
        raise InputError(f"{path}: expected builtin or a JSONL file of problems, found none there.")
    decoder = msgspec.json.Decoder(Problem)
    problems: dict[str, Problem] = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            problem = decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise InputError(
                f"{path}: line {number}: expected an object with problem_id, question and answer "
                f"(and kind choice with choices), found: {printable(str(error), 200)}"
            ) from None
        _check(problem, problems, f"{path}: line {number}")
        problems[problem.problem_id] = problem
    if not problems:
        raise InputError(f"{path}: expected problems, found an empty file.")
    return list(problems.values())


def _check(problem: Problem, problems: dict[str, Problem], where: str) -> None:
    if problem.problem_id in problems:
        raise InputError(
            f"{where}: expected a problem_id of its own, found "
            f"{printable(problem.problem_id)} again."
        )
    letters = {chr(65 + index) for index in range(len(problem.choices))}
    if problem.kind == "choice" and problem.answer.strip().strip("().").upper() not in letters:
        raise InputError(
            f"{where}: expected an answer that is the letter of one of its {len(letters)} choices, "
            f"found {printable(problem.answer)}."
        )
