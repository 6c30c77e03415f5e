"""Processor time to read a planning answer for all its goals, and to mark the whole attempt.

    python -m bench.mark_speed [--step 8]

Over every so many of the test tasks, five ways to answer. `first` is the first answer to a task in
this process, before anything of the task is remembered; `again` the fastest of seven readings of
the same answer, as in training, where a task is answered many times. The time of a fixed loop is
printed beside it, because a busy machine is slower in processor time too.
"""

import argparse
import time
from collections.abc import Callable
from statistics import fmean

from tests.bench.tps.outcomes.answers import HELPFUL
from tests.bench.tps.outcomes.reference import run_of
from tests.bench.tps.outcomes.test_answers import TESTS

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.answering import Text
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import goals_of
from agentdyno_bench.tps.outcomes.replaying import replay
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

WAYS = ("plain", "sentences", "table", "twice", "confirmations")
TIMES = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--step", type=int, default=8, help="every so many tasks")
    tasks = TESTS[:: parser.parse_args().step]
    read_answer(TESTS[1], "plain")()  # Patterns and tables are loaded once in a process.
    print(f"fixed loop {fastest(lambda: sum(n * n % 7 for n in range(100_000))):.2f} ms")
    first = [clock(read_answer(task, "plain")) for task in tasks]
    print(f"plain          read first {fmean(first):.2f} ms")
    for way in WAYS:
        again = fmean(fastest(read_answer(task, way)) for task in tasks)
        whole = fmean(fastest(mark_answer(task, way)) for task in tasks)
        print(f"{way:14} read again {again:.2f} ms, marked {whole:.2f} ms", flush=True)


def read_answer(task: CompoundTask, way: str) -> Callable[[], object]:
    """Reads one answer for all goals."""
    run, goals, request = run_of(task), goals_of(task), read_request(task)
    answer = HELPFUL[way](task, run) or ""
    seen = Seen(replay(run.calls, DEFAULT_SEED).answered)

    def read() -> object:
        text = Text(answer, goals, request, seen)
        return [text.decide(goal) for goal in goals]

    return read


def mark_answer(task: CompoundTask, way: str) -> Callable[[], object]:
    """Makes the calls again and marks them with the answer."""
    run = run_of(task)
    answer = HELPFUL[way](task, run) or ""
    return lambda: mark(task, run.calls, answer)


def clock(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    begun = time.process_time()
    work()
    return 1e3 * (time.process_time() - begun)


def fastest(work: Callable[[], object]) -> float:
    """The least of some times."""
    return min(clock(work) for _ in range(TIMES))


if __name__ == "__main__":
    main()
