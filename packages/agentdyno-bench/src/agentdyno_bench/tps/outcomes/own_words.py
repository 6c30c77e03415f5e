"""What an answer says in words of its own: places of its values in, features out.

What belongs to the task is masked first: the goal's value is RIGHT, other values that could stand
in its place OTHER, names that the task does not have NAME, and all other values and words of the
task are dropped. What is left of "find the address of Tomas Novak: 49 Garden Row" is nothing but
RIGHT, whatever the task. A word counts for where it stands:

    a  anywhere                            o  in the frame: lines that state no asked value
    b  before the value in its line        c  behind it
    k  in its clause                       f  among the first two of its sentence
    d  in sentences before its own         e  in those behind
    x  in a clause of another value        y  in a sentence of another value
    i  in a line of the frame with a colon behind it
    n  behind a "not" of the frame         p  with another class in a sentence of the frame

Besides words there are conditions (`if`, by their place and subject) and the shape of the text. A
long text has many features, so each counts less in it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, pairwise

from agentdyno.matching.commitments import Hit
from agentdyno.matching.values import fold, is_comparable
from agentdyno_bench.tps.outcomes.committing import load_classes
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import Goal, stem, stems
from agentdyno_bench.tps.outcomes.subjects import Placing

_TOKEN = re.compile(r"n['’]t\b|['’](?:s|d|ll|re|ve|m)\b|[^\W\d_]+?(?=n['’]t\b)|[^\W\d_]+|[^\w\s]")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_WORD = re.compile(r"\w+")
_EMPTY = re.compile(r"\((?: VALUE| [,.:–—])* \)")
"""Brackets around nothing but what belongs to the task."""
_SILENT = frozenset("*_`-#'’+&•")
"""Signs that say nothing."""
_STOPS, _BREAKS = frozenset(".!?…\n"), frozenset(',;:–—()"“”')
"""What ends a sentence, and a clause."""
_MARKS = frozenset(",.:–—\n")
"""Those of them that say nothing else."""
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
_KEPT = frozenset(
    [*(stem(fold(word)) for word in _OFTEN_OWN.split())]
    + [word for word, names in load_classes().items() if "@if" in names]
)
"""Words that are the author's own even where the task has them."""
_CONDITIONS = {
    *[(before, verb) for before in ("", "RIGHT") for verb in ("shoul", "were", "had")],
    *[("as", "long"), ("so", "long"), ("given", "that"), ("event", "that")],
}
"""Two words that open a condition; the first is empty where a clause begins."""
_POINTS = frozenset(["as", "it", "that", "this"])
"""Words that a condition is not about: "if it helps" is about help."""
SHORTEST_NAME, LONGEST_NAME = 3, 60
"""Characters of a text among the results that may be a name."""
FEW_WORDS = 3
"""Words of its own up to which a line is bare."""
REACH = 4
"""Words up to which a "not" reaches."""
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

    def describe(self, goal: Goal, hit: Hit) -> Mapping[str, float]:
        """The features of a place of a goal's value."""
        line = next(each for each in self._lines if each[0] <= hit.start < each[1])
        return _describe(self._mask(line, self._values(goal, line)), self._frame)

    @cached_property
    def _frame(self) -> Words:
        """What the lines say that state none of the asked values."""
        starts = [hit.start for hit in self._placing.places]
        return tuple(
            token
            for line in self._lines
            if not any(line[0] <= start < line[1] for start in starts)
            for token in (*self._mask(line, self._stated(line, "VALUE")), "\n")
        )

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
        """The words and signs of a line."""
        found: list[tuple[int, str]] = []
        quoted, taken = self._quoted(line), list[Span]()
        for start, end, name in values:
            others = taken if name == "RIGHT" else [*taken, *quoted]
            if not any(a < end and start < b for a, b in others):
                taken.append((start, end))
                found.append((start, name))
        covered = [*taken, *quoted]
        found += [
            (match.start(), word)
            for match in _TOKEN.finditer(self._text, *line)
            if not any(a <= match.start() < b for a, b in covered) and (word := self._name(match))
        ]
        said = _EMPTY.sub(" ", " ".join(token for _, token in sorted(found))).split()
        return tuple(token for token in said if token != "VALUE")

    def _quoted(self, line: Span) -> list[Span]:
        """Where three words or more stand as the user said them."""
        folded = self._placing.reading.folded
        said = _WORD.findall(folded, *line)
        if self._asked.isdisjoint(zip(said, said[1:], said[2:], strict=False)):
            return []
        words = list(_WORD.finditer(folded, *line))
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
def _describe(signs: Words, frame: Words) -> Mapping[str, float]:
    """The features of a line and its frame; many answers are in the same words."""
    said, framed = _words(signs), _words(frame)
    place, long, frame_long = said.index("RIGHT"), len(set(said)), len(set(framed))
    sentences = _sentences(signs)
    found = {
        **_count("a", said, long + frame_long),
        **_count("a", framed, long + frame_long),
        **_count("o", framed, frame_long),
        **_describe_frame(frame, frame_long),
        **_scale("b", said[:place], long),
        **_scale("c", said[place + 1 :], long),
        **_place(sentences, long),
        **dict.fromkeys(_conditions(sentences, "apart"), 1.0),
    }
    found["bare"] = float(sum(map(str.islower, said)) <= FEW_WORDS)
    found["others"] = float(min(3, said.count("OTHER")))
    return found


