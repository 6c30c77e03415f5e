"""What calls do to the world: shell lines and SQL by their parse, other tools by what they show."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.matching.effects import (
    conflict,
    effect_of,
    effect_of_command,
    effect_of_sql,
    load_rules,
)
from agentdyno.records import InputError


@pytest.mark.parametrize(
    ("line", "action", "programs"),
    [
        ("ls -la && cat a | grep b 2>/dev/null", "reads", ("ls", "cat", "grep")),
        ("cat a > b", "writes", ("cat",)),
        ("git log && git push", "writes", ("git log", "git push")),
        ("find . -name x -delete", "writes", ("find",)),
        ("find . -exec rm {} \\;", "writes", ("find", "rm")),
        ("find . -name '*.py' | xargs -n 1 grep foo", "reads", ("find", "grep")),
        ("find . | xargs rm", "writes", ("find", "rm")),
        ("sudo -u x env A=b git -C d commit -m 'x'", "writes", ("git commit",)),
        ("bash -c 'ls; rm x'", "writes", ("ls", "rm")),
        ("python -m pytest tests", "runs", ("pytest",)),
        (".venv/bin/python3.11 -m pip list", "reads", ("pip list",)),
        ("uv run --with x pytest -q", "runs", ("pytest",)),
        ("curl -s https://x/y", "reads", ("curl",)),
        ("curl -sSLo f https://x", "writes", ("curl",)),
        ("curl -o /dev/null https://x", "reads", ("curl",)),
        ("curl -X DELETE https://x", "writes", ("curl",)),
        ("git branch -a", "reads", ("git branch",)),
        ("git branch topic", "writes", ("git branch",)),
        ("git stash list", "reads", ("git stash list",)),
        ("git config user.name", "reads", ("git config",)),
        ("gh pr view 12 --json title", "reads", ("gh pr view",)),
        ("gh api repos/x -f body=y", "writes", ("gh api",)),
        ("docker exec -it web ls /app", "reads", ("ls",)),
        ("docker compose -f a.yml logs", "reads", ("docker compose logs",)),
        ("kubectl -n x delete pod y", "writes", ("kubectl delete",)),
        ("npm run build", "runs", ("npm run",)),
        ("sed -n 1,3p f", "reads", ("sed",)),
        ("sed -i.bak s/a/b/ f", "writes", ("sed",)),
        ("cat <<'EOF' > f.py\nprint(1)\nEOF", "writes", ("cat",)),
        ("sleep 5", "waits", ("sleep",)),
        ("sleep 5; cat log", "reads", ("sleep", "cat")),
        ("awk '{print > \"x\"}' f", "writes", ("awk",)),
        ("sqlite3 db 'select * from t'", "reads", ("sqlite3",)),
        ("sqlite3 db 'delete from t'", "writes", ("sqlite3",)),
        ("npx tsc --noEmit", "reads", ("tsc",)),
        ("x=$(rm a) && echo $x", "writes", ("rm",)),
        ("for f in *; do rm $f; done", "writes", ("rm",)),
        ("$CMD x", "runs", ()),
        ("frobnicate x", "runs", ("frobnicate",)),
        ("frobnicate --version", "reads", ("frobnicate",)),
        ("ssh host 'rm -rf x'", "writes", ("rm", "ssh")),
        ("ls 'unterminated", "runs", ("ls",)),
        ("", "reads", ()),
    ],
)
def test_shell_lines(line: str, action: str, programs: tuple[str, ...]) -> None:
    found = effect_of_command(line)
    assert (found.action, found.programs) == (action, programs)


def test_what_no_rule_knows_is_unknown_and_may_write() -> None:
    found = effect_of_command("frobnicate x")
    assert found.certainty == "unknown"
    assert found.may_write


def test_paths_are_seen_from_where_the_line_began() -> None:
    found = effect_of_command("cd /srv/app && cat a.txt > ./b.txt")
    assert found.reads == ("/srv/app/a.txt",)
    assert found.writes == ("/srv/app/b.txt",)


@pytest.mark.parametrize(
    ("text", "action", "written"),
    [
        ("select a from b join c using (d)", "reads", ()),
        ("with x as (select 1) select * from x", "reads", ()),
        ("update b set a = 1", "writes", ("b",)),
        ("select 1; drop table b", "writes", ("b",)),
        ("with x as (delete from b returning *) select * from x", "writes", None),
        ("explain select 1", "reads", ()),
        ("not sql at all ((", "runs", ("*",)),
    ],
)
def test_sql(text: str, action: str, written: tuple[str, ...] | None) -> None:
    found = effect_of_sql(text)
    assert found.action == action
    assert written is None or found.writes == written


@pytest.mark.parametrize(
    ("tool", "arguments", "action"),
    [
        ("find_order", {}, "reads"),
        ("getReturnPolicy", {}, "reads"),
        ("cancel_reservation", {}, "writes"),
        ("update_order_status", {"id": 1}, "writes"),
        ("search_and_replace", {}, "writes"),
        ("frobnicate", {}, "runs"),
        ("get_job_status", {}, "waits"),
        ("get_flight_status", {"flight": "x"}, "reads"),
        ("str_replace_editor", {"command": "view", "path": "a"}, "reads"),
        ("str_replace_editor", {"command": "create", "path": "a"}, "writes"),
        ("Edit", {"file_path": "a"}, "writes"),
        ("http_request", {"method": "GET", "url": "https://x"}, "reads"),
        ("http_request", {"method": "POST", "url": "https://x"}, "writes"),
        ("db", {"query": "select 1 from x"}, "reads"),
        ("db", {"query": "insert into x values (1)"}, "writes"),
        ("shell", {"command": ["bash", "-lc", "rm x"]}, "writes"),
        ("TodoWrite", {"todos": []}, "writes"),
        ("think", {"thought": "x"}, "reads"),
        ("", None, "runs"),
    ],
)
def test_calls(tool: str, arguments: object, action: str) -> None:
    assert effect_of(tool, arguments).action == action


def test_annotations_of_an_mcp_tool_come_before_its_name() -> None:
    schema = '{"name": "frobnicate", "annotations": {"readOnlyHint": true}}'
    assert effect_of("frobnicate", {}, schema).action == "reads"
    assert effect_of("get_x", {}, '{"annotations": {"destructiveHint": true}}').action == "writes"


def test_conflicts_are_about_what_both_touch() -> None:
    edit = effect_of("Edit", {"file_path": "/home/me/src/a.py"})
    assert conflict(edit, effect_of("Read", {"file_path": "/home/me/src/a.py"}))
    assert conflict(edit, effect_of_command("cat src/a.py"))
    assert conflict(edit, effect_of_command("pytest -q"))
    assert conflict(edit, effect_of_command("cat src/b.py")) is None
    assert conflict(effect_of_command("cat a"), effect_of_command("cat a")) is None
    assert conflict(effect_of_command("cat a"), effect_of_command("rm a")) == "a"


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


@pytest.mark.parametrize(
    ("line", "reads", "writes"),
    [
        ("git commit -m x", (".git",), (".git",)),
        ("git commit -am x", (".git", "*"), (".git",)),
        ("git add a.py", ("a.py", ".git"), (".git",)),
        ("git push", (".git",), ("git:remote",)),
        ("git diff a.py | head", ("a.py",), ()),
        ("git diff main...HEAD", (".git",), ()),
        ("git diff", ("*",), ()),
        ("grep -n x a.py | wc -l", ("a.py",), ()),
        ("grep -rn x", ("*",), ()),
    ],
)
def test_subcommands_and_filters_say_what_they_touch(
    line: str, reads: tuple[str, ...], writes: tuple[str, ...]
) -> None:
    found = effect_of_command(line)
    assert (found.reads, found.writes) == (reads, writes)


def test_what_a_shell_fills_in_meets_only_its_own_folder() -> None:
    look = effect_of_command("ls /a/.git/sessions/*.json")
    edit = effect_of_command("echo x > /a/src/b.py")
    inside = effect_of_command("echo x > /a/.git/sessions/b.json")
    assert conflict(edit, look) is None
    assert conflict(inside, look) == "/a/.git/sessions/b.json"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT nextval('s')",
        "SELECT pg_catalog.setval('s', 5)",
        "SELECT pg_terminate_backend(1)",
        "SELECT * FROM dblink('x', 'delete from t')",
        "SELECT a FROM t FOR UPDATE",
        "SELECT @a := 1",
        "SET GLOBAL x = 1",
        "PRAGMA user_version = 5",
        "PRAGMA user_version(5)",
        "PRAGMA optimize",
        "PRAGMA table_info(t); DELETE FROM t",
        "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t",
        "EXPLAIN SELECT 1; DELETE FROM t",
        "SHOW TABLES; DROP TABLE t",
    ],
)
def test_sql_that_looks_like_a_query_and_changes_something_writes(text: str) -> None:
    assert effect_of_sql(text).action == "writes"


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("SELECT count(*), lower(a) FROM t", "parsed"),
        ("SELECT now(), strftime('%Y', d) FROM t", "parsed"),
        ("PRAGMA table_info(t)", "parsed"),
        ("PRAGMA user_version", "parsed"),
        ("SHOW TABLES", "parsed"),
        ("SELECT my_function(a) FROM t", "named"),
        ("SELECT app.lower(a) FROM t", "named"),
    ],
)
def test_a_query_is_as_certain_as_the_functions_in_it(text: str, certainty: str) -> None:
    found = effect_of_sql(text)
    assert (found.action, found.certainty) == ("reads", certainty)


def test_a_comment_that_a_database_runs_is_not_taken_for_one() -> None:
    assert effect_of_sql("SELECT 1 /*!50000 ; DELETE FROM t */").may_write


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("git reflog", "reads"),
        ("git reflog expire --all", "writes"),
        ("git symbolic-ref HEAD", "reads"),
        ("git symbolic-ref HEAD refs/heads/x", "writes"),
        ("pip config list", "reads"),
        ("pip config set a b", "writes"),
        ("pip cache purge", "writes"),
        ("npm audit", "reads"),
        ("npm audit fix", "writes"),
        ("docker context use x", "writes"),
        ("kubectl auth reconcile -f x", "writes"),
        ("kubectl auth can-i get pods", "reads"),
    ],
)
def test_subcommands_that_change_something_beside_those_that_look(line: str, action: str) -> None:
    assert effect_of_command(line).action == action
