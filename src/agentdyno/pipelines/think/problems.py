"""The questions: a seeded set of small word problems written here, or those of a file.

The built-in set is made for the embedded model of 135 million parameters, which solves such
problems sometimes. The same number and seed give the same problems on any machine; the first ten
of forty are the ten. Knows nothing of prompts.
"""

import random
from collections.abc import Callable
from pathlib import Path

from agentdyno.records import InputError, printable
from agentdyno.records.thinking import Problem

BUILTIN = "builtin"
BUILTIN_PROBLEMS = 40
SEED = 20_261


def named_problems(name: str, limit: int | None = None) -> list[Problem]:
    """`builtin`, or the problems of a JSONL file."""
    found = arithmetic(limit or BUILTIN_PROBLEMS) if name == BUILTIN else read_problems(Path(name))
    return found[:limit]


def arithmetic(count: int = BUILTIN_PROBLEMS, seed: int = SEED) -> list[Problem]:
    """Word problems with small numbers, the kinds in turn."""
    made = []
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        question, answer = KINDS[number % len(KINDS)](chance)
        made.append(Problem(f"arithmetic-{number:03}", question, str(answer)))
    return made


def _sum_of_three(chance: random.Random) -> tuple[str, int]:
    a, b, c = (chance.randint(3, 29) for _ in range(3))
    return f"What is {a} + {b} + {c}?", a + b + c


def _found_and_given(chance: random.Random) -> tuple[str, int]:
    name, thing = chance.choice(NAMES), chance.choice(THINGS)
    have, more = chance.randint(10, 40), chance.randint(5, 30)
    gone = chance.randint(2, 20)
    question = (
        f"{name} has {have} {thing}, finds {more} more and then gives {gone} to a friend. "
        f"How many {thing} does {name} have now?"
    )
    return question, have + more - gone


def _boxes_less_some(chance: random.Random) -> tuple[str, int]:
    thing, holder = chance.choice(THINGS), chance.choice(HOLDERS)
    count, each = chance.randint(3, 9), chance.randint(3, 9)
    sold = chance.randint(2, count * each - 1)
    question = (
        f"A shop has {count} {holder} with {each} {thing} in each of them. It sells {sold} "
        f"{thing}. How many {thing} are left?"
    )
    return question, count * each - sold


def _product_and_sum(chance: random.Random) -> tuple[str, int]:
    a, b, c = chance.randint(3, 9), chance.randint(3, 9), chance.randint(2, 20)
    return f"What is {a} * {b} + {c}?", a * b + c


NAMES = ("Mia", "Omar", "Lena", "Ravi", "Sofia", "Jonas")
THINGS = ("shells", "stamps", "marbles", "pens", "cards", "apples")
HOLDERS = ("boxes", "bags", "trays", "baskets")
KINDS: tuple[Callable[[random.Random], tuple[str, int]], ...] = (
    _sum_of_three,
    _found_and_given,
    _boxes_less_some,
    _product_and_sum,
)


def read_problems(path: Path) -> list[Problem]:
    """The problems of a file, a JSON object on each line."""
    import msgspec

    if not path.is_file():
        raise InputError(f"{path}: expected builtin or a JSONL file of problems, found none there.")
    decoder = msgspec.json.Decoder(Problem)
    found: dict[str, Problem] = {}
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
        _check(problem, found, f"{path}: line {number}")
        found[problem.problem_id] = problem
    if not found:
        raise InputError(f"{path}: expected problems, found an empty file.")
    return list(found.values())


def _check(problem: Problem, found: dict[str, Problem], where: str) -> None:
    if problem.problem_id in found:
        raise InputError(
            f"{where}: expected a problem_id of its own, found "
            f"{printable(problem.problem_id)} again."
        )
    letters = {chr(65 + place) for place in range(len(problem.choices))}
    if problem.kind == "choice" and problem.answer.strip().strip("().").upper() not in letters:
        raise InputError(
            f"{where}: expected an answer that is the letter of one of its {len(letters)} choices, "
            f"found {printable(problem.answer)}."
        )
