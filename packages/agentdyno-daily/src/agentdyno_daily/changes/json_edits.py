"""A change to one value of a JSON text; every other byte stays as it is.

Takes the text of a settings file, returns the text with a value set, added to a list or removed.
The new text is spliced in where the value is, so line ends, indentation, the order of keys and the
way numbers are written stay. Refuses what agents read and JSON is not (comments), and a value of
another type than the one expected. Knows no agent.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from agentdyno.records import InputError

Key = Sequence[str | int]
"""From the outside in: names of objects, positions in lists."""
_SPACE = " \t\r\n"
_KINDS = {"{": "an object", "[": "a list", '"': "a string", "t": "true", "f": "false", "n": "null"}
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//|/\*')
# Numbers are only passed over here, so any size will do.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
_VALUES = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < 99 else digits)


class _Item(NamedTuple):
    name: str | int
    start: int
    """Where its key begins; in a list, where its value does."""
    value: int
    end: int


class JsonText:
    """The text of a settings file, whose outermost value is an object."""

    def __init__(self, path: Path, text: str) -> None:
        """An empty text is read as an empty object."""
        end = "\n" if not text or text.endswith("\n") else ""
        self.path, self.text = path, text if text.strip() else f"{{}}{end}"
        _check(path, self.text)
        self._expect("{", self._whole(), ())

    def value(self, key: Key) -> Any:
        """The value at a key; None where there is none."""
        items = self._walk(key)
        if len(items) <= len(key):
            return None
        return _VALUES.decode(self.text[items[-1].value : items[-1].end])

    def has(self, key: Key) -> bool:
        """Whether there is a value, even null."""
        return len(self._walk(key)) > len(key)

    def list_at(self, key: Key) -> list[Any]:
        """The elements of a list; none where there is no value."""
        items = self._walk(key)
        if len(items) > len(key):
            self._expect("[", items[-1], key)
        return self.value(key) or []

    def set(self, key: Key, value: Any) -> "JsonText":
        """Puts a value at a key, with the objects around it that are missing."""
        items = self._walk(key)
        missing = key[len(items) - 1 :]
        if not missing:
            item = items[-1]
            new = _render(value, self._break_before(item.start), self._unit())
            return self._splice(item.value, item.end, new)
        for name in reversed(missing[1:]):
            value = {name: value}
        return self._insert(items[-1], value, f"{_write(missing[0])}: ")

    def append(self, key: Key, value: Any) -> "JsonText":
        """Adds an element to a list."""
        if not self.has(key):
            return self.set(key, [value])
        self.list_at(key)
        return self._insert(self._walk(key)[-1], value)

    def remove(self, key: Key) -> "JsonText":
        """Removes a value, and the objects and lists around it that it leaves empty."""
        items = self._walk(key)
        while len(items) > 2 and len(_list_items(self.text, items[-2].value)) == 1:
            items.pop()
        around = _list_items(self.text, items[-2].value)
        place = around.index(items[-1])
        if len(around) == 1:
            return self._splice(items[-2].value + 1, items[-2].end - 1, "")
        if place + 1 < len(around):
            return self._splice(around[place].start, around[place + 1].start, "")
        return self._splice(around[place - 1].end, around[place].end, "")

    def _walk(self, key: Key) -> list[_Item]:
        """The values along a key, the whole text first, as far as there are any."""
        found = [self._whole()]
        for depth, name in enumerate(key):
            self._expect("{" if isinstance(name, str) else "[", found[-1], key[:depth])
            inside = _list_items(self.text, found[-1].value)
            same = [item for item in inside if item.name == name]
            if len(same) > 1:
                self._refuse(key[: depth + 1], "one value", f"{len(same)}", "leave one of them")
            if not same:
                break
            found.append(same[0])
        return found

    def _whole(self) -> _Item:
        start = _skip(self.text, 0)
        return _Item("", start, start, len(self.text.rstrip(_SPACE)))

    def _expect(self, sign: str, item: _Item, key: Key) -> None:
        begin = self.text[item.value]
        if begin != sign:
            kind = _KINDS[sign]
            self._refuse(key, kind, _KINDS.get(begin, "a number"), f"make it {kind} or remove it")

    def _refuse(self, key: Key, expected: str, found: str, advice: str) -> NoReturn:
        name = ".".join(map(str, key)) or "the top"
        raise InputError(
            f"{self.path}: expected {expected} at {name}, found {found}. Nothing was changed; "
            f"{advice}, and try again."
        )

    def _insert(self, container: _Item, value: Any, lead: str = "") -> "JsonText":
        """Behind the last item, in lines of its own where that is."""
        items, unit = _list_items(self.text, container.value), self._unit()
        if items:
            line = self._break_before(items[-1].start)
            new = f",{line or ' '}{lead}{_render(value, line, unit)}"
            return self._splice(items[-1].end, items[-1].end, new)
        outer = self._line_of(container.start)
        if container.start > _skip(self.text, 0) and "\n" not in self.text.strip():
            outer = ""  # All of it is one line.
        inner = outer and outer + unit
        new = f"{inner}{lead}{_render(value, inner, unit)}{outer}"
        return self._splice(container.value + 1, container.end - 1, new)

    def _break_before(self, at: int) -> str:
        """The line break and the indentation before an item; empty where it is in a line with
        others."""
        found = re.search(r"\r?\n[ \t]*\Z", self.text[:at])
        return found[0] if found else ""

    def _line_of(self, at: int) -> str:
        """A line break, and the indentation of the line that this is in."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 :]
        return find_line_end(self.text) + line[: len(line) - len(line.lstrip(" \t"))]

    def _unit(self) -> str:
        found = re.search(r"^([ \t]+)\S", self.text, re.MULTILINE)
        return found[1] if found else "  "

    def _splice(self, start: int, end: int, new: str) -> "JsonText":
        return JsonText(self.path, self.text[:start] + new + self.text[end:])


def find_line_end(text: str) -> str:
    """How most lines of a text end."""
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"


def _check(path: Path, text: str) -> None:
    try:
        _DECODER.decode(text)
    except RecursionError:
        raise InputError(f"{path}: nested too deeply. Nothing was changed.") from None
    except ValueError as error:
        comment = next((each for each in _TOKEN.finditer(text) if each[0][0] == "/"), None)
        found = "a byte order mark" if text[0] == "\ufeff" else str(error)
        if comment is not None:
            found = f"a comment (line {text.count(chr(10), 0, comment.start()) + 1})"
        raise InputError(
            f"{path}: expected JSON, found {found}. Nothing was changed; make the change by hand."
        ) from None


def _list_items(text: str, start: int) -> list[_Item]:
    """The members of the object, or the elements of the list, that begins there."""
    items: list[_Item] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        begin, name = at, len(items)
        if text[start] == "{":
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        items.append(_Item(name, begin, at, end))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return items


def _skip(text: str, at: int) -> int:
    """Past white space."""
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _render(value: Any, line: str, unit: str) -> str:
    if not line:
        return _write(value)
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", line)


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
