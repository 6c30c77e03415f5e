"""Values found in results as a reader would find them."""

from agentdyno_bench.tps.tasks.matching import holds


def test_a_result_holds_leaves_and_figures_within_texts_but_no_keys() -> None:
    result = {"rows": [{"id": "NW412", "price": 80.0}], "text": "The invoice over 310 euros"}
    assert holds(result, "nw412")
    assert holds(result, 80)
    assert holds(result, 310.0)
    assert not holds(result, "rows")
    assert not holds(result, 31)
