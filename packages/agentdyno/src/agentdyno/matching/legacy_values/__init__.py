"""Typed values out of text or JSON, compared as a careful reader would.

    read_values(text)              every value of a text with its place       reading
    read_json(decoded)             every leaf of a decoded JSON value         reading
    matches(stated, number, unit)  a stated quantity against a number         comparing
    Slot, states(answer, slot)     a typed answer slot against an answer      slots
    combined(numbers)              what simple arithmetic makes of numbers    deriving
    stance(text, start, end)       whether a text affirms or rejects a span   rejecting

Worked: "the gate opens at 4:15 PM, 2 1/2 hours late" holds the time 16:15 and 150 minutes.
"""

from agentdyno.matching.codes import Code, bare_code, code_places
from agentdyno.matching.legacy_values.clocks import Clock
from agentdyno.matching.legacy_values.comparing import matches, same_day, same_number, same_quantity
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.dates import StatedDate, StatedMonth
from agentdyno.matching.legacy_values.deriving import Known, combined, is_derived
from agentdyno.matching.legacy_values.field_units import (
    divisor_of_field,
    holds_code,
    unit_of_field,
    words_of_field,
)
from agentdyno.matching.legacy_values.names import Name, contains_words, find_names, plain_words
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.reading import Leaf, Stated, leaves, read_json, read_values
from agentdyno.matching.legacy_values.rejecting import is_rejected, rejection
from agentdyno.matching.legacy_values.slots import Found, Slot, find_slot, slot_for, states
from agentdyno.matching.legacy_values.units import Unit, unit

__all__ = [
    "Clock",
    "Code",
    "Found",
    "Known",
    "Leaf",
    "Name",
    "Quantity",
    "Slot",
    "Stated",
    "StatedDate",
    "StatedMonth",
    "Unit",
    "bare_code",
    "code_places",
    "combined",
    "contains_words",
    "divisor_of_field",
    "find_names",
    "find_slot",
    "holds_code",
    "is_derived",
    "is_rejected",
    "leaves",
    "matches",
    "one_kind",
    "plain_words",
    "read_json",
    "read_values",
    "rejection",
    "same_day",
    "same_number",
    "same_quantity",
    "slot_for",
    "states",
    "unit",
    "unit_of_field",
    "words_of_field",
]
