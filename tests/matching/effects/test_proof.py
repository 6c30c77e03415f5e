"""A proof that a call only reads: shell lines and SQL of what never writes, and nothing else."""

from typing import Any

import pytest

from agentdyno.matching.effects import proves_reading
from tests.labelled import from_set, read_set

READING = read_set("cases/matching/effects/reading_lines")

NOT_PROVEN = read_set("cases/matching/effects/unproven_lines")


@pytest.mark.parametrize("line", READING)
def test_lines_of_programs_that_only_read_are_proven(line: str) -> None:
    assert proves_reading("Bash", {"command": line, "description": "look", "timeout": 5})


@pytest.mark.parametrize("line", [*NOT_PROVEN, "", "#", "ls &&\nrm x", "(" * 500])
def test_a_line_with_anything_else_is_not(line: str) -> None:
    assert not proves_reading("bash", {"command": line})


@from_set("matching/effects/proof", "tool", "arguments")
def test_other_tools_and_other_arguments_prove_nothing(tool: str, arguments: Any) -> None:
    assert not proves_reading(tool, arguments)


@pytest.mark.parametrize("tool", ["run_sql", "mcp__db__query", "sql_db_query", "readQuery"])
def test_queries_of_a_tool_for_sql_are_proven(tool: str) -> None:
    assert proves_reading(tool, {"query": "SELECT a, count(*) FROM t GROUP BY a", "limit": 5})