def _describe_frame(frame: Words, long: int) -> dict[str, float]:
    """What introduces values, what is denied, what is said in one sentence, and conditions."""
    classes, sentences, found = load_classes(), _sentences(frame), list[str]()
    ends = [0, *(at + 1 for at, token in enumerate(frame) if token == "\n")]
    intros = [frame[a:b] for a, b in pairwise(ends) if frame[b - 2 : b - 1] == (":",)]
    for clause in chain(*sentences):
        is_not = ["@not" in classes.get(word, ()) for word in clause]
        found += [word for at, word in enumerate(clause) if any(is_not[max(0, at - REACH) : at])]
    named = [
        {name for word in chain(*each) for name in classes.get(word, ())} for each in sentences
    ]
    pairs = (f"p {a} {b}" for names in named for a, b in combinations(sorted(names), 2))
    return {
        **_scale("i", (word for line in intros for word in line if word not in _MARKS), long),
        **_scale("n", found, long),
        **dict.fromkeys(pairs, _damp(long)),
        **dict.fromkeys(_conditions(sentences, "frame"), 1.0),
    }


def _words(signs: Words) -> Words:
    """Without marks; neighbours that are alike count once, but for other values."""
    said = [token for token in signs if token not in _MARKS]
    return tuple(b for a, b in pairwise(["", *said]) if a != b or b == "OTHER")


def _sentences(signs: Words) -> list[list[list[str]]]:
    """The clauses of each sentence."""
    found: list[list[list[str]]] = [[[]]]
    for token in signs:
        if token not in _MARKS:
            found[-1][-1].append(token)
        if token in _STOPS:
            found.append([[]])
        elif token in _BREAKS:
            found[-1].append([])
    return [kept for each in found if (kept := [clause for clause in each if clause])]


def _place(sentences: list[list[list[str]]], long: int) -> dict[str, float]:
    """Words by where they stand to the value and to others, and the shape of its sentence."""
    flat = [list(chain(*each)) for each in sentences]
    mine = next(place for place, words in enumerate(flat) if "RIGHT" in words)
    clause = next(each for each in sentences[mine] if "RIGHT" in each)
    apart = [each for each in flat if "OTHER" in each and each is not flat[mine]]
    beside = [c for each in sentences for c in each if "OTHER" in c and c is not clause]
    values = [word for word in chain(*flat) if word in ("OTHER", "RIGHT")]
    shape = {
        "label": flat[mine][0] == "RIGHT",
        "end": flat[mine][-1] == "RIGHT",
        "alone": flat[mine] == ["RIGHT"],
        "other in clause": "OTHER" in clause,
        "other in sentence": "OTHER" in flat[mine],
        "other first": values[0] == "OTHER",
        "other last": values[-1] == "OTHER",
    }
    return {
        **_scale("k", clause, long),
        **_scale("f", flat[mine][:2], long),
        **_scale("d", chain(*flat[:mine]), long),
        **_scale("e", chain(*flat[mine + 1 :]), long),
        **_scale("x", chain(*beside), long),
        **_scale("y", chain(*apart), long),
        **{f"shape {name}": 1.0 for name, holds in shape.items() if holds},
        "shape sentences": min(3, len(flat) - 1) / 3,
    }


def _conditions(sentences: list[list[list[str]]], elsewhere: str) -> Iterator[str]:
    """Where a condition in words of the author's own stands to the value, and what it is about:
    "if you like" is no doubt. One in words of the task alone says nothing."""
    classes = load_classes()
    for sentence in sentences:
        where = "before" if any("RIGHT" in clause for clause in sentence) else elsewhere
        for clause in sentence:
            for at, (before, word) in enumerate(pairwise(["", *clause])):
                where = "behind" if word == "RIGHT" else where
                opens = "@if" in classes.get(word, ()) or (before, word) in _CONDITIONS
                about = next((each for each in clause[at + 1 :] if each not in _POINTS), "RIGHT")
                if opens and about != "RIGHT":
                    topic = classes.get(about, ("other",))[0]
                    yield from (f"if {where}", f"if {topic}", f"if {where} {topic}")


def _count(where: str, said: Words, count: int) -> dict[str, float]:
    """Words, pairs of them, and pairs of their classes."""
    classes = load_classes()
    named = [classes[word][0] if word in classes else word for word in said]
    pairs = (f"{where} {a} {b}" for words in (said, named) for a, b in pairwise(words))
    return {**_scale(where, said, count), **dict.fromkeys(pairs, _damp(count))}


def _scale(where: str, words: Iterable[str], count: int) -> dict[str, float]:
    """Words and their classes."""
    classes = load_classes()
    named = (name for word in words for name in (word, *classes.get(word, ())))
    return dict.fromkeys((f"{where} {name}" for name in named), _damp(count))


def _damp(count: int) -> float:
    return float((1 + count / FEW) ** -0.5)


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
