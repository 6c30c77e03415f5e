"""Dependencies read off values."""

from typing import Any

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.records import Trajectory
from tests.metrics.scheduling.trajectories import Call, trajectory


def edges(t: Trajectory) -> set[tuple[int, int]]:
    return {(edge.source, edge.target) for edge in infer_edges(t)}


SEARCH: Call = ("search", {"to": "Rome"}, {"id": "NW412", "price": 80.0, "city": "Rome"})


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"id": "NW412"}, {(0, 1)}),
        ({"amount": 80.0, "x": "NW412"}, {(0, 1)}),
        ({"text": "Please take NW412 for me"}, {(0, 1)}),
        ({"city": "Rome"}, set()),
        ({"id": "NW41"}, set()),
        ({"id": "nw412"}, {(0, 1)}),
        ({"n": 42}, set()),
        ({"rows": [{"deep": "NW412"}]}, {(0, 1)}),
        ("NW412", {(0, 1)}),
        ({}, set()),
    ],
)
def test_an_argument_first_shown_by_a_result_is_a_dependency(arguments: Any, found: Any) -> None:
    assert edges(trajectory("Go to Rome", [SEARCH], [("book", arguments, "ok")])) == found


def test_whatever_the_prompt_says_needs_no_result() -> None:
    assert edges(trajectory("Book NW412", [SEARCH], [("book", {"id": "NW412"}, "ok")])) == set()


def test_the_result_that_showed_a_value_first_is_its_source() -> None:
    again: Call = ("details", {"id": "NW412"}, {"id": "NW412", "seat": "14C-2"})
    t = trajectory("x", [SEARCH], [again], [("book", {"id": "NW412", "seat": "14C-2"}, "ok")])
    assert edges(t) == {(0, 1), (0, 2), (1, 2)}


def test_calls_of_the_same_turn_cannot_depend_on_each_other() -> None:
    assert edges(trajectory("x", [SEARCH, ("book", {"id": "NW412"}, "ok")])) == set()


def test_numbers_are_compared_as_values_and_names_within_sentences_are_found() -> None:
    told: Call = ("look", {}, {"total": 1250.50, "name": "Hotel Blue Swan"})
    note: Call = ("note", {"text": "We stay at Hotel Blue Swan."}, "ok")
    assert edges(trajectory("x", [told], [("pay", {"amount": 1250.5}, "ok")])) == {(0, 1)}
    assert edges(trajectory("x", [told], [note])) == {(0, 1)}


def test_hostile_arguments_and_results_are_only_read() -> None:
    for text in ("{", "[" * 5000, "\ud800", '{"a": ' * 300):
        t = trajectory("x", [("a", {}, text)], [("b", {"x": "abc"}, text)])
        assert edges(t) == set()


def test_an_edge_names_its_value_printable_and_short() -> None:
    long = "Z9" + "x" * 300
    t = trajectory("x", [("a", {}, {"v": long})], [("b", {"v": long}, "ok")])
    (edge,) = infer_edges(t)
    assert len(edge.value) <= 60


def test_a_line_of_a_result_within_a_longer_text_is_a_dependency() -> None:
    read: Call = (
        "Read",
        {"file_path": "/a/b.py"},
        "     1\tdef area(width, height):\n     2\t    pass",
    )
    old, new = "def area(width, height):\n    pass", "def area(w, h):\n    return w * h"
    change = {"file_path": "/a/b.py", "old_string": old, "new_string": new}
    edit: Call = ("Edit", change, "ok")
    (edge,) = infer_edges(trajectory("fix /a/b.py", [read], [edit]))
    assert (edge.source, edge.target, edge.reason) == (0, 1, "a line of its result is quoted")


def test_a_test_after_an_edit_waits_for_it_and_a_look_elsewhere_does_not() -> None:
    edit: Call = ("Write", {"file_path": "/a/b.py", "content": "x = 1"}, "ok")
    check: Call = ("Bash", {"command": "pytest -q"}, "1 passed")
    look: Call = ("Read", {"file_path": "/a/c.py"}, "y = 2")
    assert edges(trajectory("/a/b.py /a/c.py", [edit], [check])) == {(0, 1)}
    assert edges(trajectory("/a/b.py /a/c.py", [edit], [look])) == set()


def test_a_figure_worked_out_of_two_results_rests_on_both() -> None:
    one: Call = ("price", {"of": "ferry"}, {"eur": 1250.5})
    two: Call = ("price", {"of": "train"}, {"eur": 830.25})
    pay: Call = ("pay", {"amount": 2080.75}, "ok")
    assert edges(trajectory("ferry train", [one], [two], [pay])) == {(0, 2), (1, 2)}


