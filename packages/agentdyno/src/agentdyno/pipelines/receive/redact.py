"""Takes the secrets that the rules find out of OTLP records, before they are written.

Values in, the same values out with marks in the place of keys, tokens and passwords. Ids of
programs stay unless a rule knows their beginning: a ledger links records by them.
"""

import re
from functools import lru_cache
from typing import Any

import msgspec

from agentdyno.records.secrets import Counts
from agentdyno.records.secrets.batch import find_changed_names, find_changes
from agentdyno.records.secrets.key_names import Strength, judge_name

DEEPEST = 300
"""Levels of a value; Python itself goes down some hundred more."""
_FIXED = frozenset(
    {
        "traceId", "spanId", "parentSpanId", "startTimeUnixNano", "endTimeUnixNano", "timeUnixNano",
        "observedTimeUnixNano", "intValue",
    }
)  # fmt: skip
"""Fields of ids and numbers; what stands there in their place is a text like others."""
_NUMBER_OR_ID = re.compile(r"[0-9A-Fa-f]{0,32}")
_FIELDS = _FIXED | {
    "name", "kind", "attributes", "events", "links", "status", "code", "message", "traceState",
    "flags", "body", "severityNumber", "severityText", "eventName", "key", "doubleValue",
    "boolValue", "bytesValue", "version", "droppedAttributesCount", "droppedEventsCount",
    "droppedLinksCount",
}  # fmt: skip
"""Names that OTLP itself gives to fields."""
_HOLDERS = frozenset({"value", "values", "stringValue", "arrayValue", "kvlistValue"})
"""Levels between an attribute's key and its text."""
_LONGEST_NAMED = 400
"""Characters of a value that is looked at together with its name."""


class Redactor:
    """Collects the texts of many values, and then replaces the secrets that one pass found."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}
        self._names: dict[str, None] = {}
        self._named: dict[str, tuple[str, str]] = {}
        """Values whose name announces a secret, by how name and value read as one text."""
        self._changed: dict[str, str] = {}
        self._pairs: dict[tuple[str, str], str] = {}

    def collect(self, value: Any, name: str = "", depth: int = 0) -> None:
        """Notes every text of a value; raises ValueError where it is nested too deep."""
        if isinstance(value, str):
            self._add(value, name)
        elif isinstance(value, dict):
            if depth > DEEPEST:
                raise ValueError(f"expected at most {DEEPEST} levels, found more")
            key = value.get("key")
            called = key if isinstance(key, str) else name
            for field, item in value.items():
                if field not in _FIXED or not _is_number_or_id(item):
                    self.collect(item, called if field in _HOLDERS else field, depth + 1)
                if field not in _FIELDS and field not in _HOLDERS:
                    self._names[field] = None
        elif isinstance(value, list):
            for item in value:
                self.collect(item, name, depth + 1)

    def _add(self, text: str, name: str) -> None:
        kind = _judge(name)
        if kind == "id":
            self._names[text] = None
            return
        self._texts[text] = None
        if kind == "secret" and len(text) <= _LONGEST_NAMED:
            self._named[f'{name}: "{text}"'] = name, text

    def look(self, counts: Counts) -> None:
        """Finds the secrets in what was collected."""
        changes = find_changed_names(self._names, counts) | find_changes(self._texts, counts)
        self._changed = {text: _keep_json(text, new) for text, new in changes.items()}
        for pair, new in find_changes(self._named, counts).items():
            name, text = self._named[pair]
            self._pairs[name, text] = new.removeprefix(f'{name}: "').removesuffix('"')

    def replace(self, value: Any) -> Any:
        """The value without its secrets."""
        return self._replace(value, "") if self._changed or self._pairs else value

    def _replace(self, value: Any, name: str) -> Any:
        if isinstance(value, str):
            return self._pairs.get((name, value)) or self._changed.get(value, value)
        if isinstance(value, dict):
            key = value.get("key")
            called = key if isinstance(key, str) else name
            return {
                self._changed.get(field, field): item
                if field in _FIXED and _is_number_or_id(item)
                else self._replace(item, called if field in _HOLDERS else field)
                for field, item in value.items()
            }
        return [self._replace(item, name) for item in value] if isinstance(value, list) else value


def _is_number_or_id(value: Any) -> bool:
    return not isinstance(value, str) or _NUMBER_OR_ID.fullmatch(value) is not None


@lru_cache(maxsize=10_000)
def _judge(name: str) -> str:
    """Whether the value of this name is an id, may be a secret for its name, or neither."""
    if name == "key" or name.endswith((".id", "_id", "Id")):
        return "id"
    return "secret" if judge_name(name) != Strength.NONE else "text"


def _keep_json(text: str, new: str) -> str:
    """A JSON text stays one: where a mark would break it, each text inside is cleaned alone."""
    if text.lstrip()[:1] not in ("{", "[") or not _is_json(text) or _is_json(new):
        return new
    inside = Redactor()
    value = msgspec.json.decode(text)
    try:
        inside.collect(value)
    except ValueError:
        return new
    inside.look(Counts())
    return msgspec.json.encode(inside.replace(value)).decode()


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return False
    return True
