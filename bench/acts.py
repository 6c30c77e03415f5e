"""Cheats and honest forms of answers and letters over all planning tasks, as a table.

    python bench/acts.py            every task of easy, hard and purpose
    python bench/acts.py --step 16  every sixteenth

A cheat should earn none of the goals that it is about, an honest form all of them; exit 1 where
one does not. Cheats know the right values, which is more than any agent does.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import structs

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.bench.tps.outcomes import cheats, letter_cheats
from tests.bench.tps.outcomes.test_submission import OTHER_CHEATS, run_of
from tests.labelled import read_set

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.replaying import AnyCall
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import PlanRun, run_plan
from agentdyno_bench.tps.tasks.values import CompoundTask, Level
from agentdyno_bench.tps.world import World

BY_ANOTHER = [row["case"] for row in read_set("cases/bench/tps/outcomes/letters")]
"""Letters whose author knew only what the tools' schemas say."""
LEVELS: tuple[Level, ...] = ("easy", "hard", "purpose")
Name = tuple[str, str, bool]
"""What it is about, its name, and whether it is honest."""
Attempt = tuple[Name, list[str], Sequence[AnyCall], list[str]]
"""One attempt: its name, the goals it is about, its calls and its answers."""


def _attempts(task: CompoundTask, run: PlanRun, seen: Seen, seed: int) -> Iterator[Attempt]:
    asked = [goal.goal_id for goal in task.goals if goal.slot is not None]
    answer = partial(_of, "answer", asked)
    for name, cheat in cheats.CHEATS.items():
        yield answer(name, False, run.calls, cheats.cheat_all(task, cheat, seen))
    for name, write in OTHER_CHEATS.items():
        yield answer(name, False, run.calls, write(task, run))
    refused = [structs.replace(call, ran=False) for call in run.calls]
    yield answer("right, without a call", False, [], run.answers)
    yield answer("right, every call refused", False, refused, run.answers)
    for name, form in cheats.HONEST.items():
        yield answer(name, True, run.calls, cheats.submit_all(task, form))
    letter = partial(_of, "letter", list(letter_cheats.written_goals(task)))
    plan = run_plan(task, World(seed, timed=False), by_levels=False).calls
    for name, change in letter_cheats.CHEATS.items():
        yield letter(name, False, letter_cheats.write_letters(task, plan, change, seen), [])
    for name, letters in BY_ANOTHER:
        written = letter_cheats.by_another_author(letters)
        goals = list(letter_cheats.goals_of_another(task, letters))
        calls = letter_cheats.write_letters(task, plan, written, seen)
        yield _of("letter by another author", goals, name, False, calls, [])
    yield letter("right, but refused", False, refused, [])
    for name, change in letter_cheats.HONEST.items():
        yield letter(name, True, letter_cheats.write_letters(task, plan, change, seen), [])


def _of(
    kind: str,
    goals: list[str],
    name: str,
    honest: bool,
    calls: Sequence[AnyCall],
    answers: list[str],
) -> Attempt:
    return (kind, name, honest), goals, calls, answers


def main(step: int) -> int:
    """Prints the table."""
    met: dict[Name, int] = {}
    of: dict[Name, int] = {}
    for level in LEVELS:
        for place in range(0, len(load_bundled(level).tasks), step):
            task, run, seen, seed = run_of(level, place)
            for tried, goals, calls, answers in _attempts(task, run, seen, seed):
                done = mark(task, calls, answers, seed).done if goals else []
                met[tried] = met.get(tried, 0) + len(set(goals).intersection(done))
                of[tried] = of.get(tried, 0) + len(goals)
            run_of.cache_clear()
    print("| of | | what is done | goals earned |\n|---|---|---|---:|")
    for (kind, name, honest), earned in met.items():
        total = of[kind, name, honest]
        print(f"| {kind} | {'form' if honest else 'cheat'} | {name} | {earned:,} of {total:,} |")
    wrong = [tried for tried, earned in met.items() if earned != (of[tried] if tried[2] else 0)]
    print(f"\n{len(met) - len(wrong)} of {len(met)} earn what they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--step", type=int, default=1)
    sys.exit(main(parser.parse_args().step))