def test_one_of_several_that_were_looked_at_rests_on_all_of_them() -> None:
    looks: list[list[Call]] = [[("weather", {"city": c}, {"high": 20})] for c in ("Rome", "Oslo")]
    stay: Call = ("hotels", {"city": "Rome", "nights": 2}, "ok")
    t = trajectory("The warmer of Rome and Oslo, 2 nights", *looks, [stay])
    assert edges(t) == {(0, 2), (1, 2)}


def test_small_numbers_and_enums_prove_nothing() -> None:
    told: Call = ("look", {}, {"line": 42, "class": "a", "page": 3})
    use: Call = ("open", {"line": 42, "class": "a", "page": 3}, "ok")
    assert edges(trajectory("x", [told], [use])) == set()


def test_a_file_of_the_same_name_in_another_folder_is_another_file() -> None:
    look: Call = ("Glob", {"pattern": "**/x"}, "/a/one/dev.md\n/a/two/main.go")
    mine: Call = ("Read", {"file_path": "/a/one/dev.md"}, "x")
    other: Call = ("Read", {"file_path": "/a/two/dev.md"}, "x")
    assert edges(trajectory("look", [look], [mine])) == {(0, 1)}
    assert edges(trajectory("look", [look], [other])) == set()


def test_a_bare_name_counts_only_for_the_folder_that_was_listed() -> None:
    here: Call = ("Bash", {"command": "ls src/cli"}, "config.yml util.go")
    mine: Call = ("Read", {"file_path": "/home/me/src/cli/config.yml"}, "x")
    other: Call = ("Read", {"file_path": "/home/me/src/web/config.yml"}, "x")
    assert edges(trajectory("look", [here], [mine])) == {(0, 1)}
    assert edges(trajectory("look", [here], [other])) == set()


def test_a_path_with_its_line_shows_the_path_and_nowhere_is_no_path() -> None:
    lint: Call = ("Bash", {"command": "make lint"}, "src/a_test.go:1672:27: bad call > /dev/null")
    read: Call = ("Read", {"file_path": "/w/src/a_test.go", "offset": 1672}, "x")
    quiet: Call = ("Bash", {"command": "ls zzz 2>/dev/null"}, "")
    assert edges(trajectory("go", [lint], [read])) == {(0, 1)}
    assert edges(trajectory("go", [lint], [quiet])) == set()


def test_line_numbers_name_nothing() -> None:
    shown: Call = ("Read", {"file_path": "/a/b.py"}, "1085\tcontent of the line")
    again: Call = ("Read", {"file_path": "/a/b.py", "offset": 1085, "limit": 12}, "x")
    assert edges(trajectory("/a/b.py", [shown], [again])) == set()


def test_a_push_waits_for_the_commit_and_a_test_run_does_not() -> None:
    edit: Call = ("Edit", {"file_path": "/a/b.py", "old_string": "x", "new_string": "y"}, "ok")
    commit: Call = ("Bash", {"command": "git add /a/b.py && git commit -m done"}, "ok")
    push: Call = ("Bash", {"command": "git push"}, "ok")
    check: Call = ("Bash", {"command": "pytest -q"}, "1 passed")
    assert edges(trajectory("/a/b.py", [edit], [commit], [push])) == {(0, 1), (1, 2)}
    assert edges(trajectory("/a/b.py", [commit], [check])) == set()


def test_notes_of_an_agent_are_no_file_that_one_call_reads_and_another_changes() -> None:
    first: Call = ("TodoWrite", {"todos": ["a", "b"]}, "ok")
    second: Call = ("TodoWrite", {"todos": ["a done", "b"]}, "ok")
    assert edges(trajectory("go", [first], [second])) == set()


def test_a_value_that_a_booking_repeats_counts_for_the_booking() -> None:
    search: Call = ("search_films", {"film": "Static"}, {"show": "S-4711-X", "at": "20:45:09"})
    buy: Call = ("buy_ticket", {"show": "S-4711-X"}, {"ticket": "T-1", "at": "20:45:09"})
    note: Call = ("create_event", {"start": "20:45:09"}, "ok")
    assert edges(trajectory("Static", [search], [buy], [note])) == {(0, 1), (1, 2)}


def test_a_choice_rests_on_what_was_last_asked_about_each() -> None:
    def name(of: str, symbol: str) -> Call:
        return ("find_symbol", {"company": of}, {"symbol": symbol})

    def price(symbol: str) -> Call:
        return ("stock_quote", {"symbol": symbol}, {"eur": 12})

    news: Call = ("company_news", {"company": "Juniper Homes"}, "ok")
    t = trajectory(
        "Juniper Homes or Halden Bank",
        [name("Juniper Homes", "JNPR-1")], [price("JNPR-1")],
        [name("Halden Bank", "HLDN-2")], [price("HLDN-2")],
        [news],
    )  # fmt: skip
    assert edges(t) == {(0, 1), (2, 3), (1, 4), (3, 4)}
