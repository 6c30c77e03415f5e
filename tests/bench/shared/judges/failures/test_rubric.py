"""Two framings of one rubric."""

from agentdyno_bench.toolfail.judge import FRAMINGS, rubric


def test_the_two_framings_share_the_meanings_and_differ_in_the_way() -> None:
    first, second = (rubric(framing) for framing in FRAMINGS)
    shared = first.partition("How to decide.")[0]
    assert "What the labels mean." in shared
    assert second.startswith(shared)
    assert first != second


def test_swapped_the_labels_stand_in_the_other_order() -> None:
    plain, swapped = (rubric("decision_tree", swapped=order) for order in (False, True))
    assert plain.index("- tool_skip:") < plain.index("- result_ignore:")
    assert swapped.index("- tool_skip:") > swapped.index("- result_ignore:")
