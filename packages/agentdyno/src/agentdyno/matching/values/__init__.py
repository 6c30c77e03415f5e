"""Typed values out of text or JSON, compared as a careful reader would.

    read_values(text)           every value of a text with its place        finding
    expect(text, field)           a value of a slot, to be looked for         expected
    compare(stated, expected)   exact, rounded, rough or None               comparing
    is_derived(stated, known)   whether known values make a stated one      derive
    unit_of_field(name)         the unit that a field's name carries        fields

Worked: "the gate opens at 4:15 PM, 2 1/2 hours late" holds the time 16:15 and 2.5 hours.
"""

from agentdyno.matching.values.comparing import Closeness, compare, is_comparable
from agentdyno.matching.values.derive import is_derived
from agentdyno.matching.values.expected import Expected, expect, expect_leaf
from agentdyno.matching.values.fields import split_name, unit_of_field, words_of_field
from agentdyno.matching.values.finding import bare_code, fold, read_values
from agentdyno.matching.values.lexicon import Unit, language_of, unit_named
from agentdyno.matching.values.value import Kind, Value

__all__ = [
    "Closeness",
    "Expected",
    "Kind",
    "Unit",
    "Value",
    "bare_code",
    "compare",
    "expect",
    "expect_leaf",
    "fold",
    "is_comparable",
    "is_derived",
    "language_of",
    "read_values",
    "split_name",
    "unit_named",
    "unit_of_field",
    "words_of_field",
]
