"""Typed values out of text or JSON, compared as a careful reader would.

    read_values(text)           every value of a text with its place        finding
    compare(stated, expected)   exact, rounded, rough or None               comparing
    is_derived(stated, known)   whether known values make a stated one      derive
    unit_of_field(name)         the unit that a field's name carries        fields

Worked: "the gate opens at 4:15 PM, 2 1/2 hours late" holds the time 16:15 and 2.5 hours.
"""

from agentdyno.matching.values.comparing import compare
from agentdyno.matching.values.derive import is_derived
from agentdyno.matching.values.fields import unit_of_field
from agentdyno.matching.values.finding import fold, read_values
from agentdyno.matching.values.lexicon import Unit, unit_named
from agentdyno.matching.values.value import Value

__all__ = [
    "Unit",
    "Value",
    "compare",
    "fold",
    "is_derived",
    "read_values",
    "unit_named",
    "unit_of_field",
]
