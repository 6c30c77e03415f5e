"""Submitted values, compared by their type.

is_same(name, given)        whether a submitted value is the right one  submitted
unit_of_field(name)         the unit that a field's name carries        fields
read_time(text, forms)      a date, a time or both                      times
read_values(text, …)        the values in a sentence or a list          reading
fold(text)                  letters without case and accents            folding
"""

from agentdyno.matching.values.lexicon import unit_named
from agentdyno_bench.shared.values.fields import split_name, unit_of_field
from agentdyno_bench.shared.values.folding import fold
from agentdyno_bench.shared.values.reading import names_value, read_values
from agentdyno_bench.shared.values.submitted import HEDGES, is_same

__all__ = [
    "HEDGES",
    "fold",
    "is_same",
    "names_value",
    "read_values",
    "split_name",
    "unit_named",
    "unit_of_field",
]
