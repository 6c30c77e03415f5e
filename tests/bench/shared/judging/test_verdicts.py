"""Verdicts in a ledger: each once, also after kills, and the latest of a judge is in force."""

import multiprocessing
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.records.verdicts import VERDICTS
from agentdyno_bench.shared.judges.journal import NAME
from agentdyno_bench.shared.judging import ANSWERS, JudgeOptions
from agentdyno_bench.shared.judging.verdicts import add_verdicts, volumes_of
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.verdicts.current import verdicts_of
from tests.bench.shared.judging.worlds import (
    ScriptedAsk,
    chat,
    chat_ledger,
    facts_ledger,
    judge_slowly,
    judge_utility,
)


def _verdict(place: str, label: str, digest: str, model: str = "m") -> Verdict:
    return Verdict(
        kind="failure",
        trajectory_id=place,
        judge="decision_tree",
        model=model,
        label=label,
        rubric=digest,
        digest=digest,
    )


def test_the_table_has_a_column_for_every_field_of_a_verdict() -> None:
    assert {column.name for column in VERDICTS} == set(Verdict.__struct_fields__)


def test_what_a_judge_says_now_is_in_force_also_when_it_said_so_before(tmp_path: Path) -> None:
    folder = chat_ledger(tmp_path, chat("t", "What?", "That."))
    ((place, volume),) = volumes_of(Ledger(folder)).items()
    first, second = _verdict(place, "correct", "one"), _verdict(place, "tool_skip", "two")
    other = _verdict(place, "correct", "one", model="n")
    assert add_verdicts(folder, [(volume, first), (volume, other)]) == 2
    assert add_verdicts(folder, [(volume, first)]) == 0
    assert add_verdicts(folder, [(volume, second)]) == 1
    assert add_verdicts(folder, [(volume, first)]) == 1
    found = verdicts_of(Ledger(folder), "failure").select("model", "label")
    assert sorted(found.iter_rows()) == [("m", "correct"), ("n", "correct")]


def test_of_two_verdicts_that_come_at_once_the_later_is_kept(tmp_path: Path) -> None:
    folder = chat_ledger(tmp_path, chat("t", "What?", "That."))
    ((place, volume),) = volumes_of(Ledger(folder)).items()
    both = [(volume, _verdict(place, label, label)) for label in ("correct", "tool_skip")]
    assert add_verdicts(folder, both) == 1
    assert add_verdicts(folder, both) == 0
    assert verdicts_of(Ledger(folder), "failure")["label"].to_list() == ["tool_skip"]


CONCURRENCY = 4


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_many_times_every_verdict_is_there_once_and_nothing_is_paid_twice(
    tmp_path: Path, kills: int
) -> None:
    ledger, paid = facts_ledger(tmp_path, tasks=22), tmp_path / "paid"
    calls = len(Ledger(ledger).read("calls"))
    chance = random.Random(20)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.bench.shared.judging.worlds"])
    for _ in range(kills):
        asking = processes.Event()
        process = processes.Process(target=judge_slowly, args=(ledger, paid, 0.05, asking))
        process.start()
        assert asking.wait(60)
        time.sleep(chance.uniform(0.0, 0.09))
        assert process.is_alive(), "the run must not be over before it is killed"
        process.kill()
        process.join()
    judge_slowly(ledger, paid, 0.0, processes.Event())
    verdicts = Ledger(ledger).read("verdicts")
    assert len(verdicts) == calls
    assert verdicts.select("trajectory_id", "turn", "call").n_unique() == calls
    assert verdicts["label"].null_count() == 0
    sent = Counter(paid.read_text().split())
    # Questions that were under way when the process died are asked again, and no others.
    assert sum(sent.values()) <= len(sent) + kills * CONCURRENCY
    again = ScriptedAsk()
    judged = judge_utility(ledger, [again])
    assert (again.asked, judged.paid, judged.added) == (0, 0, 0)
    assert judged.verdicts == calls


def test_a_line_that_was_cut_short_is_asked_again(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    judge_utility(ledger, [ScriptedAsk()])
    journal = ledger / ANSWERS / NAME
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    ask = ScriptedAsk()
    judge_utility(ledger, [ask], JudgeOptions())
    assert ask.asked == 1
    assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())
