"""What a text can rest on: everything that was given, returned or asked for before it.

Takes an index of a trajectory and the place of a text; answers where a value stands, beside which
words, and what a run of tests, a listing or a file shows. The model's own texts are no evidence.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple, TypeGuard

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import number_token
from agentdyno.matching.paths import plain_path
from agentdyno.matching.values import Value, bare_code, read_values
from agentdyno.matching.values.leaves import leaves, read_json

WINDOW = 90
"""Characters on either side of a figure in which a word may speak of it."""
LONGEST = 60_000
"""Characters of one source in which figures are looked for."""
MOST = 400_000
"""Characters of all sources together that are read for money and days."""
LATEST = 12
"""Counts of tests, the latest ones, any two of which may be added up."""
_NUMBERED = re.compile(r"^\s*(\d{1,6})(?:→|\t|[:|-])", re.MULTILINE)
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@\[\]()-]+)+|\b[\w-]+\.[a-z]{1,5}\b")
_TEST_DEFINITION = re.compile(r"\bdef test_|\bfunc Test|\b(?:it|test)\(|@Test\b|#\[test\]")
_PASSED = re.compile(
    r"(?:tests run: )?(\d[\d,]{0,14})(?<=\d)"
    r"(?:\s+(?:passed|passing|passes|tests?\b|examples\b|specs?\b)|(?=, failures))",
    re.IGNORECASE,
)
_RAN = re.compile(r"^\s*(?:--- PASS|ok\s|✓|✔|√|PASS\b)|\bPASSED\b|\.\.\. ok$", re.MULTILINE)
"""A mark of a test, or of a group of tests, that passed."""


class Sources:
    """The parts of a trajectory as sources, each read once however many texts rest on it."""

    def __init__(self, index: Appearances) -> None:
        self.index = index
        self.low = cache(lambda place: index.parts[place].text.lower())
        self.bare = cache(lambda place: bare_code(index.parts[place].text))
        self.values = cache(lambda place: read_values(index.parts[place].text[:LONGEST], "en"))
        self.listed = cache(lambda place: _list(index.parts[place].text[:LONGEST]))
        self.totals = cache(lambda place: _totals(index.parts[place].text[:LONGEST]))
        self.run = cache(lambda place: _run_of_tests(index.parts[place].text))
        self.written = cache(lambda call: _tests_in("\n".join(index.arguments[call])))


class Evidence:
    """What one text can rest on."""

    def __init__(self, sources: Sources, at: int) -> None:
        self.sources, self.index, self.at = sources, sources.index, at
        index = sources.index
        self.turn = index.parts[at].made or 0
        self.places = [
            place
            for place in range(at)
            if (part := index.parts[place]).kind == "request"
            or (part.made is None and part.kind != "schema")
        ]
        self.results = [p for p in self.places if index.parts[p].kind == "result"]

    def text(self, place: int) -> str:
        """A source as it stands."""
        return self.index.parts[place].text

    def holds(self, written: str) -> bool:
        """Whether any source has these characters, whatever their case."""
        low = written.lower()
        return any(low in self.sources.low(place) for place in self.places)

    def holds_code(self, bare: str) -> bool:
        """Whether any source has a code, whatever its marks."""
        return any(bare in self.sources.bare(place) for place in self.places)

    def around(self, number: float) -> Iterator[str]:
        """What stands around each appearance of a figure."""
        token = number_token(f"{number:.6f}")
        for place in self.index.where(token):
            if place in self._known:
                yield from _windows(self.text(place), number)

    def is_near(self, number: float, cue: re.Pattern[str]) -> bool:
        """Whether a source has the figure beside one of these words."""
        return any(cue.search(around) for around in self.around(number))

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self.places)

    def figures_beside(
        self, cue: re.Pattern[str], line_by_line: bool = False
    ) -> list[tuple[float, str]]:
        """Figures, with their lines, of sources that hold one of these words, or of such lines."""
        found = []
        for place in self.places:
            text = self.text(place)[:LONGEST]
            for line in text.splitlines() if cue.search(text) else ():
                if not line_by_line or cue.search(line):
                    found += [(float(n), line.strip()) for n in _FIGURE.findall(line[:400])]
        return found

    def fields_named(self, stems: Collection[str]) -> list[tuple[str, object]]:
        """Fields of results whose name holds one of these words, with what they hold."""
        found = []
        for place in self.results:
            text = self.sources.low(place)
            decoded = read_json(self.text(place)) if any(stem in text for stem in stems) else ""
            for name, value in leaves(decoded) if not isinstance(decoded, str) else ():
                if any(stem in name.lower() for stem in stems):
                    found.append((name, value))
        return found

    def totals(self) -> set[float]:
        """What the fields of one name in one result add up to."""
        return {total for place in self.results for total in self.sources.totals(place)}

    def test_counts(self) -> tuple[set[int], list[str], bool]:
        """Counts that runs of tests and written tests can show, what the runs say in words, and
        whether any run was without counts."""
        runs = [run for place in self.results if (run := self.sources.run(place))]
        counts = {number for run in runs for number in run.counts}
        sums = [run.passed for run in runs]
        counts |= {sum(sums[first:]) for first in range(max(0, len(sums) - 8), len(sums))}
        calls = enumerate(self.index.calls)
        written = [self.sources.written(n) for n, call in calls if call.turn < self.turn]
        stated = [words for run in runs for words in run.words]
        single = {int(re.sub(r"\D", "", words)) for words in stated[-LATEST:]}
        counts |= {a + b for a, b in combinations(single, 2)}
        return counts | {*written, sum(written)}, stated, any(not run.words for run in runs)

    def file_counts(self) -> tuple[set[int], set[int]]:
        """How many files were changed, and how many any listing or reading shows."""
        written: dict[int, set[str]] = {}
        read: set[str] = set()
        prompts = [p.enters for p in self.index.parts[: self.at] if p.kind == "user" and p.enters]
        for call, effect in zip(self.index.calls, self.index.effects, strict=True):
            if call.turn < self.turn:
                written.setdefault(call.turn, set()).update(map(plain_path, effect.writes))
                read.update(map(plain_path, effect.reads))
        changed = set()
        for since in {0, *prompts}:
            files = {f for turn, names in written.items() if turn >= since for f in names}
            changed.add(len(files))
        listed = {len(read)}
        listed.update(n for place in self.results for n in self.sources.listed(place))
        return changed, listed

    @property
    def has_unseen_writes(self) -> bool:
        """Whether a call before may have changed files that it does not name."""
        before = zip(self.index.calls, self.index.effects, strict=True)
        return any(
            effect.may_write and not effect.checks and (not effect.writes or "*" in effect.writes)
            for call, effect in before
            if call.turn < self.turn
        )

    def displayed_lines(self, name: str) -> tuple[set[int], int | None]:
        """Line numbers of a file that results show, and its last line where it was read to the
        end."""
        displayed: set[int] = set()
        last: int | None = None
        added = 0
        calls = zip(self.index.calls, self.index.effects, strict=True)
        for place, (call, effect) in enumerate(calls):
            if call.turn >= self.turn or call.result is None:
                continue
            if any(write.endswith(name) for write in effect.writes):
                added += sum(value.count("\n") + 1 for value in self.index.arguments[place])
            text = self.text(call.result)
            named = any(read.endswith(name) for read in effect.reads) or name in call.arguments
            if named or name in text:
                displayed |= {int(n) for n in _NUMBERED.findall(text)}
                displayed |= {
                    int(n) for n in re.findall(rf"{re.escape(name)}\D{{1,8}}(\d{{1,9}})", text)
                }
            if named and not _PIECE.search(call.arguments) and (own := _NUMBERED.findall(text)):
                last = max(last or 0, int(own[-1]))
        return displayed, None if last is None else last + added

    @cached_property
    def is_cut(self) -> bool:
        """Whether the sources are more than is read for money and days."""
        sizes = [len(self.text(place)) for place in self.places]
        return sum(sizes) > MOST or max(sizes, default=0) > LONGEST

    @cached_property
    def values(self) -> list[Value]:
        """Typed values of the sources."""
        return [value for place in self.places for value in self.sources.values(place)]

    @cached_property
    def day_steps(self) -> set[int]:
        """Days that lead from a known day to another: so many as a source names, or one."""
        steps = {0, 1}
        for place in self.places:
            for found in _DAYS.finditer(self.sources.low(place)[:LONGEST]):
                count, unit = found["count"] or found["value"], found["unit"] or found["field"]
                number = _WORDS.index(count) if count in _WORDS else int(count)
                days = number * {"w": 7, "m": 30}.get(unit[0], 1)
                # Weekends lie between business days, and months differ.
                steps.update({days} if unit[0] == "n" else range(days, days * 3 // 2 + 3))
        return steps

    def user_names(self, word: str) -> bool:
        """Whether a user says a word."""
        users = (place for place in self.places if self.index.parts[place].kind == "user")
        return any(word.lower() in self.sources.low(place) for place in users)

    def has_written(self, name: str) -> bool:
        """Whether a call before changed a file of this name."""
        calls = zip(self.index.calls, self.index.effects, strict=True)
        return any(w.endswith(name) for c, e in calls if c.turn < self.turn for w in e.writes)

    @cached_property
    def session_days(self) -> set[date]:
        """The days on which the session took place."""
        stamps = (turn.started_at or turn.ended_at for turn in self.index.trajectory.turns)
        return {datetime.fromtimestamp(stamp, UTC).date() for stamp in stamps if stamp}


_FIGURE = re.compile(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w,]|\.\d)")
_WORDS = "zero one two three four five six seven eight nine ten".split()
_UNIT = r"(?P<{}>days?|nights?|weeks?|months?)"
_DAYS = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(_WORDS)})[ -](?:business |working |calendar )?"
    rf"{_UNIT.format('unit')}\b"
    rf"|{_UNIT.format('field')}\w*[\"']?\s?[:=]\s?[\"']?(?P<value>\d{{1,3}})\b",
    re.IGNORECASE,
)
"""So many days, in words or as a field."""
_PIECE = re.compile(r"offset|limit|head|tail|sed|grep|view_range|-n \d")


class _Run(NamedTuple):
    """What one result says of tests that ran."""

    counts: frozenset[int]
    """Every number that it can show."""
    passed: int
    """All that passed."""
    words: tuple[str, ...]
    """The counts as written; none where only the outcome is."""


def _run_of_tests(text: str) -> _Run | None:
    words = tuple(found[0] for found in _PASSED.finditer(text))
    ran = Counter(mark.strip() for mark in _RAN.findall(text))
    if not words and not ran:
        return None
    passed = [int(n.replace(",", "")) for n in _PASSED.findall(text)]
    rest = {abs(a - b) for line in text.splitlines() for a, b in _pairs(line)}
    return _Run(frozenset({*passed, sum(passed), *ran.values(), *rest}), sum(passed), words)


def _totals(text: str) -> set[float]:
    decoded = read_json(text)
    sums: dict[str, float] = defaultdict(float)
    for name, value in leaves(decoded) if not isinstance(decoded, str) else ():
        if is_figure(value):
            sums[name] += value
    return set(sums.values())


def is_figure(value: object) -> TypeGuard[float]:
    """Whether it is a number that money can be; JSON has integers that no float holds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12


def _tests_in(text: str) -> int:
    return len(_TEST_DEFINITION.findall(text))


def _list(text: str) -> tuple[int, int]:
    """Lines of a result, and distinct paths that begin them."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines), len({path for line in lines for path in _PATH.findall(line[:300])[:1]})


def _pairs(line: str) -> Iterator[tuple[int, int]]:
    """Pairs of counts on one line of a report: those that ran, and those that did not pass."""
    if _OUTCOME.search(line):
        yield from combinations([int(n) for n in re.findall(r"\d+", line[:300])[:8]], 2)


_OUTCOME = re.compile(r"fail|skip|pending|error|todo|ignored", re.IGNORECASE)


def _windows(text: str, number: float) -> Iterator[str]:
    """The line around each appearance, or so much of a long one."""
    forms = {f"{number:.2f}".rstrip("0").rstrip("."), f"{number:,.2f}".rstrip("0").rstrip(".")}
    pattern = rf"(?<![\w.])(?:{'|'.join(map(re.escape, forms))})0?(?![\w]|\.\d)"
    for match in re.finditer(pattern, text):
        start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - WINDOW)
        end = text.find("\n", match.end())
        yield text[start : min(end if end >= 0 else len(text), match.end() + WINDOW)]
