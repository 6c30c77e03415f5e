"""The grammar of gates, and what is said about a wrong one."""

import pytest

from agentdyno.records import InputError
from agentdyno.studies.comparison.gates import parse_gate
from tests.labelled import from_set


@from_set("studies/comparison/gates", "text", "metric", "worse", "against", "limit", "unit")
def test_gate_is_read(text, metric, worse, against, limit, unit):
    gate = parse_gate(text)
    assert (gate.metric, gate.worse, gate.against, gate.limit, gate.unit) == (
        metric, worse, against, limit, unit,
    )  # fmt: skip


@from_set("studies/comparison/gates", "text", "said")
def test_wrong_gate_is_told_what_is_wrong_with_it(text, said):
    with pytest.raises(InputError) as error:
        parse_gate(text)
    assert said in str(error.value)
    assert repr(text) in str(error.value)
