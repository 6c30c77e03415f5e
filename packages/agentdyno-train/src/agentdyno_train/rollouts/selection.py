"""What a user may still choose among recorded rollouts: options in, what to leave out of them out.

Rollouts have their own options (`play.json`). Fewer levels and kinds of attempts can be chosen
among them (`--level easy`, `--toolfail 0`); other sizes would be other episodes: tasks are offered
the tools that all of them need, and questions are spread over the suite.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.rollouts.journal import OPTIONS, RolloutOptions, read_options

DECIDED = {"toolfail": "toolfail", "tir": "tir", "sampled": "sampled", "samples": "samples",
           "continued": "continued", "continuations": "continuations", "timed": "timed",
           "turns": "turns", "max_tokens": "turn_tokens"}  # fmt: skip
"""Options of the sheet that the rollouts decide, by the names that these have for them."""
LEAVES_OUT = {"toolfail", "tir", "sampled", "samples", "continued", "timed"}
"""Options that leave something out when they are 0."""
EXECUTION = ("play", "seats", "device")
"""Options of the generation, which is over."""


def select_recorded(folder: Path, given: Mapping[str, Any]) -> set[str]:
    """The options of the rollouts that count as 0 by a user's choice; other changes are refused."""
    options, levels = read_options(folder), given.get("level")
    wrong = [
        *_wrong_levels(options, levels or ()),
        *_wrong_limit(options, levels, given.get("limit")),
    ]
    wrong += [
        f"{_flag(name, given[name])} ({there} {getattr(options, there)})"
        for name, there in DECIDED.items()
        if name in given and given[name] not in _allow(name, getattr(options, there))
    ]
    generating = [_flag(name, given[name]) for name in EXECUTION if given.get(name)]
    wrong += [f"{flag} (nothing is generated here)" for flag in generating]
    if given.get("offer", "needed") != "needed":
        wrong.append(f"{_flag('offer', given['offer'])} (offer needed)")
    if wrong:
        raise InputError(
            f"{', '.join(wrong)}: expected what the rollouts were made with ({folder / OPTIONS}, "
            "here in brackets), found other options. Leave them out, or roll out with them into "
            "another folder; --level and sizes of 0 choose among the rollouts."
        )
    left_out = {"easy", "hard"} - set(levels) if levels else set()
    return left_out | {DECIDED[name] for name in LEAVES_OUT if given.get(name) == 0}


def _allow(name: str, options: int) -> set[int]:
    return {options, 0} if name in LEAVES_OUT else {options}


def _wrong_levels(options: RolloutOptions, levels: Sequence[str]) -> list[str]:
    known = {level for level, many in options.planning.items() if many}
    return [
        f"--level {level} ({_list_sizes(options.planning)})"
        for level in levels
        if level not in known
    ]


def _wrong_limit(
    options: RolloutOptions, levels: Sequence[str] | None, limit: int | None
) -> list[str]:
    known = options.planning
    sizes = {level: many for level, many in known.items() if many and level in (levels or known)}
    if limit is None or set(sizes.values()) <= {limit}:
        return []
    return [f"--limit {limit} ({_list_sizes(sizes)})"]


def _list_sizes(sizes: Mapping[Level, int]) -> str:
    return ", ".join(f"{level} {many}" for level, many in sizes.items())


def _flag(name: str, value: Any) -> str:
    flag = f"--{name.replace('_', '-')}"
    return flag if value is True else f"{flag} {value}"
