"""Submitted values, compared by their type.

is_same(name, given)        whether a submitted value is the right one  submitted
unit_of_field(name)         the unit that a field's name carries        fields
fold(text)                  letters without case and accents            folding
"""

from agentdyno.matching.values.lexicon import unit_named
from agentdyno_bench.shared.values.fields import split_name, unit_of_field
from agentdyno_bench.shared.values.folding import fold
from agentdyno_bench.shared.values.submitted import DAYS, HOURS, is_same

__all__ = [
    "DAYS",
    "HOURS",
    "fold",
    "is_same",
    "split_name",
    "unit_named",
    "unit_of_field",
]
