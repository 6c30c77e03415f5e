"""What a user may still choose of plays that are there: options in, what to leave out of them out.

Plays were made with their own options (`play.json`). Fewer levels and kinds of attempts can be
chosen among them (`--level easy`, `--toolfail 0`); other sizes would be other games: tasks are
offered the tools that all of them need, and questions are spread over the suite.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.play.plays import ASKED, PlayOptions, read_asked

DECIDED = {"toolfail": "toolfail", "tir": "tir", "sampled": "sampled", "samples": "samples",
           "continued": "continued", "continuations": "continuations", "timed": "timed",
           "turns": "turns", "max_tokens": "turn_tokens"}  # fmt: skip
"""Options of the sheet that the plays decide, by what these call them."""
LEAVES_OUT = {"toolfail", "tir", "sampled", "samples", "continued", "timed"}
"""Those that leave something out where they are 0."""
PLAYING = ("play", "seats", "device")
"""Options that concern the playing, which is over."""


def choose(folder: Path, given: Mapping[str, Any]) -> set[str]:
    """The options of the plays that count as 0 by the choice of a user; the rest is refused."""
    asked, levels = read_asked(folder), given.get("level")
    wrong = [*_wrong_levels(asked, levels or ()), *_wrong_limit(asked, levels, given.get("limit"))]
    wrong += [
        f"{_flag(name, given[name])} ({there} {getattr(asked, there)})"
        for name, there in DECIDED.items()
        if name in given and given[name] not in _allowed(name, getattr(asked, there))
    ]
    playing = [_flag(name, given[name]) for name in PLAYING if given.get(name)]
    wrong += [f"{flag} (nothing is played here)" for flag in playing]
    if given.get("offer", "needed") != "needed":
        wrong.append(f"{_flag('offer', given['offer'])} (offer needed)")
    if wrong:
        raise InputError(
            f"{', '.join(wrong)}: expected what the plays were made with ({folder / ASKED}, here "
            "in brackets), found other options. Leave them out, or play with them into another "
            "folder; --level and sizes of 0 choose among the plays."
        )
    unwanted = {"easy", "hard"} - set(levels) if levels else set()
    return unwanted | {DECIDED[name] for name in LEAVES_OUT if given.get(name) == 0}


def _allowed(name: str, asked: int) -> set[int]:
    return {asked, 0} if name in LEAVES_OUT else {asked}


def _wrong_levels(asked: PlayOptions, levels: Sequence[str]) -> list[str]:
    played = {level for level, many in asked.planning.items() if many}
    return [f"--level {level} ({_told(asked.planning)})" for level in levels if level not in played]


def _wrong_limit(asked: PlayOptions, levels: Sequence[str] | None, limit: int | None) -> list[str]:
    played = asked.planning
    sizes = {level: many for level, many in played.items() if many and level in (levels or played)}
    if limit is None or set(sizes.values()) <= {limit}:
        return []
    return [f"--limit {limit} ({_told(sizes)})"]


def _told(sizes: Mapping[Level, int]) -> str:
    return ", ".join(f"{level} {many}" for level, many in sizes.items())


def _flag(name: str, value: Any) -> str:
    flag = f"--{name.replace('_', '-')}"
    return flag if value is True else f"{flag} {value}"
