"""Repeated calls and loops: what the world may have done in between."""

from msgspec import structs

from tests.labelled import from_set
from tests.metrics.patterns.trajectories import Call, Turn, places, trajectory

READ = Call("read_file", {"path": "a.py", "lines": 20}, "def f():\n    return 3\n")
SAME = Call("read_file", {"lines": 20, "path": "a.py"}, "def f():\n    return 3\n")


def _turns(*calls: Call | str) -> list[str | Turn]:
    return [call if isinstance(call, str) else Turn("", [call]) for call in calls]


def test_the_order_of_arguments_is_no_difference() -> None:
    assert places("repeated_call", trajectory("?", *_turns(READ, SAME))) == [(1, 0)]


def test_parallel_calls_of_one_turn_are_no_repetition_and_no_loop() -> None:
    searches = [_search(query) for query in "abcd"]
    given = trajectory("?", Turn("", [READ, SAME]), Turn("", searches), Turn("", searches[:2]))
    assert places("repeated_call", given) == [(2, 0), (2, 1)]
    assert places("loop", given) == []


@from_set("metrics/patterns/repeated_and_loop", "message", "kind", "ran")
def test_a_message_of_the_harness_is_known_and_asking_again_is_no_waste(
    message: str, kind: str | None, ran: bool
) -> None:
    given = trajectory("?", *_turns(*[_search("a", message) for _ in range(4)]))
    assert {(call.harness, call.executed) for call in given.calls} == {(kind, ran)}
    wasted = 0 if kind else 3
    assert len(places("repeated_call", given)) == len(places("loop", given)) == wasted


def test_a_write_in_between_explains_it() -> None:
    edit = Call("edit_file", {"path": "a.py"}, "done")
    assert places("repeated_call", trajectory("?", *_turns(READ, edit, SAME))) == []


def test_a_write_that_failed_changes_nothing() -> None:
    edit = Call("edit_file", {"path": "a.py"}, "Error: no", "Error: no")
    assert places("repeated_call", trajectory("?", *_turns(READ, edit, SAME))) == [(2, 0)]


def test_a_reading_command_in_between_explains_nothing_a_writing_one_does() -> None:
    look = Call("bash", {"command": "git status && ls | head"}, "clean")
    act = Call("bash", {"command": "sed -i s/3/4/ a.py"}, "")
    assert places("repeated_call", trajectory("?", *_turns(READ, look, SAME))) == [(2, 0)]
    assert places("repeated_call", trajectory("?", *_turns(READ, act, SAME))) == []


def test_a_message_of_the_user_explains_it() -> None:
    given = trajectory("?", *_turns(READ, "I changed it, look again.", SAME))
    assert places("repeated_call", given) == []


def test_another_result_is_news() -> None:
    other = structs.replace(SAME, result="def f():\n    return 4\n")
    assert places("repeated_call", trajectory("?", *_turns(READ, other))) == []


def test_waiting_is_not_repeating() -> None:
    poll = Call("get_job_status", {"job": 1}, "the job is still running, please wait")
    sleep = Call("bash_command", {"keystrokes": "sleep 50\n"}, "root@host:/# sleep 50")
    assert places("repeated_call", trajectory("?", *_turns(poll, poll, sleep, sleep))) == []
    assert places("loop", trajectory("?", *_turns(poll, poll, poll, poll))) == []


def test_a_write_may_be_meant_twice_but_the_same_failure_is_not() -> None:
    add = Call("add_item", {"item": "cup"}, "added")
    fail = Call("add_item", {"item": "cup"}, "Error: sold out", "Error: sold out")
    assert places("repeated_call", trajectory("?", *_turns(add, add))) == []
    assert places("repeated_call", trajectory("?", *_turns(fail, fail))) == [(1, 0)]


def test_reading_again_what_left_the_context_is_no_repetition() -> None:
    given = trajectory("?", *_turns(READ, SAME))
    part = given.calls[0].result
    assert part is not None
    gone = structs.replace(given.parts[part], enters=None, leaves=1)
    parts = (*given.parts[:part], gone, *given.parts[part + 1 :])
    assert places("repeated_call", structs.replace(given, parts=parts)) == []


HITS = "1. Harbour of Elna: quays and tides\n2. Swing bridges of the north"


def _search(query: str, result: str = HITS) -> Call:
    return Call("web_search", {"query": query}, result)


def test_searches_in_other_words_with_the_same_hits_are_a_loop() -> None:
    fewer = "2. Swing bridges of the north"
    given = trajectory("?", *_turns(_search("a"), _search("b"), _search("c", fewer), _search("d")))
    assert places("loop", given) == [(1, 0), (2, 0), (3, 0)]


def test_one_call_without_news_is_not_yet_a_loop() -> None:
    new = _search("c", "3. Bridge dossier, drawn by Hedda Brask")
    given = trajectory("?", *_turns(_search("a"), _search("b"), new, _search("d")))
    assert places("loop", given) == []


def test_short_results_agree_by_chance() -> None:
    calls = [_search(query, "[]") for query in "abcd"]
    assert places("loop", trajectory("?", *_turns(*calls))) == []


def test_receipts_of_writes_are_progress() -> None:
    calls = [Call("send_mail", {"to": n}, "The mail was sent to them.") for n in "abcd"]
    assert places("loop", trajectory("?", *_turns(*calls))) == []


def test_the_user_breaks_a_run() -> None:
    given = trajectory("?", *_turns(_search("a"), _search("b"), "Go on.", _search("c")))
    assert places("loop", given) == []
