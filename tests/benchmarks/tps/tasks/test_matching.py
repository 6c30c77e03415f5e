"""Values found in results and answers as a reader would find them."""

import pytest

from agentdyno.benchmarks.tps.tasks.matching import holds, states


@pytest.mark.parametrize(
    ("answer", "wanted", "said"),
    [
        ("It costs 1,234.50 euros.", 1234.5, True),
        ("It costs 1234.49 euros.", 1234.5, False),
        ("about 2.49", 2.485485, True),
        ("about 2.5", 2.485485, False),
        ("population 480000", 480000, True),
        ("at 0.00", 0.0012, False),
        ("on 4 May 2026", "2026-05-04", True),
        ("on May 4", "2026-05-04", True),
        ("on 14 May", "2026-05-04", False),
        ("at 19:30", "2026-05-04T19:30", True),
        ("The Fig Tree, I think", "fig tree", True),
        ("configure", "fig", False),
        ("", "x", False),
    ],
)
def test_an_answer_states_a_value_or_does_not(answer: str, wanted: object, said: bool) -> None:
    assert states(answer, wanted) is said


def test_a_result_holds_leaves_and_figures_within_texts_but_no_keys() -> None:
    result = {"rows": [{"id": "NW412", "price": 80.0}], "text": "The invoice over 310 euros"}
    assert holds(result, "nw412")
    assert holds(result, 80)
    assert holds(result, 310.0)
    assert not holds(result, "rows")
    assert not holds(result, 31)
