"""Trajectories without the secrets that the rules find, for whoever shows or sends on their texts.

Takes a trajectory, returns it with keys, tokens and passwords replaced by their marks, in texts,
arguments, errors, names and ids. The ids come out as they stand in the ledger, whose tables are
cleaned in the same way. What is counted in tokens is counted before this.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import msgspec
from msgspec import structs

from agentdyno.records import Trajectory
from agentdyno.records.rows import Rows
from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.batch import find_changed_names, find_changes

NAMES = frozenset({"trajectory_id", "source", "parent_id"})
"""Fields that name files and what is in them."""
IDS = frozenset(
    {
        "identity", "response_id", "request_id", "stands_for", "call_id", "session_id", "agent_id",
        "parent_call_id",
    }
)  # fmt: skip
"""Fields of ids that programs drew."""
FindChanges = Callable[[Collection[str]], dict[str, str]]
"""Takes texts, returns those that change, each with what becomes of it."""
OUR_OWN = frozenset({"kind", "format", "relation"})
"""Fields whose words are ours."""


def clean_trajectories(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """The trajectories without what the rules find."""
    return [*map(clean_ids, change_texts(trajectories, find_changes, find_changed_names))]


def change_texts(
    trajectories: Sequence[Trajectory], find_texts: FindChanges, find_ids: FindChanges
) -> list[Trajectory]:
    """The trajectories with other texts and ids, but for what links them to the ledger: one look
    over all of them finds those that change."""
    texts: list[str] = []
    ids: list[str] = []
    ends: list[tuple[int, int]] = [(0, 0)]
    for trajectory in trajectories:
        _collect(trajectory, texts, ids)
        ends.append((len(texts), len(ids)))
    changed = find_texts(texts) | find_ids(ids)
    results = []
    for trajectory, begin, end in zip(trajectories, ends, ends[1:], strict=False):
        its_texts = chain(texts[begin[0] : end[0]], ids[begin[1] : end[1]])
        same = changed.keys().isdisjoint(its_texts)
        results.append(trajectory if same else _replace(trajectory, changed))
    return results


def clean_trajectory(trajectory: Trajectory) -> Trajectory:
    """The trajectory without what the rules find."""
    return clean_trajectories([trajectory])[0]


def clean_ids(trajectory: Trajectory) -> Trajectory:
    """Only what links it to the ledger is cleaned; texts stay as the model saw them."""
    names = {field: getattr(trajectory, field) for field in sorted(NAMES)}
    cleaned = {field: _clean_name(name) for field, name in names.items() if name is not None}
    changed = {field: name for field, name in cleaned.items() if name != names[field]}
    return structs.replace(trajectory, **changed) if changed else trajectory


_clean_name = lru_cache(maxsize=1_024)(clean_name)
"""A trajectory's names are asked for several times, and its file's once for each in it."""


def _collect(value: Any, texts: list[str], ids: list[str]) -> None:
    """Every text of a record, and every id."""
    if isinstance(value, Rows):
        width = len(value.type.__struct_fields__)
        for column, field in _text_fields(value.type.__struct_fields__):
            cells = value.cells[column::width]
            (ids if field in IDS else texts).extend(c for c in cells if isinstance(c, str))
    elif isinstance(value, tuple | list):  # Lists are what kept texts are read back as.
        for item in value:
            _collect(item, texts, ids)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            content = getattr(value, field)
            if not isinstance(content, str):
                _collect(content, texts, ids)
            elif field not in OUR_OWN and field not in NAMES:
                (ids if field in IDS else texts).append(content)


@cache
def _text_fields(fields: tuple[str, ...]) -> list[tuple[int, str]]:
    return [(column, field) for column, field in enumerate(fields) if field not in OUR_OWN]


def _replace(value: Any, changed: dict[str, str]) -> Any:
    """The record with its texts as they have become; the same object where none has changed."""
    if isinstance(value, Rows):
        cells = [changed.get(cell, cell) if isinstance(cell, str) else cell for cell in value.cells]
        return Rows(value.type, cells)
    if isinstance(value, tuple | list):
        items = [_replace(item, changed) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(items)
    if isinstance(value, msgspec.Struct):
        new = {
            field: _new(field, getattr(value, field), changed) for field in value.__struct_fields__
        }
        other = {
            field: content for field, content in new.items() if content is not getattr(value, field)
        }
        return structs.replace(value, **other) if other else value
    return value


def _new(field: str, content: Any, changed: dict[str, str]) -> Any:
    if isinstance(content, str):
        return content if field in NAMES or field in OUR_OWN else changed.get(content, content)
    return _replace(content, changed)
