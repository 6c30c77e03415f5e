"""A judging run that is killed goes on where it stopped."""

import multiprocessing
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from agentdyno.judges.journal import NAME
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.judge import ANSWERS, JudgeOptions, judge_utility
from tests.pipelines.judge.worlds import ScriptedAsk, facts_ledger, judge_slowly

CONCURRENCY = 4


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_many_times_every_verdict_is_there_once_and_nothing_is_paid_twice(
    tmp_path: Path, kills: int
) -> None:
    ledger, paid = facts_ledger(tmp_path, tasks=22), tmp_path / "paid"
    calls = len(Ledger(ledger).read("calls"))
    chance = random.Random(20)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.pipelines.judge.worlds"])
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
