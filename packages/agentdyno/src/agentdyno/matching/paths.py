"""Results that showed a path that a call names: the very path, not another file of its name.

Takes an index and a path, returns calls. A result shows a path when it holds it whole, or an ending
of it that stands alone or behind folders that agree: `cli/setup.go` and `…/cli/setup.go` show
`/home/me/cli/setup.go`, and `/home/you/cli/setup.go` does not. A bare file name counts only where
the call that returned it looked into a folder of that path, or into none in particular.

Worked: `ls src` -> "main.py util.py"; read("docs/main.py") does not rest on it, read("src/main.py")
does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.codes import find_codes
from agentdyno.matching.distinct_tokens import weight

LONGEST = 400
"""Characters of a path that is looked at."""
MOST_LOOKED_AT = 8
"""Results of each end of the trajectory whose text is compared."""
DEEP = 5
"""Steps of a folder that is not named by chance."""
MOST_PLACES = 40
"""Places of one result where an ending is compared."""
_FOLDERS_BACKWARDS = re.compile(r"[/\\][\w.@+~/\\-]*")
"""Folders in front of a name, read from the name on, so that nothing is read twice."""
_FOLDER = re.compile(r"[\w.@+~-]{0,100}(?:/[\w.@+~-]{1,100})+")
"""A folder that a question names, however short."""
_GOES_ON = re.compile(r"[\w-]|\.\w")
_LINES = re.compile(r"(?::\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)\Z")
_DRIVE = re.compile(r"[A-Za-z]:\\|\\\\")
_LEAD = re.compile(r"(?:\.{0,3}/)+|~/")
_MAY_BE = re.compile(r"[/\\]\S|\.[A-Za-z]")
"""A pattern that matches in every path."""
_NOWHERE = ("dev/null", "dev/stdout", "dev/stderr", "dev/stdin", "dev/tty", "bin/bash", "bin/sh",
            "usr/bin/env")  # fmt: skip


@lru_cache(maxsize=4_096)
def paths_of(value: str) -> tuple[tuple[str, int, int], ...]:
    """The paths that an argument names, in lower case, with their places; links are no paths."""
    if not _MAY_BE.search(value):
        return ()
    paths = []
    for code in find_codes(value, only_paths=True):
        # A backslash is a sign of Windows behind a drive only; elsewhere it is one of a pattern.
        plain = "\\" not in code.text or _DRIVE.match(code.text)
        if code.kind == "path" and len(code.text) <= LONGEST and plain:
            # A dot in front is part of a hidden folder's name, not the end of a sentence.
            start = code.start - 1 if value[code.start - 1 : code.start] == "." else code.start
            paths.append((plain_path(value[start : code.end]), start, code.end))
    return tuple(paths)


def without_spans(value: str, spans: Iterable[tuple[str, int, int]]) -> str:
    """An argument with these paths blanked: their folders are everywhere."""
    for _, start, end in spans:
        value = f"{value[:start]}{' ' * (end - start)}{value[end:]}"
    return value


@lru_cache(maxsize=16_384)
def plain_path(path: str) -> str:
    """A path without case, line numbers and the signs at its ends."""
    slashed = _LINES.sub("", path.lower()).replace("\\", "/")
    lead = _LEAD.match(slashed)
    return (slashed[lead.end() :] if lead else slashed).rstrip("/")


def path_sources(index: Appearances, path: str, turn: int) -> list[int]:
    """The calls whose results showed the path before a turn: the first and the latest.

    None when somebody gave it, or the model wrote it, before any result showed it.
    """
    if path in _NOWHERE or not path:
        return []
    calls: list[int] = []
    for ending in dict.fromkeys(end.lstrip(".") for end in _endings(path)):
        origin = index.origin(ending, turn)
        if origin is None or origin.call is None:
            continue
        places = index.where(ending)
        calls += _first(index, places[:MOST_LOOKED_AT], path, turn)
        calls += _first(index, places[: -MOST_LOOKED_AT - 1 : -1], path, turn)
    return list(dict.fromkeys(calls))


def _endings(path: str) -> Iterator[str]:
    """The path, its last two steps and its name, as far as they tell it from others."""
    steps = path.split("/")
    is_file = "." in steps[-1].strip(".")
    if is_file or len(steps) >= DEEP or weight(steps[-1]) >= 0.7:
        yield path
    if is_file:
        if len(steps) > 2:
            yield "/".join(steps[-2:])
        if len(steps) > 1:
            yield steps[-1]
    elif len(steps) > 1 and weight(steps[-1]) >= 0.7:
        yield steps[-1]


def _first(index: Appearances, places: Sequence[int], path: str, turn: int) -> list[int]:
    for part_index in places:
        part = index.parts[part_index]
        if part.kind != "result" or part.call is None or index.calls[part.call].turn >= turn:
            continue
        request = index.calls[part.call].request
        if request is not None and path in index.held[request]:
            continue  # It only repeats what its own request said.
        if shows_path(index.low(part_index), path, index.arguments[part.call]):
            return [part.call]
    return []


def shows_path(low: str, path: str, question: tuple[str, ...] = ()) -> bool:
    """True when a text in lower case shows this path; `question` is what it answers."""
    name = path.rpartition("/")[2]
    for other in islice(_paths_that_end_in(low, name), MOST_PLACES):
        if "/" in other:
            if _agree(other, path):
                return True
        elif "/" not in path or _is_folder_of(question, path):
            return True
    return False


def _paths_that_end_in(low: str, name: str) -> Iterator[str]:
    """Every path of a text in lower case that ends in a name."""
    at = low.find(name)
    while at >= 0:
        end = at + len(name)
        folders = _FOLDERS_BACKWARDS.match(low[max(0, at - LONGEST) : at][::-1])
        alone = at == 0 or not (low[at - 1].isalnum() or low[at - 1] in "_-.")
        if (folders or alone) and not _GOES_ON.match(low, end):
            yield plain_path(f"{folders[0][::-1] if folders else ''}{name}")
        at = low.find(name, end)


def _agree(path: str, other: str) -> bool:
    """True when either is an ending of the other, `a/` and `b/` of a diff aside."""
    path = path[2:] if path[:2] in ("a/", "b/") else path
    return path == other or path.endswith(f"/{other}") or other.endswith(f"/{path}")


def _is_folder_of(question: tuple[str, ...], path: str) -> bool:
    """True when the question was about a folder of the path, or about none."""
    named, folder = _find_folders(question), path.rpartition("/")[0]
    return not named or any(
        f"/{folder_name}/" in f"/{path}" or f"/{folder_name}".endswith(f"/{folder}")
        for folder_name in named
    )


@lru_cache(maxsize=1_024)
def _find_folders(question: tuple[str, ...]) -> list[str]:
    """Words of a question that may be a folder; one result is looked at for many paths."""
    words = [word for value in question if len(value) < 2_000 for word in _FOLDER.findall(value)]
    return [plain_path(word) for word in words if plain_path(word) not in _NOWHERE]
