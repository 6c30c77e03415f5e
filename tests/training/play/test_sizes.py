"""What a sheet measures of plays that somebody else made."""

from pathlib import Path

from agentdyno.training.play.plays import PLAYS, Journal, Play, PlayOptions
from agentdyno.training.play.sizes import levels_left_out, tasks_played


def played(folder: Path) -> Path:
    journal = Journal(folder)
    journal.begin(PlayOptions({"one": "a", "two": "b"}, easy=3, hard=2, toolfail=2, tir=1))

    def play(agent: str, bench: str, level: str, number: int, attempt: int = 0) -> Play:
        return Play(agent, bench, level, f"{level}-{number}", attempt, 5, [], [], None, None, None)

    rows = [play(agent, "tps", "easy", n) for agent in ("one", "two") for n in range(3)]
    rows += [play("one", "tps", "hard", n) for n in range(2)] + [play("two", "tps", "hard", 0)]
    rows += [play("two", "tps", "hard", n, attempt=1) for n in range(2)]
    rows += [play("one", "toolfail", "toolfail", n) for n in range(2)]
    journal.add(PLAYS, rows)
    return folder


def test_an_agent_has_the_levels_that_it_played_whole(tmp_path: Path) -> None:
    folder = played(tmp_path)
    one = tasks_played(folder, "one", in_process=True, unsafe_python=False)
    assert (list(one.planning), one.toolfail, one.tir) == ([("easy", 3), ("hard", 2)], 2, 0)
    two = tasks_played(folder, "two", in_process=True, unsafe_python=False)
    assert (list(two.planning), two.toolfail, two.tir) == ([("easy", 3)], 0, 0)


def test_what_an_agent_lacks_is_named(tmp_path: Path) -> None:
    folder = played(tmp_path)
    assert levels_left_out(folder, ["one"]) == {}
    assert levels_left_out(folder, ["one", "two"]) == {"two": ["hard", "toolfail"]}
