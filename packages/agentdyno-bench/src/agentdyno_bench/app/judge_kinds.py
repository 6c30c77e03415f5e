"""The kinds of verdict that come with the package, with the truth that each can use."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from agentdyno.records import BadRecord, InputError, printable
from agentdyno_bench.shared.judging.choosing import JudgeKind, Truth
from agentdyno_bench.shared.verdicts.answer_kind import AnswerKind
from agentdyno_bench.shared.verdicts.kinds import Kind
from agentdyno_bench.shared.verdicts.options import JudgeOptions
from agentdyno_bench.toolfail.failure_kind import FailureKind
from agentdyno_bench.toolfail.records import TaskSuite
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task_suites import load_folder
from agentdyno_bench.tps.completion_kind import CompletionKind
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled, read_tasks
from agentdyno_bench.utility.utility_kind import UtilityKind


def _utility(options: JudgeOptions, truth: Truth) -> Kind:
    return UtilityKind(options.framing, options.rules)


def _failure(options: JudgeOptions, truth: Truth) -> Kind:
    return FailureKind(failure_suite(truth.tasks), options.framing.budget_tokens)


def _completion(options: JudgeOptions, truth: Truth) -> Kind:
    return CompletionKind(completion_parts(truth.tasks), options.framing.budget_tokens)


def _answer(options: JudgeOptions, truth: Truth) -> Kind:
    if truth.references is None:
        return AnswerKind(None, options.framing.budget_tokens)
    references = read_references(truth.references)
    for bad in references.bad[:5]:
        truth.report(f"skipped: {bad}")
    return AnswerKind(references.answers, options.framing.budget_tokens)


KINDS = (
    JudgeKind("utility", "Did calls help", _utility),
    JudgeKind("failure", "How were tools used", _failure, ("tasks",)),
    JudgeKind("answer", "Is the answer right", _answer, ("references",)),
    JudgeKind("completion", "Which parts are done", _completion, ("tasks",)),
)


# Tasks whose truth is known, for kinds that can use it: `bundled` or a path in, tasks out.

BUNDLED = "bundled"


def failure_suite(where: str | None) -> TaskSuite | None:
    """The tasks of `bench toolfail`, or a folder in that format."""
    if where is None:
        return None
    return (
        load_suite(None, "multi")
        if where == BUNDLED
        else load_folder(_require_existing(where), "multi")
    )


def completion_parts(where: str | None) -> dict[str, tuple[str, ...]]:
    """The goals of the tasks of `bench tps`, or of a task file of one's own, by task."""
    if where is None:
        return {}
    bundled = where == BUNDLED
    sets = map(load_bundled, LEVELS) if bundled else [read_tasks(_require_existing(where))]
    return {
        task.task_id: tuple(goal.asks for goal in task.goals)
        for task_set in sets
        for task in task_set.tasks
    }


def _require_existing(where: str) -> Path:
    path = Path(where)
    if not path.exists():
        raise InputError(f"--tasks {where}: expected `bundled` or a path, found nothing there.")
    return path


class _Line(Struct, frozen=True):
    task_id: Annotated[str, Meta(min_length=1)]
    answer: str | int | float | bool


class References(Struct, frozen=True):
    """Reference answers of a file."""

    answers: dict[str, str]
    """By task."""
    bad: list[BadRecord]


def read_references(file: Path) -> References:
    """A JSONL file with `task_id` and `answer` on every line; a bad line costs only itself."""
    decoder, answers, bad = msgspec.json.Decoder(_Line), dict[str, str](), list[BadRecord]()
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"--references {file}: cannot be read ({error.strerror}).") from error
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            line = decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            problem = printable(str(error), 160)
            bad.append(BadRecord(file.name, f"line {number}", "task_id and answer", problem))
        else:
            answers[line.task_id] = _text(line.answer)
    if not answers:
        why = f" {bad[0]}." if bad else ""
        raise InputError(
            f"--references {file}: expected lines of task_id and answer, found none.{why}"
        )
    return References(answers, bad)


def _text(answer: str | int | float | bool) -> str:
    return answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
