"""Does a cost model predict what serving takes? The study: plan, frozen predictions, and the score.

    python bench/serving_study.py plan      draws bench/serving/plan.csv
    python bench/serving_study.py predict   bench/serving/frozen.csv: theory, before any run
    python bench/serving/serve.py …         on the GPU machine, once a shape
    python bench/serving_study.py score     the table, from the rows kept in bench/serving

The plan and the predictions by theory are committed before the first run. The calibrated model is
fitted to the calibration's bursts alone, by the code committed before the run.
"""

import csv
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent / "serving"
sys.path.insert(0, str(HERE))

from planning import correlation, draw_plan, mixed_workload  # noqa: E402
from scoring import count, describe, difference, fitted, rivals  # noqa: E402
from workloads import Workload, read_plan, trajectories, write_plan  # noqa: E402

from agentdyno.cost.gamma import gamma  # noqa: E402
from agentdyno.cost.hardware import resolve_hardware  # noqa: E402
from agentdyno.cost.hf_config import architecture_from_config  # noqa: E402
from agentdyno.cost.replay import Turn, replay  # noqa: E402
from agentdyno.cost.shape import Architecture  # noqa: E402
from agentdyno.cost.steps import StepModel, numbers_read, theoretical_steps  # noqa: E402
from agentdyno_depth.fitting.calibration import Burst, calibrate  # noqa: E402

HARDWARE = "h200-sxm"
RECORDED_TOKENS = 512
"""vLLM's largest recorded step with 256 seats: twice the seats, at most 512."""
SHAPES = {
    "qwen2.5-7b": (1_700_000, 125.0),
    "qwen3-30b-a3b": (560_000, 105.0),
    "gemma3-4b": (1_500_000, 90.0),
}
"""Each shape's cache in tokens, and the seconds that its workloads may take by theory."""


@cache
def architecture(shape: str) -> Architecture:
    return architecture_from_config(HERE / "shapes" / shape / "config.json", name=shape)


def theory(shape: str) -> StepModel:
    return theoretical_steps(architecture(shape), resolve_hardware(HARDWARE))


def seconds(workload: Workload, model: StepModel) -> float:
    """The makespan that a step model predicts for a workload."""
    items = [[Turn(*request) for request in item] for item in trajectories(workload)]
    return replay(items, workload.concurrency, architecture(workload.shape), model).makespan_seconds


def plan() -> None:
    whole: list[Workload] = []
    for seed, (shape, (most, budget)) in enumerate(SHAPES.items(), 1):
        model = theory(shape)
        drawn = draw_plan(shape, lambda w, m=model: seconds(w, m), most, budget, seed)  # type: ignore[misc]
        print(
            f"{shape}: largest correlation {correlation(drawn):.2f}, "
            f"{sum(seconds(w, model) for w in drawn):.0f} s by theory"
        )
        agents = mixed_workload(shape, "evicted" if seed == 1 else "kept", seed)
        print(f"  agents: {seconds(agents, model):.0f} s")
        whole += [*drawn, agents]
    write_plan(HERE / "plan.csv", whole)


