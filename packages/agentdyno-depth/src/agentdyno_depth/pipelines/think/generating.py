"""A pool of whole samples, in memory or in a file that grows problem by problem.

Takes a model and problems, returns a pool. Problems that the file holds already are not drawn
again, so a drawing that was interrupted goes on where it was. Nothing here grades.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agentdyno_depth.pipelines.think.drawing import (
    PoolOptions,
    draw_problems,
    pool_head,
    serve_problems,
)
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.served import Server
from agentdyno_depth.records.thinking import Pool, Problem, ProblemPool
from agentdyno_depth.think.pool_files import append_problems, resume_pool

BATCH_SEQUENCES = {"cpu": 64, "cuda": 384}
"""Sequences that are generated together, at most, by kind of device."""

Progress = Callable[[int, int], None]


def draw_pool(
    opened: OpenModel,
    problems: Sequence[Problem],
    options: PoolOptions,
    record: Path | None = None,
    server: Server | None = None,
    model: str | None = None,
    progress: Progress | None = None,
) -> Pool:
    """The pool of all problems, with what the file holds already."""
    head = pool_head(opened, options, model)
    pool = resume_pool(record, head) if record else Pool(head, ())
    pools = {item.problem.problem_id: item for item in pool.problems}
    missing = [problem for problem in problems if problem.problem_id not in pools]
    for items in _draw(opened, missing, options, server):
        if record:
            append_problems(record, head, items)
        pools |= {item.problem.problem_id: item for item in items}
        if progress:
            progress(len(pools), len(problems))
    return Pool(head, tuple(pools[problem.problem_id] for problem in problems))


def _draw(
    opened: OpenModel, problems: Sequence[Problem], options: PoolOptions, server: Server | None
) -> Iterator[list[ProblemPool]]:
    if server is not None:
        for pool in serve_problems(opened, server, problems, options):
            yield [pool]
        return
    at_once = BATCH_SEQUENCES.get(opened.readout.weight.device.type, 64)
    together = max(1, at_once // options.samples)
    for start in range(0, len(problems), together):
        yield draw_problems(opened, problems[start : start + together], options, at_once)
