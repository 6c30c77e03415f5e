"""Labels that rest on thin evidence say why, and plain ones do not."""

import pytest

from agentdyno.findings.failures import classify
from tests.metrics.failures.natural import answer_to
from tests.metrics.failures.outside_sets import lookup

RENT = lookup(
    "What is the rent, and how big is it?", "Quay 9", ("620", "48"), "800",
    rent_eur=620, area_m2=48,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "label", "word"),
    [
        ("€620 for 48 m².", "correct", None),
        ("€620 for 48 m², and the heating is €77.", "output_fabrication", "one figure only"),
        ("€620 for 48 m², heating €77, water €31.", "output_fabrication", None),
        ("€620 for 5.17 hundred feet.", "result_ignore", "notation"),
        ("€800 for 48 m².", "result_ignore", None),
        ("48 m². It is not €620.", "result_ignore", "set aside"),
        ("A flat of 48 m².", "result_ignore", None),
    ],
)
def test_thin_evidence_is_named(text: str, label: str, word: str | None) -> None:
    found = classify("own", RENT, answer_to(RENT, text))
    assert found.label == label
    assert (found.thin is None) if word is None else (word in (found.thin or ""))


def test_a_figure_in_a_question_is_no_claim() -> None:
    text = "€620 for 48 m². Shall I remind you 3 days before the viewing?"
    assert classify("own", RENT, answer_to(RENT, text)).label == "correct"
