"""Files around an ATIF file in a Harbor trial: the task, the marks, the parent's file.

TRIAL/result.json              task_name, source, verifier_result.rewards
TRIAL/verifier/reward.txt      or reward.json
TRIAL/agent/trajectory.json    or all of them in one folder
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.formats.atif.wire import REWARDS, TRIAL_RESULT, Agent, TrialResult
from agentdyno.intake.sidecars import read_sidecar_bytes
from agentdyno.intake.source import Source

MAX_SIBLINGS = 64
_PATH = re.compile(rb'"trajectory_path"\s*:\s*"([^"\\]{1,400})"')


class Trial(Struct, frozen=True):
    """Facts about the trajectory from a trial's files."""

    task_id: str | None = None
    benchmark: str | None = None
    """The data set the task is from."""
    model: str | None = None
    """The model the trial was run with."""
    score: float | None = None


def trial_of(path: Path) -> Trial:
    """The facts of the trial; none when the file stands alone."""
    folders = [path.parent, path.parent.parent] if path.parent.name == "agent" else [path.parent]
    for folder in folders:
        result = _decode(folder / "result.json", TRIAL_RESULT)
        score = _mark_in(folder / "verifier")
        if isinstance(result, TrialResult):
            return _from_result(result, score)
        if score is not None:
            return Trial(score=score)
    return Trial()


def _from_result(result: TrialResult, score: float | None) -> Trial:
    rewards = result.verifier_result.rewards if result.verifier_result is not None else None
    info = result.agent_info.model_info if result.agent_info is not None else None
    mark = _mark(rewards)
    return Trial(
        result.task_name,
        result.source,
        info.name if info is not None else None,
        score if mark is None else mark,
    )


def _mark_in(folder: Path) -> float | None:
    text = read_sidecar_bytes(folder / "reward.txt") or b""
    try:
        return _number(float(text)) if text else _mark(_decode(folder / "reward.json", REWARDS))
    except ValueError:
        return None


def _mark(rewards: Any) -> float | None:
    """The mark called `reward`, or the only one."""
    if not isinstance(rewards, dict) or not rewards:
        return None
    return _number(rewards.get("reward", next(iter(rewards.values())) if len(rewards) == 1 else 0j))


def _number(value: Any) -> float | None:
    if isinstance(value, bool | int | float) and abs(value) < 1e18:
        return float(value)
    return None


def _decode(path: Path, decoder: "msgspec.json.Decoder[Any]") -> Any:
    try:
        return decoder.decode(read_sidecar_bytes(path) or b"")
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def parent_of(source: Source, agent: Agent) -> str | None:
    """The trajectory whose sub-agent wrote this file; None for a main one.

    Found by the file's name, by a reference from a file beside it, or, when the parent's file is
    not here, by the session the sub-agent names.
    """
    path = source.path
    stem, dot, _ = path.name.partition(".summarization-")
    beside = f"{stem}.json" if dot else _referrers(path.parent).get(path.name)
    if beside is not None and (path.parent / beside).is_file():
        return f"{source.name.removesuffix(path.name)}{beside}#0"
    session = agent.extra.get("parent_session_id") if isinstance(agent.extra, dict) else None
    return session if isinstance(session, str) else None


@lru_cache(maxsize=64)
def _referrers(folder: Path) -> dict[str, str]:
    """Files of a folder by the file that names them as a sub-agent's; crowded folders are not
    searched, as a trial's has a handful."""
    files = sorted(folder.glob("*.json"))[: MAX_SIBLINGS + 1]
    referrers: dict[str, str] = {}
    for file in files if len(files) <= MAX_SIBLINGS else ():
        for match in _PATH.finditer(read_sidecar_bytes(file) or b""):
            named = match[1].decode("utf-8", "replace").rsplit("/", 1)[-1]
            if named != file.name:
                referrers.setdefault(named, file.name)
    return referrers
