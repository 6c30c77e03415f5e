"""What an answer says in words of its own: places of its values in, features out.

What belongs to the task is masked first: the goal's value is RIGHT, other values that could stand
in its place OTHER, all other values VALUE, names that the task does not have NAME, and words of the
task are dropped. What is left of "find the address of Tomas Novak: 49 Garden Row" is nothing but
RIGHT, whatever the task. Evidence is taken from the line of a value (`l`; `b` before and `c` behind
the value) and from the frame (`o`), the lines that state no asked value and speak of all of them;
`a` is either. A long text has many features, so each counts less in it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from agentdyno.matching.commitments import Hit
from agentdyno.matching.values import fold, is_comparable
from agentdyno_bench.tps.outcomes.committing import load_classes
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import Goal, stem, stems
from agentdyno_bench.tps.outcomes.subjects import Placing

_TOKEN = re.compile(r"n['’]t\b|['’](?:s|d|ll|re|ve|m)\b|[^\W\d_]+?(?=n['’]t\b)|[^\W\d_]+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_WORD = re.compile(r"\w+")
_EMPTY = re.compile(r"\((?: VALUE)* \)")
"""Brackets around nothing but what belongs to the task."""
_SILENT = frozenset(",.:*_`-–—#'’+&•")
"""Signs that say nothing."""
_SMALL = frozenset(["in", "of", "at", "on", "by", "with", "for", "to", "the", "an"])
"""Words that say nothing."""
_INSIDE = re.compile(r"[\w,]\s?\Z")
_OFTEN_OWN = (
    "not no never or if but whether could would should can may might must will shall did does do "
    "was were been have has had I we you he she they them this these those there than then so as "
    "any some none either neither both between about around maybe perhaps probably say said says "
    "tell told think know sure wrong right true false real really only just even still yet "
    "guess ask answer please sorry note until unless while though although because since before "
    "after again other another instead rather somewhere someone anything something nothing yes"
)
_KEPT = frozenset(stem(fold(word)) for word in _OFTEN_OWN.split())
"""Words that are the author's own even where the task has them."""
SHORTEST_NAME, LONGEST_NAME = 3, 60
"""Characters of a text among the results that may be a name."""
FEW_WORDS = 3
"""Words of its own up to which a line is bare."""
FEW = 8
"""Different words up to which a text is short."""
Span = tuple[int, int]
Named = tuple[int, int, str]
Words = tuple[str, ...]