def predict() -> None:
    rows = [(w.name, round(seconds(w, theory(w.shape)), 4)) for w in read_plan(HERE / "plan.csv")]
    with (HERE / "frozen.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("name", "theory_seconds"), *rows])


@cache
def calibrated(shape: str) -> StepModel:
    """The parameters from the shape's bursts, and from nothing else."""
    with (HERE / f"calibration_{shape}.csv").open(newline="") as file:
        bursts = [
            Burst(
                r["kind"],
                *(int(r[k]) for k in ("batch", "context", "decode", "repeat")),
                float(r["seconds"]),
            )
            for r in csv.DictReader(file)
        ]
    return calibrate(bursts, architecture(shape), recorded=RECORDED_TOKENS).model


def measured() -> dict[str, float]:
    found: dict[str, float] = {}
    for shape in SHAPES:
        with (HERE / f"makespans_{shape}.csv").open(newline="") as file:
            found |= {row["name"]: float(row["seconds"]) for row in csv.DictReader(file)}
    return found


def predictions(held_out: bool = True) -> dict[str, dict[str, float]]:
    """By rival and workload: the seconds predicted for the held-out half (or for the other)."""
    plan, truth = {w.name: w for w in read_plan(HERE / "plan.csv")}, measured()
    plan = {name: w for name, w in plan.items() if name in truth}
    train = [n for n, w in plan.items() if not w.held_out]
    test = [n for n, w in plan.items() if w.held_out == held_out]
    models = {shape: (theory(shape), calibrated(shape)) for shape in SHAPES}
    found = {
        "physical, by theory": {n: seconds(plan[n], models[plan[n].shape][0]) for n in test},
        "physical, calibrated": {n: seconds(plan[n], models[plan[n].shape][1]) for n in test},
    }
    groups: dict[str, Callable[[str], str]] = {
        "": lambda n: plan[n].shape,
        ", by concurrency": lambda n: f"{plan[n].shape} {plan[n].concurrency}",
    }
    for rival in rivals(1.0, 1.0):
        columns = {n: _columns(plan[n], rival) for n in plan}
        for suffix, group in groups.items():
            found[rival + suffix] = fitted(columns, truth, group, train, test)
    return found


def _columns(workload: Workload, rival: str) -> list[float]:
    shape = architecture(workload.shape)
    found = gamma(shape, resolve_hardware(HARDWARE, peak="dense"))
    per_number = found.value / shape.growing_numbers
    return rivals(found.value, per_number)[rival](
        count(workload, lambda context, decode: numbers_read(shape, context, decode))
    )


def score() -> None:
    truth, found = measured(), predictions()
    ours = found["physical, calibrated"]
    print("| predictor | r | rho | mean error | worst | worse than ours by |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, said in sorted(
        found.items(), key=lambda item: describe(item[1], truth)["mean_error"]
    ):
        d, gap = describe(said, truth), difference(ours, said, truth)
        print(
            f"| {name} | {d['pearson']:.3f} | {d['spearman']:.3f} | {d['mean_error']:.1%} | "
            f"{d['worst_error']:.1%} | {gap[0]:+.1%} [{gap[1]:+.1%}, {gap[2]:+.1%}] |"
        )

    print("\n| shape | ours | by theory | nearest rival | worse than ours by |")
    print("|---|---:|---:|---|---:|")
    for shape in SHAPES:
        nearest, gap = nearest_rival(found, truth, shape)
        own = {name: _of_shape(said, shape) for name, said in found.items()}
        errors = {name: describe(said, truth)["mean_error"] for name, said in own.items()}
        print(
            f"| {shape} | {errors['physical, calibrated']:.1%} | "
            f"{errors['physical, by theory']:.1%} | {nearest} {errors[nearest]:.1%} | "
            f"{gap[0]:+.1%} [{gap[1]:+.1%}, {gap[2]:+.1%}] |"
        )


def nearest_rival(
    found: dict[str, dict[str, float]], truth: dict[str, float], shape: str
) -> tuple[str, tuple[float, float, float]]:
    """The best predictor of one shape besides the physical ones, and the paired difference."""
    own = {name: _of_shape(said, shape) for name, said in found.items()}
    rivals_of = [name for name in own if not name.startswith("physical")]
    nearest = min(rivals_of, key=lambda name: describe(own[name], truth)["mean_error"])
    return nearest, difference(own["physical, calibrated"], own[nearest], truth)


def _of_shape(said: dict[str, float], shape: str) -> dict[str, float]:
    return {name: seconds for name, seconds in said.items() if name.startswith(f"{shape}-")}


if __name__ == "__main__":
    verbs = {"plan": plan, "predict": predict, "score": score}
    if sys.argv[1:2] and sys.argv[1] in verbs:
        verbs[sys.argv[1]]()
    else:
        raise SystemExit(__doc__)
