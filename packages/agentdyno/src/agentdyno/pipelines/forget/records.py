"""Received records of some sessions: which they are, and the lines of a segment without them.

Takes lines as `receive` writes them, returns values. Knows nothing of ledgers.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.pipelines.receive.requests import NAMES, Names, find_keys


def find_connected(lines: Iterable[Path], keys: set[str]) -> set[str]:
    """With the traces of these sessions: not every record of a trace names its session."""
    records = [{*find_keys(r)} for path in lines for r in _read_records(path)]
    while (
        more := {key for record_keys in records if record_keys & keys for key in record_keys} - keys
    ):
        keys |= more
    return keys


def _read_records(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_bytes().splitlines():
        try:
            value = msgspec.json.decode(line)
        except (ValueError, RecursionError):
            continue
        for names in NAMES.values():
            for scope in _list_scopes(value, names):
                yield from scope.get(names.records) or ()


def _list_scopes(value: Any, names: Names) -> list[dict[str, Any]]:
    resources = value.get(names.resources) if isinstance(value, dict) else None
    return [scope for resource in resources or () for scope in resource.get(names.scopes) or ()]


def drop_records(value: Any, keys: frozenset[str]) -> Any:
    """A line of received records without those of some sessions; None where none is left."""
    for names in NAMES.values():
        if scopes := _list_scopes(value, names):
            for scope in scopes:
                records = scope.get(names.records) or []
                scope[names.records] = [r for r in records if keys.isdisjoint(find_keys(r))]
            if not any(scope[names.records] for scope in scopes):
                return None
    return value
