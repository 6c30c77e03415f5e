"""Reads results of BFCL: one task a line, single-turn, or turns of steps.

`result`, `input_token_count`, `output_token_count` and `latency` have the same shape: one value, or
a list of steps for each turn. What users asked and tools answered stands in `inference_log`.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.documents import any_records
from agentdyno.intake.sidecars import read_sidecar_bytes
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Fields, Record, lines, read_each
from agentdyno.intake.texts import compact_json, error_in, flat_text, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError, read_reported
from agentdyno.records.secrets.excerpts import cut_text

FORMAT_NAME = "bfcl"
FAILED = "Error during inference"
GROUPS = frozenset({"agentic", "format_sensitivity", "live", "multi_turn", "non_live"})
"""Folders of tasks below that of the model."""
FUNCTION_CALLING = "-FC"
"""How a folder ends whose model called functions by its provider's own way."""


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every task."""
    records = lines(source) if source.start or source.stop else any_records(source)
    yield from read_each(source, FORMAT_NAME, records, _read)


def _read(source: Source, record: Record) -> Iterator[Trajectory]:
    fields = record.decode()
    result, folder = fields.get("result"), _model_folder(source.path).name
    model = folder.removesuffix(FUNCTION_CALLING)
    if isinstance(result, str) and result.startswith(FAILED):
        raise UnreadableError("the result of a task", "an error during inference")
    builder = TrajectoryBuilder()
    task = str(fields.get("id"))
    if isinstance(fields.get("input_token_count"), list):
        _multi_turn(builder, fields, model)
    else:
        _step(builder, fields, model, result)
    if not builder.turns:
        raise UnreadableError("a result with at least one step", "none")
    yield builder.build(
        source.id_of(record.locator),
        source.name,
        FORMAT_NAME,
        model=model,
        benchmark=source.path.name.removesuffix(".json").removesuffix("_result"),
        variant=FUNCTION_CALLING[1:] if folder.endswith(FUNCTION_CALLING) else None,
        task_id=task,
        correct=_is_correct(source.path, task),
        line=record.line,
    )


def _multi_turn(builder: TrajectoryBuilder, fields: Fields, model: str) -> None:
    logged = fields.get("inference_log")
    log = (
        [logged_entry for logged_entry in logged if isinstance(logged_entry, dict)]
        if isinstance(logged, list)
        else []
    )
    for number, steps in enumerate(_list(fields.get("result"))):
        entry = log[number] if number < len(log) else {}
        for query in _list(entry.get("begin_of_turn_query")):
            if isinstance(query, dict):
                _ask(builder, query)
        for index, step in enumerate(_list(steps)):
            counts = {name: _at(fields.get(name), number, index) for name in _COUNTS}
            _step(builder, counts, model, step)
            for item in _list(entry.get(f"step_{index}")):
                if isinstance(item, dict) and item.get("role") == "tool":
                    text = flat_text(item.get("content"))
                    builder.result(text, error=_error(text))


_COUNTS = ("input_token_count", "output_token_count", "latency")


def _ask(builder: TrajectoryBuilder, query: Fields) -> None:
    text = flat_text(query.get("content"))
    if query.get("role") == "system":
        builder.system(text)
    else:
        builder.user(text)


def _step(builder: TrajectoryBuilder, counts: Fields, model: str, answer: Any) -> None:
    """One response: calls, each an object with one name, or a text."""
    latency = counts.get("latency")
    builder.turn(
        model,
        prefill=read_reported(whole(counts.get("input_token_count")) or None),
        decode=read_reported(whole(counts.get("output_token_count")) or None),
        latency_seconds=float(latency)
        if isinstance(latency, int | float) and latency >= 0
        else None,
    )
    if isinstance(counts.get("reasoning_content"), str) and counts["reasoning_content"]:
        builder.reasoning(counts["reasoning_content"], resent=False)
    if isinstance(answer, str):
        builder.text(answer)
    for call in _list(answer):
        for name, arguments in call.items() if isinstance(call, dict) else ():
            builder.call(name, compact_json(arguments))


def _error(text: str) -> str | None:
    """Tools of BFCL answer with an object that has an error, or with a text."""
    try:
        decoded = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return error_in(text)
    problem = decoded.get("error") if isinstance(decoded, dict) else None
    return cut_text(str(problem), 200) if problem else None


def _model_folder(path: Path) -> Path:
    """The folder of the model: below `result`, with a folder for each group of tasks since v4."""
    return path.parent.parent if path.parent.name in GROUPS else path.parent


def _is_correct(path: Path, task: str) -> bool | None:
    """A score file names the tasks that failed; None without one."""
    results = _model_folder(path).parent
    name = path.relative_to(results).with_name(path.name.replace("_result", "_score"))
    failed = _failed(results.parent / "score" / name)
    return None if failed is None else task not in failed


@lru_cache(maxsize=64)
def _failed(path: Path) -> frozenset[str] | None:
    if (data := read_sidecar_bytes(path)) is None:
        return None
    ids: set[str] = set()
    for line in data.splitlines():
        try:
            entry = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            continue
        if isinstance(entry, dict) and "id" in entry:
            ids.add(str(entry["id"]))
    return frozenset(ids)


def _at(value: Any, turn: int, step: int) -> Any:
    steps = _list(value)[turn : turn + 1]
    return next(iter(_list(steps[0])[step : step + 1]), None) if steps else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
