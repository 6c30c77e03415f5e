"""What else a text puts in the place of a value: under the same label, in a like cell of its row,
as another item of a bare list, or in a heap. A reading and the places of a value in, the other
value out.

Only the form is looked at, so that values which no result held are found as well.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agentdyno.matching.commitments import Commitment, Hit
from agentdyno.matching.values import Value, is_comparable
from agentdyno_bench.tps.outcomes.goals import Goal, tokens
from agentdyno_bench.tps.outcomes.subjects import Placing

_LINK = re.compile(r"[:=|](?=\s)|\s[–—-]\s|\b(?:is|are|was|were|comes (?:to|out at))\s|→")
"""What joins a label and its value."""
_CUT = re.compile(r"[,;]\s")
_NAME = re.compile(r"[\s“\"'*(]*(?:[A-Z0-9+€$£]|(?=\S+\Z))")
_STATE = re.compile(
    r"\W*(?:all )?(?:done|booked|sent|added|ordered|paid|confirmed|reserved|scheduled|set|saved|"
    r"created|cancelled|canceled|completed|ok|okay|yes)\W*\Z",
    re.IGNORECASE,
)
"""What was done is said beside what was found."""
_ITEM = re.compile(r"^[ \t]*(?:(?:[-*•+]|\d{1,2}[.)])[ \t]+|(?=[\"']))(\S[^\n]*)$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$", re.MULTILINE)
_BOUND = re.compile(r"\b(?:low|high|min|max|from|to|least|most|first|second)\w*\b", re.IGNORECASE)
_LETTERED = re.compile(
    r"\b(?:options?|candidates?|versions?|variants?|possibilit\w+|choices?|alternatives?|"
    r"scenarios?|guess(?:es)?|answers?)\s+(?:[A-H]|\d|one|two|three)\b",
    re.IGNORECASE,
)
"""One of several that nobody has chosen from."""
_SIGN = r"(?:[+→/&]|[–—-](?=\s)|->|(?<=[)]),)"
_JOINED = re.compile(rf"[”\"'*]*\s*(?:\([^)\n]*\))?\s*{_SIGN}\s*([“\"'*]*[A-Z+][\w’' .-]+)")
_JOINS = re.compile(rf"(?:[:|=]|\bis)\s+([A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)\s*{_SIGN}\s*[“\"'*]*\Z")
FEWEST = 2
"""Words of a label that tell what it labels."""
SHORTEST_HEAP = 4
"""Items of a list."""
LONGEST_ITEM = 60
"""Characters of an item of a list that is nothing but a value."""
Span = tuple[int, int]


class _Label:
    """What stands before a link, and where the link ends."""

    def __init__(self, text: str, end: int) -> None:
        self._text, self._words, self.end = text.strip(" *_-•"), tokens(text), end

    @property
    def tells(self) -> bool:
        """Whether it has words enough to tell what it labels."""
        return len(self._words) >= FEWEST or self._text.count(" ") >= FEWEST

    def is_in(self, other: "_Label") -> bool:
        """Whether another label says the same, or more."""
        if len(self._words) >= FEWEST:
            return self._words <= other._words
        return other._text.endswith(self._text)


class Parallels:
    """The places of a text's values beside what stands like them."""

    def __init__(self, source: str, placing: Placing) -> None:
        self._source, self._placing = source, placing
        self._reading = placing.reading
        self._items = [m.span(1) for m in _ITEM.finditer(source)]
        self._labels = {span: self._link(span) for span in self._reading.layout.sentences}

    def find(self, goal: Goal, hits: Sequence[Hit]) -> Iterator[Span]:
        """Where something else stands in the place of each value."""
        for hit in hits:
            yield from self._under_label(goal, hit)
            yield from self._in_row(goal, hit)
            yield from self._in_list(goal, hit)
            yield from self._lettered(hit)
            yield from self._joined(goal, hit)

    def is_heap(self, hit: Hit) -> bool:
        """Whether a value stands in a long list of values that names no goal."""
        begin, end = self._reading.layout.sentence_of(hit.start)
        found = _CUT.finditer(self._reading.text, max(0, begin - 2), end)
        cuts = [begin, *(cut for m in found if begin <= (cut := m.end()) < end)]
        items = list(pairwise([*cuts, end]))
        strange = sum(not self._stands(None, item) for item in items)
        is_long = len(items) >= SHORTEST_HEAP and strange >= len(items) / 3
        return is_long and not self._placing.is_naming((begin, end))

    def _under_label(self, goal: Goal, hit: Hit) -> Iterator[Span]:
        """Other sentences with the words before the value, and another value."""
        mine = self._reading.layout.sentence_of(hit.start)
        before = [label for label in self._labels[mine] if label.end <= hit.start]
        if not before or not (label := before[-1]).tells:
            return
        for span, labels in self._labels.items():
            start = next((each.end for each in labels if label.is_in(each)), None)
            if start is not None and span != mine and not self._stands(goal, span):
                yield from self._others(goal, (start, span[1]))

    def _link(self, span: Span) -> list["_Label"]:
        """For each link of a sentence, what stands before it."""
        links = _LINK.finditer(self._reading.text, *span)
        ends = [(m.start(), m.end()) for m in links]
        return [_Label(self._reading.text[span[0] : a], b) for a, b in ends if b < span[1] - 1]

    def _in_row(self, goal: Goal, hit: Hit) -> Iterator[Span]:
        """Cells of the value's row under headings like its own."""
        cells = self._cells(hit.start)
        mine = next((n for n, (a, b) in enumerate(cells) if a <= hit.start < b), 0)
        heads = self._heads(hit.start)
        for number, cell in enumerate(cells):
            if number not in (0, mine) and not self._stands(None, cell):
                pair = [heads[n] if n < len(heads) else "" for n in (mine, number)]
                if tokens(pair[0]) == tokens(pair[1]) or all(map(_BOUND.search, pair)):
                    yield from self._others(goal, cell)

    def _cells(self, place: int) -> list[Span]:
        line = self._line(place)
        text = self._source[slice(*line)]
        if text.count("|") < 2:
            return []
        cuts = [line[0] + m.start() for m in re.finditer(r"\|", text)]
        if text[: cuts[0] - line[0]].strip():
            cuts = [line[0] - 1, *cuts]
        return [(a + 1, b) for a, b in zip(cuts, [*cuts[1:], line[1]], strict=True) if a + 1 < b]

    def _heads(self, place: int) -> list[str]:
        rules = [m.start() for m in _RULE.finditer(self._source, 0, place)]
        above = self._source[: rules[-1]].rstrip("\n").rpartition("\n")[2] if rules else ""
        return above.strip().strip("|").split("|")

    def _in_list(self, goal: Goal, hit: Hit) -> Iterator[Span]:
        """Items beside the value's, where it is an item of its own."""
        mine = next((n for n, (a, b) in enumerate(self._items) if a <= hit.start < b), None)
        if mine is None or not self._is_bare(hit):
            return
        for step in (-1, 1):
            number = mine + step
            while 0 <= number < len(self._items) and self._touches(number, number - step):
                span = self._items[number]
                if span[1] - span[0] <= LONGEST_ITEM and not self._stands(None, span):
                    yield from self._others(goal, span)
                number += step

    def _joined(self, goal: Goal, hit: Hit) -> Iterator[Span]:
        """A name that a sign joins to the value's: "Rialto + Arc", "Rialto → Arc"."""
        text = self._reading.text
        begin, end = self._line(hit.start)
        names = [_JOINED.match(text, hit.end, end), _JOINS.search(text, begin, hit.start)]
        for found in names if goal.slot.kind == "entity" else ():
            if found and not self._stands(None, found.span(1)):
                yield found.span(1)

    def _is_bare(self, hit: Hit) -> bool:
        line = self._line(hit.start)
        rest = self._source[line[0] : hit.start] + self._source[hit.end : line[1]]
        return not re.search(r"[^\W\d_]{4,}", rest)

    def _touches(self, one: int, other: int) -> bool:
        first, second = sorted((self._items[one], self._items[other]))
        return self._source[first[1] : second[0]].count("\n") == 1

    def _lettered(self, hit: Hit) -> Iterator[Span]:
        """A label such as "Option A", where there is an "Option B" as well."""
        begin, _ = self._reading.layout.sentence_of(hit.start)
        heading = self._reading.text[:begin].rstrip("\n").rpartition("\n\n")[2]
        for text in (self._reading.text[begin : hit.start], heading.partition("\n")[0]):
            if (found := _LETTERED.search(text)) and len(self._all_lettered) > 1:
                start = self._reading.text.find(found[0])
                yield start, start + len(found[0])

    @property
    def _all_lettered(self) -> set[str]:
        return {m[0].casefold() for m in _LETTERED.finditer(self._reading.text)}

    def _others(self, goal: Goal, span: Span) -> Iterator[Span]:
        """Other values of the goal's kind within a span; a name where the goal asks for one."""
        value = goal.expected[0].values[-1]
        stated = [c for c in self._reading.commitments if span[0] <= c.start < span[1]]
        if value.kind in ("text", "code"):
            text = self._reading.text[slice(*span)].rstrip(" |.\n")
            is_name = _NAME.match(text) and (value.kind == "code" or not stated)
            if is_name and not _STATE.match(text) and not self._stands(None, span):
                yield span
            return
        for each in stated:
            if self._contradicts(value, each):
                yield each.start, each.end

    def _contradicts(self, value: Value, each: Commitment) -> bool:
        if each.stance in ("denied", "withdrawn", "past") or not is_comparable(each.value, value):
            return False
        return not any(h.start < each.end and each.start < h.end for h in self._placing.places)

    def _stands(self, goal: Goal | None, span: Span) -> bool:
        """Whether a value of the goal, or of any, stands within a span."""
        places = self._placing.places if goal is None else self._placing.places_of(goal)
        return any(span[0] <= hit.start < span[1] for hit in places)

    def _line(self, place: int) -> Span:
        begin = self._source.rfind("\n", 0, place) + 1
        end = self._source.find("\n", place)
        return begin, len(self._source) if end < 0 else end
