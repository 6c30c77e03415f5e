"""What of a call's arguments stood first in which result: a call in, the calls it rests on out.

Ids, paths, days, larger figures, names and lines of text are looked for where they first appeared;
what somebody gave, or the model wrote before, came from no result. A figure may be worked out of
two figures of results. See `inference` for what an edge claims.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from agentdyno.matching.appearances import Appearances, Origin, text_lines
from agentdyno.matching.codes import code_kind
from agentdyno.matching.distinct_tokens import argument_tokens, number_token, weight
from agentdyno.matching.effects import shell_line
from agentdyno.matching.paths import path_sources, paths_of, plain_path, without_spans
from agentdyno.matching.values.lexicon import unit_named

LEAST = 0.5
"""Weight below which a common token proves nothing."""
LONG = 200
"""Characters beyond which an argument is a text, in which only heavy tokens and lines count."""
LEAST_IN_TEXT = 0.9
LONGEST_TEXT = 4_000
"""Characters of a text in which whole paths are looked for."""
SHORT_LINE, LONG_LINE = 24, 48
"""Characters of a single line that proves something, and of one that the file at hand explains."""
MOST_FIGURES = 30
"""Distinct figures of results beyond which sums and differences would fit anything."""
MOST_EARLIER = 30
"""Earlier calls among which the one that opened a file is looked for."""
_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\b|#include\b|use\s|using\s|package\s|require\b")
"""How a line begins that many files share."""
_JOINTS = frozenset("-_.@:")
"""What stands between the pieces of an id or an address."""
_JOINT = re.compile(r"[-_.@:]")
_NUMBERED = re.compile(r"[a-z]+\d{1,3}")
_ID = re.compile(r"(?:#|\bid\W{1,4})(\d{1,4})\b", re.IGNORECASE)
_ID_NAME = re.compile(r"(?:\A|_)id\Z|Id\Z|ID\Z|number\Z")
SHORT_RESULT = 400
"""Characters of a result that only says what was made."""
_NUMBERED_LINE = re.compile(r"^(?:([\w./@-]+\.\w+)[:-])?(\d{1,6})[:-]", re.MULTILINE)
"""How a search writes where it found something: `src/a.py:120:`, or `120:` in one file."""
_SED = re.compile(r"\bsed -n ['\"]?(\d+),(\d+)p['\"]? \S*?([\w.-]+\.\w+)")
_START = ("offset", "start_line", "line", "line_start")
"""Arguments that say where a reading begins."""
VIEW = 80
"""Lines of a reading in which what was looked for stands."""
LONGEST_SEARCH = 40_000
"""Characters of a result in which found lines are looked for."""
_NAMED = re.compile(
    r"[\"“«]([^\"“”«»\n]{3,200})[\"”»]|`([^`\n]{3,200})`|‘([^‘’\n]{3,200})’"
    r"|((?<![\w.])[A-ZÀ-ÖØ-Þ][\w'’&.-]{0,40}(?: (?:of|de|la|le|van|von|der|the|and|&) "
    r"[A-ZÀ-ÖØ-Þ][\w'’&-]{0,40}| [A-ZÀ-ÖØ-Þ][\w'’&-]{0,40}){1,6})"
)
"""Names of two words or more, and everything in quotes."""
DISPLAYED = "its result showed this first"
Found = Iterator[tuple[int, str, str, float]]
"""Source call, what gave it away, reason, confidence."""
Same = Callable[[int], bool]
"""Whether another call is about the same file."""


def value_sources(index: Appearances, figures: "Figures", target: int) -> Found:
    """Every earlier call whose result the arguments give away."""
    effects = index.effects
    call = index.calls[target]
    touched = _file_of(effects[target].writes)

    def same(other: int) -> bool:
        reads = effects[other].reads
        return touched is not None and any(plain_path(read) == touched for read in reads)

    yield from figures.numbered(target)
    yield from figures.line_found(target)
    opened = _open(index, target, same) if effects[target].action == "writes" else None
    quoted = False
    for value in index.arguments[target]:
        if len(value) > LONG or "\n" in value:
            for source in _of_text(index, value, call.turn, same):
                quoted = quoted or same(source[0])
                yield source
        else:
            candidates = touched if opened is not None else None
            yield from _of_value(index, figures, value, call.turn, candidates)
    if opened is not None and not quoted:
        yield opened, _tail(touched or ""), "it changes the file that the other read", 0.95


def _read_at(index: Appearances, target: int) -> tuple[str, int, int] | None:
    """The file that a call reads in part, and the lines in which what it looks for may stand."""
    decoded, line = index.decoded[target], shell_line(index.decoded[target])
    if line is not None:
        match = _SED.search(line)
        return (match[3], int(match[1]), int(match[2])) if match else None
    if not isinstance(decoded, dict):
        return None
    start = next((decoded[key] for key in _START if isinstance(decoded.get(key), int)), 0)
    path = next((v for k, v in decoded.items() if "path" in k and isinstance(v, str)), "")
    size = decoded.get("limit") if isinstance(decoded.get("limit"), int) else VIEW
    if start <= 1 or not path:
        return None
    return path.rpartition("/")[2], start - 5, start + min(size or VIEW, VIEW)


def _file_of(writes: tuple[str, ...]) -> str | None:
    """The one file that a call changes; notes, repositories and services are no files."""
    path = plain_path(writes[0]) if len(writes) == 1 else ""
    is_file = "." in path.rpartition("/")[2].strip(".") and " " not in path
    return path if is_file and code_kind(writes[0]) == "path" else None


def _open(index: Appearances, target: int, same: Same) -> int | None:
    """The latest earlier call that looked at the file which the target changes."""
    turn = index.calls[target].turn
    for position in range(target - 1, max(-1, target - 1 - MOST_EARLIER), -1):
        call = index.calls[position]
        reads = index.effects[position].action == "reads"
        if call.turn < turn and reads and call.executed and not call.error and same(position):
            return position
    return None


def _of_value(
    index: Appearances, figures: "Figures", value: str, turn: int, opened: str | None
) -> Found:
    seen = False
    text = value.strip().lower()
    paths = paths_of(value)
    for path, _, _ in paths:
        seen = seen or index.origin(path, turn) is not None
        if path == opened:
            continue  # Whoever opened it had its name from there.
        for source in path_sources(index, path, turn):
            yield source, _tail(path), DISPLAYED, 0.9
    for token in _candidates(without_spans(value, paths)):
        heavy = _heaviness(index, token, text)
        if heavy < LEAST:
            continue
        seen = seen or index.origin(token, turn) is not None
        sources = index.sources(token, turn)
        if sources and not _is_worn(index, token):
            for source in sources:
                yield source, token, DISPLAYED, heavy
    yield from _of_phrases(index, value, turn)
    if not seen:
        yield from figures.derived(value, turn)


def _tail(path: str) -> str:
    """The end of a path, which tells it from others."""
    return "/".join(path.split("/")[-3:])


def _candidates(value: str) -> list[str]:
    """The tokens of an argument, without pieces of an id or an address.

    In order: of two that are as good an edge names the first, in every run the same."""
    tokens = argument_tokens(value, dates=True)
    low = value.lower()
    if "://" in low:
        return sorted(token for token in tokens if "://" in token)
    if not _JOINT.search(low):
        return sorted(token for token in tokens if "/" not in token)
    return sorted(token for token in tokens if not _is_piece(token, low) and "/" not in token)


def _heaviness(index: Appearances, token: str, text: str) -> float:
    """A whole argument that is a whole value of a result is more than its letters say."""
    heavy = weight(token)
    if heavy < 0.6 and len(token) > 2 and not token.isdigit() and token in index.leaves:
        if unit_named(token) is not None:
            return 0.0
        marked = token == text or any(sign in token for sign in "-_:")
        return 0.6 if marked else heavy
    return heavy


def _is_piece(token: str, low: str) -> bool:
    start = low.find(token)
    if start < 0 or token == low.strip():
        return False
    before, after = low[start - 1 : start], low[start + len(token) : start + len(token) + 1]
    return (before in _JOINTS or (after in _JOINTS and after != ".")) and "/" not in token


def _of_phrases(index: Appearances, value: str, turn: int) -> Found:
    """Names of several words, quoted within a sentence or whole."""
    phrases = [next(filter(None, match.groups())).rstrip(".'’") for match in _NAMED.finditer(value)]
    if " " in value.strip() and len(value) <= 80:
        phrases.append(value.strip())
    for phrase in dict.fromkeys(phrases):
        words = [t for t in argument_tokens(phrase) if t.isalpha() or weight(t) > 0]
        if len(words) < 2 or not all(map(index.where, words)):
            continue
        origin = _first_phrase(index, phrase.lower(), words, turn)
        if (source := _source(index, origin, turn)) is not None:
            yield source, phrase, "its result showed these words first", 0.8


def _first_phrase(index: Appearances, phrase: str, words: list[str], turn: int) -> Origin | None:
    rarest = min(words, key=lambda word: (index.count(word), word))
    for position in index.where(rarest)[:12]:
        part = index.parts[position]
        if part.made is not None and part.made >= turn:
            return None
        if phrase in index.low(position):
            return Origin(position, part.call if part.kind == "result" else None)
    return None


def _of_text(index: Appearances, value: str, turn: int, same: Same) -> Found:
    """Lines that a result showed, and heavy tokens within."""
    lines: dict[int, list[str]] = {}
    lines_written: set[int] = set()
    for line in text_lines(value):
        source, is_own = _line_source(index, line, turn, same)
        if source is not None:
            lines.setdefault(source, []).append(line)
            lines_written.update([source] if is_own else ())
    for source, tokens in lines.items():
        longest = max(tokens, key=len)
        # A file that is known explains its lines; in another one they may stand by chance.
        far = (lines_written and source not in lines_written) or _IMPORT.match(longest)
        least = LONG_LINE if far else SHORT_LINE
        if _disambiguate(tokens) > 1 or len(longest) >= least:
            yield source, longest, "a line of its result is quoted", 0.95
    for path, _, _ in paths_of(value[:LONGEST_TEXT]):
        if path.startswith("/") and path.count("/") > 2 and "." in path.rpartition("/")[2]:
            for source in path_sources(index, path, turn):
                yield source, _tail(path), DISPLAYED, 0.8
    heavy = (t for t in argument_tokens(value) if weight(t) >= LEAST_IN_TEXT and "/" not in t)
    for token in sorted(filter(_is_informative, heavy)):
        source = _source(index, index.origin(token, turn), turn)
        if source is not None:
            yield source, token, DISPLAYED, 0.7


def _disambiguate(lines: list[str]) -> int:
    """How many of the lines are of their own making; two files may import the same things."""
    return sum(not _IMPORT.match(line) for line in set(lines))


def _is_informative(token: str) -> bool:
    """Whether a token within a text is more than the name of a program or a type: `sqlite3`,
    `base64` and `int32` stand in any code."""
    return any(c.isdigit() for c in token) and not _NUMBERED.fullmatch(token)


def _line_source(index: Appearances, line: str, turn: int, same: Same) -> tuple[int | None, bool]:
    """The latest call on the same file that showed a line, else the first call of all."""
    origins = index.lines.get(line)
    if not origins:
        return None, False
    for origin in reversed(origins):
        source = _source(index, origin, turn)
        if source is not None and same(source):
            return source, True
    return _source(index, origins[0], turn), False


def _source(index: Appearances, origin: Origin | None, turn: int) -> int | None:
    if origin is None or origin.call is None:
        return None
    return origin.call if index.calls[origin.call].turn < turn else None


def _is_worn(index: Appearances, token: str) -> bool:
    """Whether it stands almost everywhere, so that any result would have shown it."""
    return index.count(token) > 12 and index.count(token) > 0.4 * len(index.parts)


class Figures:
    """Figures of results, for what was worked out of two of them."""

    def __init__(self, index: Appearances) -> None:
        self._index = index
        self._turns = [call.turn for call in index.calls]
        self._searched: dict[int, list[tuple[str, str]]] = {}

    @cached_property
    def _seen(self) -> dict[float, int]:
        """Figure -> the call whose result showed it first."""
        first_seen: dict[float, int] = {}
        for position, part in enumerate(self._index.parts):
            if part.kind == "result" and part.call is not None:
                for token in self._index.held[position]:
                    if token[0].isdigit() and _is_figure(token):
                        first_seen.setdefault(float(token), part.call)
        return first_seen

    @cached_property
    def _ids(self) -> dict[str, int]:
        """Short id -> the call whose short result gave it: `Task #3 created`."""
        first_seen: dict[str, int] = {}
        for part in self._index.parts:
            if part.kind == "result" and part.call is not None and len(part.text) <= SHORT_RESULT:
                for number in _ID.findall(part.text):
                    if self._index.effects[part.call].may_write:
                        first_seen.setdefault(number, part.call)
        return first_seen

    def numbered(self, target: int) -> Found:
        """The call that made the thing whose short id an argument names as an id."""
        decoded = self._index.decoded[target]
        for name, value in decoded.items() if isinstance(decoded, dict) else ():
            number = str(value) if isinstance(value, str | int) else ""
            source = self._ids.get(number) if _ID_NAME.search(name) else None
            if source is not None and self._turns[source] < self._turns[target]:
                yield source, f"#{number}", "its result gave this id", 0.9

    def line_found(self, target: int) -> Found:
        """The latest earlier call whose result has, for the same file, a line number at which the
        target begins to read: a search found it."""
        expected = _read_at(self._index, target)
        if expected is None:
            return
        name, first, last = expected
        for position in range(target - 1, max(-1, target - 1 - MOST_EARLIER), -1):
            call = self._index.calls[position]
            if call.turn >= self._turns[target] or call.result is None or call.error:
                continue
            is_named = name in call.arguments
            if not is_named and name not in self._index.parts[call.result].text:
                continue
            for file, number in self._numbered_lines(call.result):
                if (file.endswith(name) if file else is_named) and first <= int(number) <= last:
                    yield (
                        position,
                        f"{name}:{number}",
                        "it opens the line that the other found",
                        0.9,
                    )
                    return

    def _numbered_lines(self, part: int) -> list[tuple[str, str]]:
        """File, or nothing, and number of each line that a search found; each result is gone
        through once."""
        if part not in self._searched:
            text = self._index.parts[part].text[:LONGEST_SEARCH]
            self._searched[part] = _NUMBERED_LINE.findall(text)
        return self._searched[part]

    def derived(self, value: str, turn: int) -> Found:
        """The two calls whose figures make this one."""
        text = value.strip().lstrip("-")
        if not text.replace(".", "", 1).isdigit() or weight(number_token(text)) < LEAST:
            return
        earlier = [(v, c) for v, c in self._seen.items() if self._turns[c] < turn]
        if not 2 <= len(earlier) <= MOST_FIGURES:
            return
        earlier.sort(key=lambda figure: (figure[1], figure[0]))
        expected = float(text)
        for position, (a, one) in enumerate(earlier):
            for b, other in earlier[position + 1 :]:
                if any(abs(created - expected) < 0.006 for created in (a + b, abs(a - b), a * b)):
                    yield one, value, "worked out of its result", 0.6
                    yield other, value, "worked out of its result", 0.6
                    return


def _is_figure(token: str) -> bool:
    return weight(token) >= 0.35 and token.replace(".", "", 1).isdigit()
