"""Keep, watch or drop."""

import pytest

from agentdyno.findings.utility.advice import ToolFacts, advise, chance_mostly_useless
from agentdyno.findings.utility.redundancy import collect_words, overlap, same_work
from agentdyno.findings.utility.results import ToolUtility
from agentdyno.findings.utility.tools import measure_tools
from tests.metrics.utility.builders import judged


def tool_of(notes: dict[str, str]) -> ToolUtility:
    return measure_tools(judged(notes))[0]


def many(notes: str, count: int) -> dict[str, str]:
    return {f"t{i}": notes for i in range(count)}


def test_a_tool_that_never_helps_is_dropped() -> None:
    useless = tool_of(many("a-", 20))
    # 20 tasks without spread: Beta(1, 21).
    assert chance_mostly_useless(useless) == pytest.approx(1 - 2**-21)
    advice = advise(ToolFacts(utility=useless, writes=False))
    assert advice.action == "drop"
    assert advice.more_trajectories is None
    assert advice.reason == "0 of 20 calls helped, and in 0 of 20 trajectories any did."


def test_a_tool_that_writes_is_never_dropped() -> None:
    facts = ToolFacts(utility=tool_of(many("a-", 20)), writes=True, writes_because="by its name")
    advice = advise(facts)
    assert advice.action == "watch"
    assert "may write (by its name)" in advice.reason


def test_too_little_data_is_watched_and_says_how_much_is_missing() -> None:
    advice = advise(ToolFacts(utility=tool_of(many("a-", 3)), writes=False))
    assert advice.action == "watch"
    assert advice.more_trajectories == 2
    assert "about 2 more trajectories" in advice.reason


def test_two_calls_that_differ_are_too_few_and_nothing_is_said_of_more_data() -> None:
    advice = advise(ToolFacts(utility=tool_of({"t0": "a+", "t1": "a-"}), writes=False))
    said = "1 of 2 calls helped, too few to say; at least 3 more trajectories would be needed."
    assert (advice.action, advice.reason) == ("watch", said)
    four = {f"t{i}": "a+" if i % 2 else "a-" for i in range(4)}
    reason = advise(ToolFacts(utility=tool_of(four), writes=False)).reason
    assert reason.endswith("too few to say; at least 1 more trajectory would be needed.")


def test_a_tool_that_mostly_helps_is_kept() -> None:
    notes = many("a+ a+ a-", 30) | {f"u{i}": "a+" for i in range(5)}
    assert advise(ToolFacts(utility=tool_of(notes), writes=False)).action == "keep"


def test_a_tool_in_the_middle_is_watched_and_no_number_is_invented() -> None:
    notes = {f"t{i}": "a+" if i % 2 else "a-" for i in range(40)}
    advice = advise(ToolFacts(utility=tool_of(notes), writes=False))
    assert (advice.action, advice.more_trajectories) == ("watch", None)
    assert "about as often as not" in advice.reason


def test_a_tool_that_helps_once_in_most_trajectories_is_not_dropped() -> None:
    # One hit in five searches: the searches are too many, the tool is not.
    notes = many("a- a- a- a- a+", 30) | {"x": "a-"}
    advice = advise(ToolFacts(utility=tool_of(notes), writes=False))
    assert advice.action == "watch"
    assert "in 30 of 31 trajectories one did" in advice.reason


def test_calls_of_one_task_do_not_count_as_many() -> None:
    # 200 calls of four tasks that differ much are about four observations.
    notes = {f"t{i}": " ".join(["a+" if i == 0 else "a-"] * 50) for i in range(4)}
    notes["t4"] = "a-"
    assert advise(ToolFacts(utility=tool_of(notes), writes=False)).action == "watch"


def test_what_has_no_label_is_no_evidence_for_dropping_or_keeping() -> None:
    # 0 of 10 useful, but 20 calls that nobody could judge may all have helped.
    useless = advise(ToolFacts(utility=tool_of(many("a- a? a?", 10)), writes=False))
    useful = advise(ToolFacts(utility=tool_of(many("a+ a? a?", 10)), writes=False))
    assert (useless.action, useful.action) == ("watch", "watch")
    assert "0 of 10 calls helped (20 more have no label)" in useless.reason
    assert "labels are missing" in useless.reason
    # One call without a label among many changes nothing.
    sure = many("a-", 20) | {"x": "a?"}
    assert advise(ToolFacts(utility=tool_of(sure), writes=False)).action == "drop"


def test_tools_with_the_same_information_are_found_by_their_words() -> None:
    texts = {
        "archive": "the capital is oslo{0} with 70{0} people",
        "index": "oslo{0}: 70{0}",
        "gossip": "somebody told somebody number{0}x",
    }
    words = collect_words(
        (tool, f"t{i}", text.format(i)) for i in range(5) for tool, text in texts.items()
    )
    assert overlap(words["archive"], words["index"]) == 1.0
    assert same_work(words) == {"archive": ("index",), "index": ("archive",)}
    facts = ToolFacts(utility=tool_of(many("a+", 9)), writes=False, same_work=("index",))
    assert advise(facts).reason.endswith("the same information as index.")


def test_two_shared_trajectories_prove_no_redundancy() -> None:
    words = collect_words((tool, f"t{i}", f"oslo{i}") for i in range(2) for tool in ("a", "b"))
    assert same_work(words) == {}
