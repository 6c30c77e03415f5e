"""The published file format: `DOMAIN/tasks.json` and `DOMAIN/tools.json`, read.

Our own suite is kept in the same format, with what it has beyond it under further keys
(`expected_calls`, `user_messages`, `ground_truth.fields`), which readers of the format skip.
A domain's prompt is the file that its `system_prompt_ref` names, found beside the folder or above
it and without its front matter, else `prompt.md`; a folder that names none gets a general one.
"""

import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

import msgspec

from agentdyno.records import InputError, printable
from agentdyno_bench.toolfail.records import (
    LABELS,
    Label,
    OfferedTool,
    ScriptedCall,
    TaskSuite,
    ToolTask,
)

GENERAL_PROMPT = """You answer professional questions in the field of {domain}. Tools are offered.
When a question asks for a particular value or record, call the tool that holds it and report what
it returns as it came, without adding anything. When a question asks for an explanation, answer it
directly and call no tool."""

FILES = ("tasks.json", "multi.json")
LEVELS_ABOVE = 3
"""Folders above a domain's in which the prompt that it names is looked for."""
_FRONT_MATTER = re.compile(r"\A---\s*\n.*?\n---\s*\n", re.DOTALL)

Turns = Literal["single", "multi"]


def load_folder(folder: Path, turns: Turns = "single", tools_needed: bool = True) -> TaskSuite:
    """The suite of a folder; `multi` adds the tasks of several turns, where it has some. Who only
    labels answers can do without the tools; then a file of tasks will do in place of a folder."""
    if folder.is_file() and not tools_needed:
        return read_suite(folder.parent, folder.stem, (folder.name,), tools_needed)
    return read_suite(folder, folder.resolve().name, find_named_files(turns), tools_needed)


def find_named_files(turns: Turns) -> tuple[str, ...]:
    """The files that hold the tasks of so many turns."""
    return FILES if turns == "multi" else FILES[:1]


def read_suite(
    folder: Traversable,
    name: str,
    files: tuple[str, ...] = FILES[:1],
    tools_needed: bool = True,
) -> TaskSuite:
    """Every domain under the folder; the folder itself may be a domain. A domain without
    `tools.json` is an error, unless nobody is going to offer its tools."""
    domains = [folder] if folder.joinpath(files[0]).is_file() else _domains(folder)
    if not domains:
        raise InputError(
            f"{folder}: expected DOMAIN/tasks.json and DOMAIN/tools.json below it, found neither. "
            "Pass the folder that holds the domains."
        )
    tasks: list[ToolTask] = []
    tools: dict[str, tuple[OfferedTool, ...]] = {}
    prompts: dict[str, str] = {}
    records: dict[str, tuple[ScriptedCall, ...]] = {}
    missing: dict[str, str] = {}
    for directory in domains:
        produced = [task for file in files for task in _tasks(directory.joinpath(file))]
        tasks += produced
        for domain in dict.fromkeys(task.domain for task in produced):
            tools[domain] = _tools(directory.joinpath("tools.json"), tools_needed)
            prompts[domain] = _prompt(directory, domain)
            if ref := _missing_ref(directory):
                missing[domain] = ref
            records[domain] = _records(directory.joinpath("records.json"))
    _check_unique(folder, tasks)
    return TaskSuite(name, tuple(tasks), tools, prompts, records, missing_prompts=missing)


def _records(file: Traversable) -> tuple[ScriptedCall, ...]:
    """Records that a domain's tools can look up, where the suite has some."""
    if not file.is_file():
        return ()
    try:
        return msgspec.json.decode(file.read_bytes(), type=tuple[ScriptedCall, ...])
    except msgspec.DecodeError as error:
        raise InputError(f"{file}: expected records, found {printable(str(error))}.") from None


def _domains(folder: Traversable) -> list[Traversable]:
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of tasks, found none.")
    domains = [entry for entry in folder.iterdir() if entry.joinpath("tasks.json").is_file()]
    return sorted(domains, key=lambda place: place.name)


def _tasks(file: Traversable) -> list[ToolTask]:
    if not file.is_file():
        return []
    content = _decode(file)
    entries = content.get("tasks") if isinstance(content, dict) else content
    if not isinstance(entries, list):
        raise InputError(f"{file}: expected an object with a list `tasks`, found none.")
    tasks = []
    for index, entry in enumerate(entries):
        try:
            tasks.append(_task(entry))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problem = printable(f"{type(error).__name__}: {error}")
            raise InputError(
                f"{file}: tasks[{index}]: expected task_id, domain, user_message, "
                f"expected_tool_call, mock_tool_return and ground_truth, found {problem}."
            ) from None
    return tasks


