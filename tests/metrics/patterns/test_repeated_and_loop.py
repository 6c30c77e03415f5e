"""Repeated calls and loops: what the world may have done in between."""

from msgspec import structs

from tests.labelled import from_set
from tests.metrics.patterns.trajectories import Call, Turn, places, trajectory

READ = Call("read_file", {"path": "a.py", "lines": 20}, "def f():\n    return 3\n")
SAME = Call("read_file", {"lines": 20, "path": "a.py"}, "def f():\n    return 3\n")


def _turns(*calls: Call | str) -> list[str | Turn]:
    return [call if isinstance(call, str) else Turn("", [call]) for call in calls]


@from_set("metrics/patterns/repeated_and_loop", "message", "kind", "ran")
def test_a_message_of_the_harness_is_known_and_asking_again_is_no_waste(
    message: str, kind: str | None, ran: bool
) -> None:
    given = trajectory("?", *_turns(*[_search("a", message) for _ in range(4)]))
    assert {(call.harness, call.executed) for call in given.calls} == {(kind, ran)}
    wasted = 0 if kind else 3
    assert len(places("repeated_call", given)) == len(places("loop", given)) == wasted


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
