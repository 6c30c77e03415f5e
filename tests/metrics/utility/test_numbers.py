"""Utility in numbers: efficiency, logical calls, and what they advise."""

from pathlib import Path

import pytest

from agentdyno.findings.utility.advice import ToolFacts, advise, chance_mostly_useless
from agentdyno.findings.utility.eta import measure_eta, trajectory_etas
from agentdyno.findings.utility.logical import LogicalTools, read_rules
from agentdyno.findings.utility.places import measure_thirds
from agentdyno.findings.utility.redundancy import collect_words, overlap, same_work
from agentdyno.findings.utility.results import ToolUtility
from agentdyno.findings.utility.streaks import measure_streaks
from agentdyno.findings.utility.tools import measure_tools
from agentdyno.records import InputError
from tests.labelled import from_set
from tests.metrics.utility.builders import judged


def test_mean_eta_is_over_trajectories_and_pooled_over_calls() -> None:
    eta = measure_eta(judged({"one": "a+", "two": "a+ a- a- a-", "bad": "a?"}), 4)
    assert (eta.mean.value, eta.pooled.value) == (pytest.approx(0.625), pytest.approx(0.4))
    # One trajectory has no call, one no label: neither counts as 0.
    assert (eta.trajectories, eta.undefined, eta.unjudged) == (4, 2, 1)


def test_attempts_at_one_task_are_one_unit() -> None:
    eta = measure_eta(judged({"t/1": "a+", "t/2": "a-", "u/1": "a+ a+"}), 3)
    assert (eta.mean.n, eta.mean.value) == (2, pytest.approx(2 / 3))


def test_without_tools_eta_does_not_exist() -> None:
    eta = measure_eta([], 25)
    assert (eta.undefined, eta.mean.value, eta.pooled.value) == (25, None, None)
    assert eta.mean.reason == "no observations"


def test_an_unjudged_call_counts_nowhere() -> None:
    assert trajectory_etas(judged({"x": "a+ a? a-"})) == {"x": 0.5}


def test_tools_are_summed_with_waste_and_return() -> None:
    calls = judged({"x": "a+ a- b-", "y": "a+ b- b?"}, pte=250.0)
    a, b = measure_tools(calls)
    assert (a.tool, a.calls, a.useful, a.not_useful, a.aggregate) == ("a", 3, 2, 1, 1)
    assert (a.pte, a.wasted_pte, a.utility_per_1000_pte) == (750.0, 250.0, pytest.approx(1 / 0.75))
    assert (b.calls, b.unjudged, b.aggregate, b.helped, b.trajectories) == (2, 1, -2, 0, 2)
    assert (b.confidence_useful, b.confidence_not_useful) == (None, pytest.approx(0.9))


def test_unknown_cost_stays_unknown() -> None:
    row = measure_tools(judged({"x": "a+ a-"}, pte=None))[0]
    assert (row.pte, row.wasted_pte, row.utility_per_1000_pte) == (None, None, None)


def test_thirds_follow_the_order_of_the_calls() -> None:
    # Of four calls 0 and 1 are first, 2 middle, 3 last; of three one each.
    thirds = measure_thirds(judged({"x": "a+ a- a- a+", "y": "a+ a- a-"}))
    assert [(t.third, t.calls, t.useful) for t in thirds] == [
        ("first", 3, 2),
        ("middle", 2, 0),
        ("last", 2, 1),
    ]


def test_streaks_are_cut_by_a_useful_call_and_by_the_trajectory() -> None:
    streaks = measure_streaks(judged({"x": "a- a- a+ a- a- a-", "y": "a- a-"}), alarm=3)
    assert streaks.trajectories == 1
    assert [(s.trajectory_id, s.turn, s.length, s.pte) for s in streaks.longest] == [
        ("x", 3, 3, 300.0)
    ]
    assert streaks.pte == 300.0


def tool_of(notes: dict[str, str]) -> ToolUtility:
    return measure_tools(judged(notes))[0]


def many(notes: str, count: int) -> dict[str, str]:
    return {f"t{i}": notes for i in range(count)}


def test_a_tool_that_never_helps_is_dropped() -> None:
    useless = tool_of(many("a-", 20))
    # 20 tasks without spread: Beta(1, 21).
    assert chance_mostly_useless(useless) == pytest.approx(1 - 2**-21)
    advice = advise(ToolFacts(utility=useless, writes=False))
    assert (advice.action, advice.more_trajectories) == ("drop", None)
    assert advice.reason == "0 of 20 calls helped, and in 0 of 20 trajectories any did."


def test_a_tool_that_writes_is_never_dropped() -> None:
    facts = ToolFacts(utility=tool_of(many("a-", 20)), writes=True, writes_because="by its name")
    advice = advise(facts)
    assert advice.action == "watch"
    assert "may write (by its name)" in advice.reason


def test_too_little_data_is_watched_and_says_how_much_is_missing() -> None:
    advice = advise(ToolFacts(utility=tool_of(many("a-", 3)), writes=False))
    assert (advice.action, advice.more_trajectories) == ("watch", 2)
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


RULES = """
leave_out = ["read_*", "bash"]

[[tool]]
name = "grafana"
match = "bash"
command = "mcp(?:-cli)? grafana"
effect = "reads"

[[tool]]
name = "tickets"
argument.url = "plane[.]example"

[[tool]]
name = "chat"
match = "mcp_mattermost_*"
"""


@pytest.fixture
def rules(tmp_path: Path) -> LogicalTools:
    path = tmp_path / "tools.toml"
    path.write_text(RULES)
    return read_rules(path)


@from_set("metrics/utility/numbers", "function", "arguments", "tool")
def test_the_first_rule_that_fits_names_the_tool(
    rules: LogicalTools, function: str, arguments: str, tool: str | None
) -> None:
    assert rules.name_of(function, arguments) == tool


def test_without_rules_the_function_is_the_tool() -> None:
    assert LogicalTools().name_of("bash", "{}") == "bash"
    assert not LogicalTools().reads_arguments


def test_effects_can_be_declared(rules: LogicalTools) -> None:
    assert rules.effect_of("grafana") == "reads"
    assert rules.effect_of("chat") is None


@from_set("metrics/utility/numbers", "text", "said")
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "tools.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"tools\.toml") as error:
        read_rules(path)
    assert said in str(error.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_rules(tmp_path / "none.toml")


def test_a_shell_call_belongs_to_the_programs_it_runs() -> None:
    bare = LogicalTools()
    line = '{"command": "cd a && git commit -m x && python -m pytest -q | tail -3"}'
    assert bare.names_of("Bash", line) == ("git commit", "pytest", "tail")
    assert bare.names_of("Bash", '{"command": "cd a"}') == ("Bash",)
    assert bare.names_of("find_order", '{"command": "x"}') == ("find_order",)
    assert LogicalTools(leave_out=("tail",)).names_of("Bash", line) == ("git commit", "pytest")
