"""Rollouts of tool-integrated reasoning, by agents whose calls are worth a known amount."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.shared.judges.asking import Message
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import RolledOut, roll_out
from agentdyno_bench.utility.rollouts.run.inspect_runs import FOLDER, Continuing
from agentdyno_bench.utility.studies import report_utility
from tests.bench.shared.judging.worlds import USEFUL, USELESS, ScriptedAsk, judge_utility
from tests.bench.utility.rollouts.builders import TRUSTED, scripted, tir_ledger
from tests.bench.utility.rollouts.scripts import MENDED

ONE_LOOK = SignTest(most=16)


def rolled(ledger: Path, test: SignTest = ONE_LOOK, **options: object) -> RolledOut:
    return roll_out(ledger, find_benches(ledger, TRUSTED), test, **options)  # type: ignore[arg-type]


def rows(ledger: Path) -> pl.DataFrame:
    return Ledger(ledger).read("rollouts").sort("trajectory_id", "turn", "call")


@pytest.fixture(scope="module")
def useful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tir_ledger(tmp_path_factory.mktemp("useful"), "needs_python")


def test_a_call_without_which_nothing_is_solved_is_worth_one(useful: Path) -> None:
    said: list[str] = []
    done = rolled(useful, announce=lambda expected: said.append(str(expected)))
    # Two trajectories of one call each: two cuts, sixteen continuations from each.
    assert (done.calls, done.continuations, done.decided, done.failed) == (2, 64, 2, 0)
    found = rows(useful)
    assert (found["delta"].to_list(), found["before_solved"].to_list()) == ([1.0, 1.0], [0, 0])
    assert found["label"].to_list() == ["positive", "positive"]
    assert said == [
        "about 64 continuations, at an unknown price, for a first look at 2 calls by "
        "agentdyno/scripted; at most 64 in all"
    ]
    verdicts = Ledger(useful).read("verdicts")
    assert (set(verdicts["judge"]), set(verdicts["model"])) == ({"rollout"}, {"agentdyno/scripted"})


def test_what_is_settled_is_not_run_again_and_another_model_is(useful: Path) -> None:
    rolled(useful)
    assert rolled(useful).continuations == 0
    asked = Continuing(model=scripted("misled"), trusted=True)
    other = roll_out(useful, find_benches(useful, asked), ONE_LOOK)
    # Named alike, so that the ledger takes it for the same model.
    assert (other.known, other.continuations) == (2, 0)


def first_turn(conversation: Sequence[Message]) -> str:
    """A judge that takes both calls of the first turn for useful."""
    after = conversation[1].text.split("THE CALL, AND THE STATE AFTER IT")[1]
    return USELESS if "python ran c" in after else USEFUL


def test_calls_of_one_turn_are_told_apart_and_a_judge_is_held_against_them(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "two_at_once", many=1)
    # None of 16 against none of 16: below 3.84 / 19.84 = 0.19 by Wilson, hence below 0.25.
    done = rolled(ledger, SignTest(most=16, smallest=0.25))
    found = rows(ledger)
    assert found.select("turn", "call").rows() == [(0, 0), (0, 1), (1, 0)]
    # Only the second call of the first turn brings the answer.
    assert found["delta"].to_list() == [0.0, 1.0, 0.0]
    assert found["label"].to_list() == ["non_positive", "positive", "non_positive"]
    # Neighbours share their cuts: four of them for three calls.
    assert done.continuations == 4 * 16
    judge_utility(ledger, [ScriptedAsk(first_turn)])
    held = report_utility(ReadableLedger(ledger)).validation[0]
    assert (held.calls, held.missed, held.invented) == (3, 0, 1)


def test_a_call_that_misleads_is_worth_minus_one(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "misled", many=1)
    rolled(ledger)
    assert rows(ledger).select("delta", "label").rows() == [(-1.0, "non_positive")]


def test_looks_go_on_until_the_sign_is_settled(tmp_path: Path) -> None:
    """Seeds count up from a base, so that of four in a row one solves before and three after."""
    ledger = tir_ledger(tmp_path, "more_likely", many=1)
    done = rolled(ledger, SignTest(most=64))
    (row,) = rows(ledger).iter_rows(named=True)
    assert row["delta"] == 0.5
    assert row["low"] > 0
    assert row["continuations"] < 64
    assert done.continuations == 2 * row["continuations"]


def test_what_failed_is_tried_again_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MENDED, str(tmp_path / "mended"))
    ledger = tir_ledger(tmp_path, "needs_mending", many=1)
    broken = rolled(ledger)
    assert (broken.calls, broken.continuations, broken.failed) == (0, 32, 32)
    (tmp_path / "mended").touch()
    mended = rolled(ledger)
    assert (mended.calls, mended.continuations, mended.failed, mended.decided) == (1, 32, 0, 1)
    assert rows(ledger)["delta"].to_list() == [1.0]


def test_a_continuation_that_fails_counts_nowhere(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "breaks_sometimes", many=1)
    test = SignTest(most=16, smallest=0.0)
    done = rolled(ledger, test)
    assert done.failed == 4
    (row,) = rows(ledger).iter_rows(named=True)
    assert (row["continuations"], row["delta"]) == (12, 1.0)


def test_continuations_are_kept_with_the_ledger_and_are_no_attempts(useful: Path) -> None:
    rolled(useful)
    logs = list((useful / FOLDER).rglob("*.eval"))
    assert {log.parent.parent.name for log in logs} == {"rollout_math_500"}
    assert len(Ledger(useful).read("trajectories")) == 2


def test_a_log_outside_of_its_run_cannot_be_continued(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "needs_python", many=1)
    for file in (tmp_path / "settings").rglob("*.json"):
        file.unlink()
    done = rolled(ledger)
    assert (done.calls, done.not_resumable) == (0, 1)


def test_a_settings_file_cannot_name_any_function(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "needs_python", many=1)
    (file,) = (tmp_path / "settings").rglob("*.json")
    file.write_text(
        file.read_text().replace(
            "agentdyno_bench.pte.tir.task:tir_task", "agentdyno.records:printable"
        )
    )
    done = rolled(ledger)
    assert done.reasons == {"its task is none that can be continued": 1}


PRICES = '["agentdyno/scripted"]\ninput = 1000\noutput = 1000\nas_of = 2026-01-01\n'


def test_money_is_told_before_and_never_exceeded(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "needs_python", many=2)
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    asked = Continuing(prices=prices, trusted=True)
    expected: list[float | None] = []
    with pytest.raises(InputError, match=r"more than --max-usd 0\.001"):
        roll_out(ledger, find_benches(ledger, asked), ONE_LOOK, max_usd=0.001)
    done = roll_out(
        ledger,
        find_benches(ledger, asked),
        ONE_LOOK,
        max_usd=100.0,
        announce=lambda e: expected.append(e.usd),
    )
    # From before the call two turns were recorded, and continuations take one: less is spent.
    assert 0.5 * expected[0] < done.spent_usd < expected[0]
    assert not done.out_of_money


def test_without_enough_money_it_stops_and_goes_on_later(tmp_path: Path) -> None:
    ledger = tir_ledger(tmp_path, "more_likely", many=1)
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    test = SignTest(most=48, smallest=0.0, alpha=0.000001)

    asked = Continuing(prices=prices, trusted=True)

    def run(max_usd: float | None) -> RolledOut:
        return roll_out(ledger, find_benches(ledger, asked), test, max_usd=max_usd)

    first_look: list[float] = []
    with pytest.raises(InputError):
        run(0.0001)
    roll_out(
        ledger,
        find_benches(ledger, asked),
        SignTest(most=16, smallest=0.0, alpha=0.000001),
        announce=lambda e: first_look.append(e.usd or 0.0),
    )
    stopped = run(first_look[0] / 2)
    assert stopped.out_of_money
    assert 0 < stopped.spent_usd <= first_look[0] / 2
    later = run(None)
    assert not later.out_of_money
    (row,) = rows(ledger).unique(["turn", "call"], keep="last").iter_rows(named=True)
    assert 32 + stopped.continuations + later.continuations == 2 * row["continuations"]


def test_settings_that_may_come_from_anybody_do_not_run_code_or_reach_models(
    tmp_path: Path,
) -> None:
    ledger = tir_ledger(tmp_path, "needs_python", many=1, unsafe_python=True)
    done = roll_out(ledger, find_benches(ledger), ONE_LOOK)
    assert done.reasons == {
        "its settings let code run unprotected and bring tools of their own and say how to reach a "
        "model; if the run is your own, say --trust-run": 1
    }
    assert not (ledger / FOLDER).exists()
