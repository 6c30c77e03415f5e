"""Reads tau2-bench results: a document of simulations, or a folder with one file for each.

In a folder, `results.json` holds what the simulations share. A simulation that it holds as well
is read there, so that nothing is counted twice.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.tau2_bench import is_results, one_per_line
from agentdyno.intake.formats.tau2_bench.convert import FORMAT_NAME, Shared, trajectory_of
from agentdyno.intake.formats.tau2_bench.wire import (
    INFO,
    SIMULATION,
    SIMULATION_ID,
    TASKS,
    AgentInfo,
    EnvironmentInfo,
    Info,
    Task,
)
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, decode, lines, whole_file
from agentdyno.intake.texts import compact_json, function_schemas
from agentdyno.records import BadRecord, Trajectory, UnreadableError


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    head = Head(source.path)
    if is_results(head) or "simulations" in head.keys:
        yield from _read_results(source)
    else:
        yield from _read_alone(source, head)


def _read_results(source: Source) -> Iterator[Trajectory | BadRecord]:
    document = open_document(source, "simulations")
    shared, problems = _share(document.fields)
    for location, problem in problems:
        yield bad(source, FORMAT_NAME, location, problem)
    nothing = True
    for item in _read_simulations(source, document.records, shared):
        nothing = False
        yield item
    if nothing and not _keeps_them_apart(source.path):
        yield bad(source, FORMAT_NAME, "file", UnreadableError("at least one simulation", "none"))


def _keeps_them_apart(results: Path) -> bool:
    return (results.parent / "simulations").is_dir()


def _read_alone(source: Source, head: Head) -> Iterator[Trajectory | BadRecord]:
    beside = _beside(source.path)
    records = lines(source) if one_per_line(head) else iter([whole_file(source)])
    yield from _read_simulations(source, records, beside.shared, beside.ids)


def _read_simulations(
    source: Source,
    records: Iterator[Record],
    shared: Shared,
    skipped: frozenset[str] = frozenset(),
) -> Iterator[Trajectory | BadRecord]:
    for record in records:
        try:
            simulation = record.decode(SIMULATION)
            if skipped and str(simulation.id) in skipped:
                continue
            yield trajectory_of(simulation, shared, source.id_of(record.locator), source.name)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)


def _share(fields: dict[str, bytes]) -> tuple[Shared, list[tuple[str, UnreadableError]]]:
    """The fields that the simulations share; a damaged one is reported and left empty."""
    info, tasks = Info(), list[Task]()
    problems = []
    try:
        info = decode(fields.get("info", b"{}"), INFO)
    except UnreadableError as problem:
        problems.append(("info", problem))
    try:
        tasks = decode(fields.get("tasks", b"[]"), TASKS)
    except UnreadableError as problem:
        problems.append(("tasks", problem))
    agent, world = info.agent_info or AgentInfo(), info.environment_info or EnvironmentInfo()
    shared = Shared(
        agent.llm,
        world.domain_name,
        world.policy,
        function_schemas(world.tool_defs),
        {
            str(t.id): compact_json(reported)
            for t in tasks
            if (reported := _read_expected_answer(t))
        },
        {str(t.id): count for t in tasks if (count := _history(t))},
    )
    return shared, problems


def _read_expected_answer(task: Task) -> object:
    criteria = task.evaluation_criteria
    return criteria.communicate_info if criteria is not None else None


def _history(task: Task) -> int:
    state = task.initial_state
    return len(state.message_history or ()) if state is not None else 0


class _Results(Struct, frozen=True):
    shared: Shared
    ids: frozenset[str]
    """The simulations that it holds itself."""


_NO_RESULTS = _Results(Shared(), frozenset())


def _beside(path: Path) -> _Results:
    """The results that a file of `simulations/` belongs to."""
    results = path.parent.parent / "results.json"
    if path.parent.name != "simulations":
        return _NO_RESULTS
    try:
        stat = results.stat()
        return _results(results, stat.st_mtime_ns, stat.st_size)
    except OSError:
        return _NO_RESULTS


@lru_cache(maxsize=4)
def _results(path: Path, modified: int, size: int) -> _Results:
    """Read once for all files beside it; time and size tell when it has changed."""
    document = open_document(Source(path, path.name), "simulations")
    ids = set()
    for record in document.records:
        try:
            if not record.problem:
                ids.add(str(decode(record.data, SIMULATION_ID).id))
        except UnreadableError:
            continue
    return _Results(_share(document.fields)[0], frozenset(ids - {"None"}))
