"""Utility in numbers: efficiency, logical calls, and what they advise."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentdyno.matching.logical_tools import LogicalTools, read_rules
from agentdyno.records import InputError
from agentdyno_bench.utility.findings.advice import ToolFacts, advise, chance_mostly_useless
from agentdyno_bench.utility.findings.eta import measure_eta, trajectory_etas
from agentdyno_bench.utility.findings.places import measure_thirds
from agentdyno_bench.utility.findings.redundancy import collect_words, overlap, same_work
from agentdyno_bench.utility.findings.results import ToolUtility
from agentdyno_bench.utility.findings.streaks import measure_streaks
from agentdyno_bench.utility.findings.tools import measure_tools
from tests.bench.utility.findings.builders import judged
from tests.labelled import from_set
from tests.rows import differences

MEASURES: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (measure_eta, measure_streaks, measure_thirds, measure_tools, trajectory_etas)
}


@from_set("bench/utility/findings/numbers", "why", "measure", "notes", "pte", "more", "expected")
def test_what_judged_calls_measure(
    why: str, measure: str, notes: dict[str, str], pte: float | None, more: list[int], expected: Any
) -> None:
    assert differences(MEASURES[measure](judged(notes, pte), *more), expected) == {}, why


@from_set("bench/utility/findings/numbers", "why", "groups", "facts", "expected")
def test_what_is_advised(
    why: str, groups: list[tuple[str, int]], facts: dict[str, Any], expected: dict[str, Any]
) -> None:
    notes = [notes for notes, count in groups for _ in range(count)]
    utility = tool_of({f"t{place}": each for place, each in enumerate(notes)})
    advice = advise(ToolFacts(**{"utility": utility, "writes": False} | facts))
    assert differences(advice, expected) == {}, why


def tool_of(notes: dict[str, str]) -> ToolUtility:
    return measure_tools(judged(notes))[0]


def many(notes: str, count: int) -> dict[str, str]:
    return {f"t{i}": notes for i in range(count)}


def test_twenty_tasks_without_spread_are_nearly_sure() -> None:
    # Beta(1, 21).
    assert chance_mostly_useless(tool_of(many("a-", 20))) == pytest.approx(1 - 2**-21)


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


@from_set("bench/utility/findings/numbers", "function", "arguments", "tool")
def test_the_first_rule_that_fits_names_the_tool(
    rules: LogicalTools, function: str, arguments: str, tool: str | None
) -> None:
    assert rules.name_of(function, arguments) == tool


def test_without_rules_the_function_is_the_tool() -> None:
    assert LogicalTools().name_of("bash", "{}") == "bash"


def test_effects_can_be_declared(rules: LogicalTools) -> None:
    assert rules.effect_of("grafana") == "reads"
    assert rules.effect_of("chat") is None


@from_set("bench/utility/findings/numbers", "text", "said")
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
