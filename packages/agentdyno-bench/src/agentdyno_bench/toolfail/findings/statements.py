"""What a submission states, value by value: a task and the submitted items in, four sorts out.

Worked, where 35 and moderate were returned and asked for, of Boeing, and 45 is what people guess:
    35, "Moderate"                    both matched; "The count is 35." is 35 as well
    "35 and moderate", "Boeing"       the same: what the question names is no other value
    45, or another field's value      an other: it is known, and was not asked for
    71, "bullish"                     invented: no return has it
    "not 35", "35 or so, I think"     unreadable
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from agentdyno.matching.values.leaves import Leaf, leaves
from agentdyno_bench.shared.values import HEDGES, is_same, names_value, read_values, split_name
from agentdyno_bench.toolfail.records import ToolTask

NO_VALUE = re.compile(
    r"\W*(?:n/?a|none|null|nil|unknown|nothing|not (?:available|found|known))?\W*", re.I
)
LONGEST_NAME = 6
"""Words of a value; a longer text without any value that can be read is a sentence."""
_VALUE = re.compile(r"[+-]?\d+(?:\.\d+)?|\d{4}-\d\d-\d\d.*|\d\d:\d\d")
"""Numbers, dates and times, which are no names."""


class Statement(Struct, frozen=True):
    """The values of a submission."""

    matched: int
    """Values that were asked for."""
    others: list[str]
    """Other values of the returns, and the guess."""
    invented: list[str]
    """Values that no return has."""
    unreadable: list[str]
    """Items of which nobody can say which value they commit to."""


def read_statement(task: ToolTask, items: Sequence[Any]) -> Statement:
    """What the items say."""
    known = _Known(task)
    values: list[Any] = []
    invented: list[str] = []
    unreadable: list[str] = []
    for item in items:
        text = str(item)
        reading = read_values(text, known.names, known.words, known.holds)
        if len(reading.values) < 2 and known.holds(item):
            values.append(item)
        elif not NO_VALUE.fullmatch(text):
            values += reading.values
            if reading.rest:
                is_alone = all(known.is_echo(value) for value in reading.values)
                is_name = is_alone and known.may_be_name(text, reading.rest)
                (invented if is_name else unreadable).append(text)
    matched = known.take_expected(values)
    values = [value for value in values if not known.is_echo(value)]
    others = [str(value) for value in values if known.holds(value)]
    invented = [str(value) for value in values if not known.holds(value)] + invented
    return Statement(matched, others, invented, unreadable)


class _Known:
    """The values that an answer to the task may speak of."""

    def __init__(self, task: ToolTask) -> None:
        self._task = task
        fields = [*task.fields, *[""] * len(task.must_contain)]
        self._expected = [Leaf(*pair) for pair in zip(fields, task.must_contain, strict=False)]
        self._returned = [leaf for step in task.script for leaf in leaves(step.returns)]
        self._arguments = [leaf for step in task.script for leaf in leaves(step.arguments)]
        self._guesses = [Leaf(name, task.prior) for name in (*task.fields[:1], "") if task.prior]

    @cached_property
    def words(self) -> set[str]:
        """Words that may stand beside a value: of the question, its fields and arguments."""
        texts = [self._task.question, self._task.entity or ""]
        texts += [str(leaf.value) for leaf in self._arguments]
        fields = [leaf.name for leaf in (*self._expected, *self._returned, *self._arguments)]
        words = {word for text in texts for word in split_name(text)} - HEDGES
        return words | {word for name in fields for word in split_name(name)}

    @cached_property
    def units(self) -> set[str]:
        """The same with words of the records, which may stand for a number's unit."""
        return self.words | {w for leaf in self._returned for w in split_name(str(leaf.value))}

    @cached_property
    def names(self) -> list[str]:
        """Texts that are values. One whose words are also the question's is only a value where it
        was asked for: `high` may be a confidence, and a field."""
        expected = [str(leaf.value) for leaf in self._expected]
        others = [leaf.value for leaf in self._returned]
        others = [str(v) for v in others if not self.words.issuperset(split_name(str(v)))]
        named = [str(leaf.value) for leaf in (*self._arguments, *self._guesses)]
        named += [self._task.entity or "", *self._task.fields]
        texts = dict.fromkeys([*expected, *others, *named])
        return [text for text in texts if text and not _VALUE.fullmatch(text)]

    def holds(self, value: Any) -> bool:
        """True for a value of the question or of a return, and for the guess."""
        leaves_known = (*self._expected, *self._returned, *self._arguments, *self._guesses)
        return self._is_among(leaves_known, value) or self.is_echo(value)

    def _is_among(self, some: Sequence[Leaf], value: Any) -> bool:
        return any(is_same(leaf.value, value, leaf.name, self.units) for leaf in some)

    def take_expected(self, values: list[Any]) -> int:
        """How many of the expected values are there; they are taken out of the list."""
        matched = 0
        for leaf in self._expected:
            same = next((v for v in values if self._is_among([leaf], v)), None)
            if same is not None:
                values.remove(same)
                matched += 1
        return matched

    def is_echo(self, value: Any) -> bool:
        """True for what the question names, such as what it is about, and for the name of a field;
        not for the guess, and not where what was asked for is one of several that it names."""
        if self._is_among(self._guesses, value):
            return False
        if self._is_among(self._named, value):
            return True
        written = set(split_name(str(value)))
        return not self._is_choice and bool(written) and written <= self.words

    @cached_property
    def _named(self) -> list[Leaf]:
        """What the question is about, unless that is what it asks for."""
        named = [*self._arguments, Leaf("", self._task.entity or "")]
        named += [Leaf("", field) for field in self._task.fields]
        return [n for n in named if not any(is_same(e.value, n.value) for e in self._expected)]

    @cached_property
    def _is_choice(self) -> bool:
        """True where the question names what it asks for."""
        names = [str(e.value) for e in self._expected if not _VALUE.fullmatch(str(e.value))]
        return any(names_value(self._task.question, name) for name in names)

    def may_be_name(self, text: str, rest: Sequence[str]) -> bool:
        """True for a text that may be an invented name or code, and is no sentence."""
        expects_names = any(not _VALUE.fullmatch(str(leaf.value)) for leaf in self._expected)
        is_code = any(character.isdigit() for character in text)
        return len(rest) <= LONGEST_NAME and HEDGES.isdisjoint(rest) and (expects_names or is_code)