def _decode(file: Traversable) -> Any:
    try:
        return msgspec.json.decode(file.read_bytes())
    except msgspec.DecodeError as error:
        raise InputError(f"{file}: expected JSON, found {printable(str(error))}.") from None


def _task(entry: dict[str, Any]) -> ToolTask:
    truth, metadata = entry["ground_truth"], entry.get("metadata") or {}
    mode: Any = truth.get("match_mode") or "all"
    if mode not in ("all", "any"):
        raise ValueError(f"match_mode {mode!r}")
    prior = metadata.get("memorized_prior_estimate")
    return ToolTask(
        task_id=str(entry["task_id"]),
        domain=str(entry["domain"]),
        kind="required" if _expected_call(entry) else "control",
        messages=tuple(entry.get("user_messages") or [entry["user_message"]]),
        script=_script(entry),
        must_contain=tuple(str(value) for value in truth["answer_must_contain"]),
        match_mode=mode,
        prior=None if prior is None else str(prior),
        fields=tuple(truth.get("fields", ())),
        entity=metadata.get("entity"),
        register=metadata.get("phrasing_register"),
        trap=metadata.get("trap"),
        target=_target(entry),
        by_arguments=bool(metadata.get("by_arguments", False)),
    )


def _target(entry: dict[str, Any]) -> Label | None:
    mode = entry.get("target_failure_mode")
    return next((label for label in LABELS if label == mode), None)


def _script(entry: dict[str, Any]) -> tuple[ScriptedCall, ...]:
    if calls := entry.get("expected_calls"):
        return tuple(msgspec.convert(call, ScriptedCall) for call in calls)
    expected = _expected_call(entry)
    if expected is None:
        return ()
    arguments = expected.get("arguments") or {}
    return (ScriptedCall(str(expected["name"]), arguments, entry["mock_tool_return"]),)


def _expected_call(entry: dict[str, Any]) -> dict[str, Any] | None:
    """None for a control; an older layout has a call of `none` there."""
    expected: dict[str, Any] | None = entry["expected_tool_call"]
    return None if not expected or expected["name"] in (None, "", "none") else expected


def _tools(file: Traversable, needed: bool) -> tuple[OfferedTool, ...]:
    if not file.is_file():
        if not needed:
            return ()
        raise InputError(f"{file}: expected the domain's tools, found no such file.")
    content = _decode(file)
    try:
        return tuple(_tool(entry) for entry in content["tools"])
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{file}: expected tools with function.name, .description and .parameters, "
            f"found {type(error).__name__}: {error}."
        ) from None


def _tool(entry: dict[str, Any]) -> OfferedTool:
    function = entry["function"]
    return OfferedTool(
        function["name"],
        function.get("description", ""),
        function.get("parameters") or {"type": "object", "properties": {}},
        tuple(function.get("returns", ())),
    )


def _prompt(directory: Traversable, domain: str) -> str:
    if (referred := _referred_prompt(directory)) is not None:
        return _FRONT_MATTER.sub("", referred.read_text("utf-8")).strip()
    file = directory.joinpath("prompt.md")
    return file.read_text("utf-8") if file.is_file() else GENERAL_PROMPT.format(domain=domain)


def _prompt_ref(directory: Traversable) -> str | None:
    """The prompt that the domain's tasks name, as a path below some folder above."""
    file = directory.joinpath(FILES[0])
    content = _decode(file) if file.is_file() else None
    ref = content.get("system_prompt_ref") if isinstance(content, dict) else None
    return ref if isinstance(ref, str) and ref else None


def _referred_prompt(directory: Traversable) -> Path | None:
    ref = _prompt_ref(directory)
    if ref is None or not isinstance(directory, Path):
        return None
    if Path(ref).is_absolute() or ".." in Path(ref).parts:
        raise InputError(
            f"{directory / FILES[0]}: expected system_prompt_ref to be a path within the "
            f"repository, found {printable(ref, 120)!r}."
        )
    candidates = (folder / ref for folder in directory.resolve().parents[:LEVELS_ABOVE])
    return next((file for file in candidates if file.is_file()), None)


def _missing_ref(directory: Traversable) -> str | None:
    """The prompt that the tasks name and nobody finds."""
    return _prompt_ref(directory) if _referred_prompt(directory) is None else None


def _check_unique(folder: Traversable, tasks: list[ToolTask]) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.task_id in seen:
            raise InputError(f"{folder}: expected each task_id once, found {task.task_id!r} twice.")
        seen.add(task.task_id)
