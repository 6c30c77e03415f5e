"""The serving study's claims, recomputed from the rows that the repository keeps."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).parent.parent / "bench"
sys.path.insert(0, str(BENCH))
sys.path.insert(0, str(BENCH / "serving"))

import serving_study as study
from scoring import describe, difference
from workloads import read_plan, trajectories

from agentdyno.cost.replay import Turn, replay

PLAN = {w.name: w for w in read_plan(BENCH / "serving" / "plan.csv")}
OURS = "physical, calibrated"
QUICK = "qwen2.5-7b"
SHAPES = [
    shape if shape == QUICK else pytest.param(shape, marks=pytest.mark.slow)
    for shape in study.SHAPES
]
"""Each is calibrated anew, which takes its time: one in the quick suite."""
MOST_MEAN_ERROR = 0.07
"""What was asked for, of every shape and every concurrency."""


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, float]]:
    return study.predictions()


def test_the_plan_is_factorial_decorrelated_and_half_held_out() -> None:
    cells = [w for w in PLAN.values() if w.turns]
    assert len(cells) == 48
    assert sum(w.held_out for w in cells) == 24
    for shape in study.SHAPES:
        own = [w for w in cells if w.shape == shape]
        assert sorted(w.concurrency for w in own) == [1] * 4 + [8] * 4 + [64] * 4 + [128] * 4
        assert sum(w.cache == "kept" for w in own) == 8
        assert study.correlation(own) < 0.2


def test_predictions_by_theory_are_those_frozen_before_the_run() -> None:
    with (BENCH / "serving" / "frozen.csv").open(newline="") as file:
        frozen = {row["name"]: float(row["theory_seconds"]) for row in csv.DictReader(file)}
    for name, workload in list(PLAN.items())[::5]:
        assert study.seconds(workload, study.theory(workload.shape)) == pytest.approx(
            frozen[name], rel=1e-3
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_calibrated_makespans_of_held_out_workloads(shape: str) -> None:
    truth, model = study.measured(), study.calibrated(shape)
    own = [w for w in PLAN.values() if w.shape == shape and w.held_out and w.name in truth]
    errors = [abs(study.seconds(w, model) / truth[w.name] - 1) for w in own]
    assert len(own) == 9
    assert np.mean(errors) < MOST_MEAN_ERROR
    assert max(errors) < 0.20


@pytest.mark.slow
def test_all_held_out_workloads_together(found: dict[str, dict[str, float]]) -> None:
    truth = study.measured()
    every = describe(found[OURS], truth)
    assert every["n"] == 27
    assert every["mean_error"] < 0.07
    assert every["worst_error"] < 0.20


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 8, 64, 128])
def test_every_concurrency(found: dict[str, dict[str, float]], concurrency: int) -> None:
    own = {n: s for n, s in found[OURS].items() if PLAN[n].concurrency == concurrency}
    assert describe(own, study.measured())["mean_error"] < MOST_MEAN_ERROR


@pytest.mark.slow
def test_theory_alone_stays_within_a_quarter(found: dict[str, dict[str, float]]) -> None:
    assert describe(found["physical, by theory"], study.measured())["mean_error"] < 0.25


@pytest.mark.slow
def test_no_rival_comes_near(found: dict[str, dict[str, float]]) -> None:
    truth = study.measured()
    for name, said in found.items():
        if name != OURS:
            assert difference(found[OURS], said, truth)[1] > 0, name


@pytest.mark.slow
@pytest.mark.parametrize("shape", list(study.SHAPES))
def test_no_rival_wins_on_any_one_shape(found: dict[str, dict[str, float]], shape: str) -> None:
    truth = study.measured()
    _, gap = study.nearest_rival(found, truth, shape)
    assert gap[1] > 0
    theory = {n: s for n, s in found["physical, by theory"].items() if n.startswith(f"{shape}-")}
    assert describe(theory, truth)["mean_error"] < 0.25


@pytest.mark.parametrize("shape", SHAPES)
def test_wall_time_of_single_trajectories_under_load(shape: str) -> None:
    workload = next(w for w in PLAN.values() if w.shape == shape and not w.turns)
    items = [[Turn(*request) for request in item] for item in trajectories(workload)]
    said = replay(items, 64, study.architecture(shape), study.calibrated(shape)).wall_seconds
    spans: dict[int, list[float]] = {}
    with (BENCH / "serving" / f"turns_{shape}.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["name"] == workload.name:
                spans.setdefault(int(row["trajectory"]), []).extend(
                    (float(row["start"]), float(row["end"]))
                )
    taken = [max(spans[i]) - min(spans[i]) for i in range(len(items))]
    assert np.corrcoef(said, taken)[0, 1] > 0.99
