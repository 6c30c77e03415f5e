"""Typed values out of text or JSON, compared as a careful reader would.

    read_values(text)           every value of a text with its place        finding
    compare(stated, expected)   exact, rounded, rough or None               comparing
    is_derived(stated, known)   whether known values make a stated one      derive
    is_same(expected, given)    whether a submitted value is the right one  submitted
    unit_of_field(name)         the unit that a field's name carries        fields

Worked: "the gate opens at 4:15 PM, 2 1/2 hours late" holds the time 16:15 and 2.5 hours.
"""

from agentdyno.matching.values.lexicon import Unit, unit_named
from agentdyno.matching.values.value import Kind, Value
from agentdyno_bench.values.comparing import Closeness, compare
from agentdyno_bench.values.derive import is_derived
from agentdyno_bench.values.fields import split_name, unit_of_field
from agentdyno_bench.values.finding import fold, read_values
from agentdyno_bench.values.submitted import is_same

__all__ = [
    "Closeness",
    "Kind",
    "Unit",
    "Value",
    "compare",
    "fold",
    "is_derived",
    "is_same",
    "read_values",
    "split_name",
    "unit_named",
    "unit_of_field",
]
