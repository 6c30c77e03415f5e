"""What calls do to files, and how surely that is known."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.matching.effects import (
    effect_of,
    effect_of_command,
    effect_of_sql,
    load_rules,
    proves_reading,
)
from agentdyno.records import InputError
from tests.labelled import from_set, read_set


@from_set("matching/effects/effects", "line", "action", "programs")
def test_shell_lines(line: str, action: str, programs: tuple[str, ...]) -> None:
    found = effect_of_command(line)
    assert (found.action, found.programs) == (action, programs)


def test_what_no_rule_knows_is_unknown_and_may_write() -> None:
    found = effect_of_command("frobnicate x")
    assert found.certainty == "unknown"
    assert found.may_write


def test_paths_are_seen_from_where_the_line_began() -> None:
    found = effect_of_command("cd /srv/app && cat a.txt > ./b.txt")
    assert (found.reads, found.writes) == (("/srv/app/a.txt",), ("/srv/app/b.txt",))


@from_set("matching/effects/effects", "text", "action", "written")
def test_sql(text: str, action: str, written: tuple[str, ...] | None) -> None:
    found = effect_of_sql(text)
    assert found.action == action
    assert written is None or found.writes == written


@from_set("matching/effects/effects", "tool", "arguments", "action")
def test_calls(tool: str, arguments: object, action: str) -> None:
    assert effect_of(tool, arguments).action == action


def test_annotations_of_an_mcp_tool_come_before_its_name() -> None:
    schema = '{"name": "frobnicate", "annotations": {"readOnlyHint": true}}'
    assert effect_of("frobnicate", {}, schema).action == "reads"
    assert effect_of("get_x", {}, '{"annotations": {"destructiveHint": true}}').action == "writes"


def test_a_users_rules_are_laid_over_the_bundled_ones(tmp_path: Path) -> None:
    own = tmp_path / "rules.toml"
    own.write_text('[programs]\nreads = "frobnicate"\n[rename]\nfrobnicate = "look"\n')
    rules = load_rules(own)
    assert effect_of_command("frobnicate x", rules).action == "reads"
    assert effect_of_command("frobnicate x", rules).programs == ("look",)
    assert effect_of_command("rm x", rules).action == "writes"
    own.write_text("[programs]\nreads = 3\n")
    with pytest.raises(InputError, match="expected TOML"):
        load_rules(own)


@pytest.mark.parametrize(
    "line",
    ["(" * 5000, "$(" * 5000, "a|" * 20000, "'" * 9999, "{" * 9999, "<<A\n" * 3000, "x=(" * 3000],
)
def test_hostile_lines_end_and_are_never_taken_for_reads(line: str) -> None:
    assert effect_of_command(line).may_write


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_any_line_has_an_effect(line: str) -> None:
    assert effect_of_command(line).action in ("reads", "writes", "runs", "waits")
    assert effect_of("any", {"command": line, "sql": line}).action


@from_set("matching/effects/effects", "line", "reads", "writes")
def test_subcommands_and_filters_say_what_they_touch(
    line: str, reads: tuple[str, ...], writes: tuple[str, ...]
) -> None:
    found = effect_of_command(line)
    assert (found.reads, found.writes) == (reads, writes)


@from_set("matching/effects/effects", "text")
def test_sql_that_looks_like_a_query_and_changes_something_writes(text: str) -> None:
    assert effect_of_sql(text).action == "writes"


@from_set("matching/effects/effects", "text", "certainty")
def test_a_query_is_as_certain_as_the_functions_in_it(text: str, certainty: str) -> None:
    found = effect_of_sql(text)
    assert (found.action, found.certainty) == ("reads", certainty)


def test_a_comment_that_a_database_runs_is_not_taken_for_one() -> None:
    assert effect_of_sql("SELECT 1 /*!50000 ; DELETE FROM t */").may_write


def test_words_that_are_no_sql_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert effect_of_sql("create astro@latest wizard minimal template").may_write
    assert not caplog.records


@from_set("matching/effects/effects", "line", "action")
def test_subcommands_that_change_something_beside_those_that_look(line: str, action: str) -> None:
    assert effect_of_command(line).action == action


READING = read_set("cases/matching/effects/reading_lines")

NOT_PROVEN = read_set("cases/matching/effects/unproven_lines")


@pytest.mark.parametrize("line", READING)
def test_lines_of_programs_that_only_read_are_proven(line: str) -> None:
    assert proves_reading("Bash", {"command": line, "description": "look", "timeout": 5})


@pytest.mark.parametrize("line", [*NOT_PROVEN, "", "#", "ls &&\nrm x", "(" * 500])
def test_a_line_with_anything_else_is_not(line: str) -> None:
    assert not proves_reading("bash", {"command": line})


@from_set("matching/effects/effects", "tool", "arguments")
def test_other_tools_and_other_arguments_prove_nothing(tool: str, arguments: Any) -> None:
    assert not proves_reading(tool, arguments)


@pytest.mark.parametrize("tool", ["run_sql", "mcp__db__query", "sql_db_query", "readQuery"])
def test_queries_of_a_tool_for_sql_are_proven(tool: str) -> None:
    assert proves_reading(tool, {"query": "SELECT a, count(*) FROM t GROUP BY a", "limit": 5})
