"""Rules that say which tool a call is of."""

from pathlib import Path

import pytest

from agentdyno.findings.utility.logical import LogicalTools, read_rules
from agentdyno.records import InputError
from tests.labelled import from_set

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


@from_set("metrics/utility/logical", "function", "arguments", "tool")
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


@from_set("metrics/utility/logical", "text", "said")
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