class OwnWords:
    """The lines of a text without what belongs to its task."""

    def __init__(self, placing: Placing, prompt: str, seen: Seen) -> None:
        self._placing, self._seen = placing, seen
        self._text = placing.reading.text
        self._task = _task_words(prompt, placing.goals, seen)
        self._asked = _triples(prompt).union(*(_triples(goal.sentence) for goal in placing.goals))
        self._lines = [found.span() for found in _LINE.finditer(self._text)]
        self._framed: Words | None = None

    def describe(self, goal: Goal, hit: Hit) -> Mapping[str, float]:
        """The features of a place of a goal's value."""
        line = next(each for each in self._lines if each[0] <= hit.start < each[1])
        return _describe(self._mask(line, self._values(goal, line)), self._frame())

    def _frame(self) -> Words:
        """What the lines say that state none of the asked values."""
        if self._framed is None:
            starts = [hit.start for hit in self._placing.places]
            self._framed = tuple(
                token
                for line in self._lines
                if not any(line[0] <= start < line[1] for start in starts)
                for token in self._mask(line, self._stated(line, "VALUE"))
            )
        return self._framed

    def _values(self, goal: Goal, line: Span) -> list[Named]:
        """Spans of values in a line, with what each of them is to the goal."""
        found = [
            (hit.start, hit.end, "RIGHT")
            for hit in self._placing.places_of(goal)
            if line[0] <= hit.start < line[1]
        ]
        if goal.slot.kind in ("entity", "list"):
            for name in map(str, self._seen.rivals(goal.slot.value)):
                place = self._placing.reading.folded.find(fold(name), *line)
                if place >= 0 and len(name) >= SHORTEST_NAME:
                    found.append((place, place + len(name), "OTHER"))
        return found + self._stated(line, "OTHER", goal)

    def _stated(self, line: Span, name: str, goal: Goal | None = None) -> list[Named]:
        values = [v for v in self._placing.reading.commitments if line[0] <= v.start < line[1]]
        expected = goal.expected[0].values[-1] if goal else None
        return [
            (v.start, v.end, name if not expected or is_comparable(v.value, expected) else "VALUE")
            for v in values
        ]

    def _mask(self, line: Span, values: list[Named]) -> Words:
        """The tokens of a line; neighbours that are alike count once, but for other values."""
        found: list[tuple[int, str]] = []
        quoted, taken = self._quoted(line), list[Span]()
        for start, end, name in values:
            others = taken if name == "RIGHT" else [*taken, *quoted]
            if not any(a < end and start < b for a, b in others):
                taken.append((start, end))
                found.append((start, name))
        covered = {place for span in (*taken, *quoted) for place in range(*span)}
        found += [
            (match.start(), word)
            for match in _TOKEN.finditer(self._text, *line)
            if match.start() not in covered and (word := self._name(match))
        ]
        said = _EMPTY.sub(" ", " ".join(token for _, token in sorted(found))).split()
        return tuple(b for a, b in pairwise(["", *said]) if a != b or b == "OTHER")

    def _quoted(self, line: Span) -> list[Span]:
        """Where three words or more stand as the user said them."""
        words = list(_WORD.finditer(self._placing.reading.folded, *line))
        return [
            (a.start(), c.end() + self._text.startswith(")", c.end()))
            for a, b, c in zip(words, words[1:], words[2:], strict=False)
            if (a[0], b[0], c[0]) in self._asked
        ]

    def _name(self, match: re.Match[str]) -> str:
        """The token of a word or sign; empty for one that belongs to the task."""
        word, start = match[0], match.start()
        if not word[0].isalpha() and word[0] not in "'’":
            return "" if word in _SILENT else word
        key = stem(fold(word))
        if key in _SMALL or (len(key) == 1 and key != "i"):
            return ""
        if key in self._task and key not in _KEPT:
            return ""
        is_name = word[0].isupper() and len(word) > 1
        return "NAME" if is_name and _INSIDE.search(self._text[max(0, start - 2) : start]) else key


@lru_cache(4096)
def _describe(said: Words, framed: Words) -> Mapping[str, float]:
    """The features of a line and its frame; many answers are in the same words."""
    place = said.index("RIGHT")
    counts = [len(set(words)) for words in (said, framed)]
    found = {
        **_count("a", said, sum(counts)),
        **_count("a", framed, sum(counts)),
        **_count("l", said, counts[0]),
        **_count("o", framed, counts[1]),
        **_scale("b", _with_classes(said[:place]), counts[0]),
        **_scale("c", _with_classes(said[place + 1 :]), counts[0]),
    }
    found["bare"] = float(sum(map(str.islower, said)) <= FEW_WORDS)
    found["others"] = float(min(3, said.count("OTHER")))
    return found


def _count(where: str, said: Words, count: int) -> dict[str, float]:
    """Words, pairs of them, and pairs of their classes."""
    classes = load_classes()
    named = [classes[word][0] if word in classes else word for word in said]
    pairs = (f"{a} {b}" for words in (said, named) for a, b in pairwise(words))
    return _scale(where, [*_with_classes(said), *pairs], count)


def _scale(where: str, words: Iterable[str], count: int) -> dict[str, float]:
    return dict.fromkeys((f"{where} {word}" for word in words), (1 + count / FEW) ** -0.5)


def _with_classes(said: Iterable[str]) -> Iterator[str]:
    for word in said:
        yield word
        yield from load_classes().get(word, ())


@lru_cache(512)
def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(fold(text))
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _task_words(prompt: str, goals: Sequence[Goal], seen: Seen) -> frozenset[str]:
    """Stems of the words of a task and of what was found for it."""
    names = " . ".join(text for text in seen.texts if len(text) < LONGEST_NAME)
    fields = " ".join(seen.names).replace("_", " ")
    own = frozenset[str]().union(*(goal.all_tokens for goal in goals))
    return own | stems(prompt) | stems(names) | stems(fields)
