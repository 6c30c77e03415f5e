"""Does a cost model predict what serving takes? The study: plan, frozen predictions, and the score.

    python bench/serving_study.py plan      draws bench/serving/plan.csv
    python bench/serving/serve.py …         on the GPU machine, once a shape
    python bench/serving_study.py score     the table, from the rows kept in bench/serving
    python bench/serving_study.py predict   bench/serving/sixth_frozen.csv, before the sixth run
    python bench/serving_study.py evidence  the errors that verbs show beside their numbers
    python bench/serving_study.py mechanisms  what verbs say of a dozen servings
    python bench/serving_study.py profile   the calibrations as the profile that ships
    python bench/serving_study.py second    the second run's rows against what was frozen
    python bench/serving_study.py third     the third run's
    python bench/serving_study.py fourth    the fourth run's
    python bench/serving_study.py fifth     the fifth run's
    python bench/serving_study.py sixth     the sixth run's

Predictions by theory are committed before a run: those of the first run are `frozen.csv`, by the
theory of that day. The first run showed what it lacked (steps that the host must launch, the way
in, sequences that cost bookkeeping), fitted since to the bursts and to the half of the workloads
that is not held out. The second run has another shape, tools that take time, trajectories that
begin at their own times, prefixes in common and a memory that is too small: no figure of it was
known when `second_frozen.csv` was written. The third has four more shapes (24 and 3 billion
parameters, experts in 4 bits, weights in 8 bits) and workloads of its own. Theory was then fitted
to all three; the fourth, the fifth and the sixth, again with shapes and workloads of their own, are
what it is judged by.
The calibrated model is fitted to the calibration's bursts alone.
"""

import csv
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import asdict, replace

HERE = Path(__file__).parent / "serving"
sys.path.insert(0, str(HERE))

from planning import correlation, draw_plan, mixed_workload  # noqa: E402
from scoring import count, describe, difference, fitted, rivals  # noqa: E402
from workloads import (  # noqa: E402
    BLOCK,
    Workload,
    beginnings,
    pauses,
    read_plan,
    trajectories,
    write_plan,
)

from agentdyno.cost.block_memory import Policy  # noqa: E402
from agentdyno.cost.gamma import gamma  # noqa: E402
from agentdyno.cost.hardware import Measured, resolve_hardware  # noqa: E402
from agentdyno.cost.hf_config import architecture_from_config  # noqa: E402
from agentdyno.cost.memory import fit_memory  # noqa: E402
from agentdyno.cost.physical import Serving  # noqa: E402
from agentdyno.cost.replay import (  # noqa: E402
    EngineLimits,
    Load,
    Replayed,
    Turn,
    load_of,
    replay_load,
)
from agentdyno.cost.serving_evidence import Mechanism, evidence_of, mechanism_of  # noqa: E402
from agentdyno.cost.servings import Servings, find_serving  # noqa: E402
from agentdyno.cost.shape import Architecture  # noqa: E402
from agentdyno.cost.steps import StepModel, numbers_read, theoretical_steps  # noqa: E402
from agentdyno_depth.fitting.calibration import Burst, Calibrated, calibrate  # noqa: E402
from agentdyno_depth.fitting.hardware_profiles import profile_text  # noqa: E402
from agentdyno_depth.fitting.held_out import HeldOut, hold_out  # noqa: E402

HARDWARE = "h200-sxm"
EVIDENCE = (
    Path(__file__).parent.parent
    / "packages/agentdyno/src/agentdyno/cost/data/serving_evidence.toml"
)
PROFILE = EVIDENCE.parent / "profiles" / f"{HARDWARE}-vllm.toml"
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
    return architecture_from_config(HERE / "shapes" / shape / "config.json")


def theory(shape: str) -> StepModel:
    return theoretical_steps(architecture(shape), resolve_hardware(HARDWARE))


def load(workload: Workload) -> Load:
    """What a workload sends: tokens, tools' seconds and beginnings."""
    columns = load_of([[Turn(*request) for request in item] for item in trajectories(workload)])
    begins = beginnings(workload)
    common = workload.prefix // BLOCK * BLOCK
    return replace(
        columns,
        shared=np.where(columns.cached >= common, common, 0) if common else None,
        pause=np.array([pause for item in pauses(workload) for pause in item]),
        begins=None if begins is None else np.array(begins),
    )


def replayed(workload: Workload, model: StepModel) -> Replayed:
    """The workload on paper, with the memory that the card leaves for caches."""
    shape = architecture(workload.shape)
    limits = EngineLimits(cache_tokens=fit_memory(shape, resolve_hardware(HARDWARE)).cache_tokens)
    at_once = None if workload.rate else workload.concurrency
    return replay_load(load(workload), at_once, shape, model, limits)


def seconds(workload: Workload, model: StepModel) -> float:
    """The makespan that a step model predicts for a workload."""
    return replayed(workload, model).makespan_seconds


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
    """Makespan and mean wall time of a trajectory, by theory, of the sixth plan."""
    rows: list[tuple[object, ...]] = [("name", "theory_seconds", "theory_mean_wall")]
    for workload in read_plan(HERE / "sixth_plan.csv"):
        found = replayed(workload, theory(workload.shape))
        wall = sum(found.wall_seconds) / len(found.wall_seconds)
        rows.append((workload.name, round(found.makespan_seconds, 4), round(wall, 4)))
        print(
            f"{workload.name:28} {found.makespan_seconds:7.2f} s, a trajectory {wall:6.2f} s, "
            f"idle {found.idle_seconds:5.2f} s, {found.preemptions} preempted"
        )
    with (HERE / "sixth_frozen.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


SHOWN_RIVALS = "PTE", "output tokens", "a*in + b*out", "four terms"


def compare_run(run: str) -> None:
    """Frozen theory and the calibration of a run's own bursts against what it took, and each
    rival with its scales fitted to all other workloads of the run."""
    frozen = frozen_rows(run)
    plan = [w for w in read_plan(HERE / f"{run}_plan.csv") if w.name in _spans(w.shape)]
    truth = {w.name: _spans(w.shape)[w.name] for w in plan}
    found = {
        "theory, frozen": {name: float(frozen[name]["theory_seconds"]) for name in truth},
        "calibrated": {
            w.name: seconds(w, calibrated(w.shape)) for w in plan if has_bursts(w.shape)
        },
        **fit_to_others(plan, truth),
    }
    shown = ("theory, frozen", "calibrated", *SHOWN_RIVALS)
    print(f"| workload | measured | {' | '.join(shown)} | wall: theory | r |")
    print("|---" * (len(shown) + 4) + "|")
    for workload in plan:
        taken = truth[workload.name]
        said_by = (found[name].get(workload.name) for name in shown)
        errors = " | ".join("" if said is None else f"{said / taken - 1:+.1%}" for said in said_by)
        said = float(frozen[workload.name]["theory_mean_wall"])
        print(f"| {workload.name} | {taken:.2f} | {errors} | {compare_walls(workload, said)} |")
    print("\n| shape | predictor | mean error | worst |\n|---|---|---:|---:|")
    for shape in dict.fromkeys(w.shape for w in plan):
        for name, predicted in found.items():
            own = {w.name: predicted[w.name] for w in plan
                   if w.shape == shape and w.name in predicted}  # fmt: skip
            if not own:
                continue
            d = describe(own, truth)
            print(f"| {shape} | {name} | {d['mean_error']:.1%} | {d['worst_error']:.1%} |")


def compare_walls(workload: Workload, said: float) -> str:
    """The error of a trajectory's mean wall time as it was frozen, and the correlation."""
    wall = measured_walls(workload)
    if len(wall) < 3:
        return " | "
    predicted = replayed(workload, theory(workload.shape)).wall_seconds
    r = float(np.corrcoef(predicted, wall)[0, 1])
    return f"{said / (sum(wall) / len(wall)) - 1:+.1%} | {r:.4f}"


def fit_to_others(plan: list[Workload], truth: dict[str, float]) -> dict[str, dict[str, float]]:
    """By rival and workload: seconds by scales that were fitted to the shape's other workloads."""
    found: dict[str, dict[str, float]] = {}
    for rival in rivals(1.0, 1.0):
        columns = {w.name: _columns(w, rival) for w in plan}
        found[rival] = {}
        for one in plan:
            others = [w.name for w in plan if w.shape == one.shape and w is not one]
            found[rival] |= fitted(columns, truth, lambda _: "", others, [one.name])
    return found


def _spans(shape: str) -> dict[str, float]:
    path = HERE / f"makespans_{shape}.csv"
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {row["name"]: float(row["seconds"]) for row in csv.DictReader(file)}


def measured_walls(workload: Workload) -> list[float]:
    """Per trajectory: from its first request to its last answer, as it was measured."""
    times: dict[int, list[float]] = {}
    path = HERE / f"turns_{workload.shape}.csv"
    if not path.is_file():
        return []
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["name"] == workload.name:
                both = float(row["start"]), float(row["end"])
                times.setdefault(int(row["trajectory"]), []).extend(both)
    return [max(times[i]) - min(times[i]) for i in sorted(times)]


def has_bursts(shape: str) -> bool:
    return _burst_path(shape).is_file()


def _burst_path(shape: str) -> Path:
    return HERE / f"calibration_{shape}.csv"


def calibrated(shape: str) -> StepModel:
    """The parameters from the shape's bursts, and from nothing else."""
    return calibration(shape).model


@cache
def calibration(shape: str) -> Calibrated:
    """The fit to the shape's bursts, with intervals."""
    return calibrate(read_bursts(shape), architecture(shape), recorded=RECORDED_TOKENS)


def leave_out(shape: str) -> HeldOut:
    """The error on bursts that the fit left out, beside theory's."""
    found = hold_out(
        read_bursts(shape), architecture(shape), theory(shape), recorded=RECORDED_TOKENS
    )
    assert found is not None
    return found


def read_bursts(shape: str) -> list[Burst]:
    """The bursts that were sent to a server of this shape."""
    with _burst_path(shape).open(newline="") as file:
        return [
            Burst(
                r["kind"],
                *(int(r[k]) for k in ("batch", "context", "decode", "repeat")),
                float(r["seconds"]),
            )
            for r in csv.DictReader(file)
        ]


PROFILED = {
    "qwen2.5-7b": ("qwen2.5-7b", "vllm 0.20.2", "2026-11-15"),
    "qwen3-14b": ("qwen3-14b", "vllm, version not noted", "2026-11-17"),
    "mistral-small-24b": ("mistral-small-3", "vllm 0.20.2", "2026-11-17"),
    "llama-3.2-3b": ("llama-3.2-3b", "vllm 0.20.2", "2026-11-17"),
    "llama-3.1-8b": ("llama-3.1-8b", "vllm 0.20.2", "2026-11-18"),
    "qwen3-4b": ("qwen3-4b", "vllm 0.20.2", "2026-11-18"),
    "gemma3-12b": ("gemma-3-12b", "vllm 0.20.2", "2026-11-18"),
    "mixtral-8x7b": ("mixtral-8x7b", "vllm 0.20.2", "2026-11-18"),
}
"""By shape: the registry's name, what served it, and the day. Qwen3 30B A3B and Gemma 3 4B were
measured too: on bursts left out theory is nearer, so they do not ship."""


def profile() -> None:
    """The calibrations as the hardware file that ships with the core."""
    found = [
        Measured(
            architecture=name,
            steps=fit.model,
            low=fit.low,
            high=fit.high,
            engine=engine,
            held_out_error=leave_out(shape).error,
            noise=fit.noise,
            date=date,
        )
        for shape, (name, engine, date) in PROFILED.items()
        for fit in (calibration(shape),)
    ]
    card = replace(
        resolve_hardware(HARDWARE),
        name=f"{HARDWARE}-vllm",
        aliases=(),
        source="data sheet; steps: bench/serving/calibration_*.csv, random weights in 16 bits; "
        "watts: means of eleven workloads of Qwen3-14B, docs/log/cost-and-serving.md",
        idle_watts=125.0,
        idle_watts_range=(121.0, 130.0),
        busy_watts=579.0,
        busy_watts_range=(485.0, 680.0),
        measured=tuple(found),
    )
    head = "# Written by `python bench/serving_study.py profile`.\n\n"
    PROFILE.write_text(head + profile_text(card), encoding="utf-8")


def measured() -> dict[str, float]:
    found: dict[str, float] = {}
    for shape in SHAPES:
        found |= _spans(shape)
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


def evidence() -> None:
    """The errors that verbs show beside their numbers, by mechanism: of theory as it was frozen
    before the runs that it had not been fitted to."""
    lines = ["# Written by `python bench/serving_study.py evidence`."]
    for mechanism, (predicted, truth) in measured_mechanisms().items():
        found = describe(predicted, truth)
        row = {
            "mean_error": round(found["mean_error"], 4),
            "worst_error": round(found["worst_error"], 4),
            "workloads": len(predicted),
            "engine": "vLLM 0.20.2",
        }
        lines += ["", "[[measured]]", *_toml(row)]
        lines += ["[measured.mechanism]", *_toml(asdict(mechanism))]
    EVIDENCE.write_text("\n".join(lines) + "\n")


def _toml(row: dict[str, object]) -> list[str]:
    return [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in row.items()]


Predictions = dict[str, float]
FROZEN = ("third", "fourth", "fifth", "sixth")
"""Runs whose predictions were committed first; theory in 16 bits was fitted to the third."""


def measured_mechanisms() -> dict[Mechanism, tuple[Predictions, Predictions]]:
    """By mechanism: what was predicted of each workload, and what it took."""
    found: dict[Mechanism, tuple[Predictions, Predictions]] = {}
    for run in FROZEN:
        shapes = {w.name: w.shape for w in read_plan(HERE / f"{run}_plan.csv")}
        for name, row in frozen_rows(run).items():
            mechanism = mechanism_of(_serving(shapes[name]))
            is_fitted = run == "third" and mechanism.bits == "16"
            if name in _spans(shapes[name]) and not is_fitted:
                predicted, truth = found.setdefault(mechanism, ({}, {}))
                predicted[name] = float(row["theory_seconds"])
                truth[name] = _spans(shapes[name])[name]
    return found | evicted_mechanism()


def evicted_mechanism() -> dict[Mechanism, tuple[Predictions, Predictions]]:
    """The cells of `bench/eviction` in which prefixes were pushed out of the card's memory."""
    folder = HERE.parent / "eviction"
    plans = [
        msgspec.json.decode((folder / f"{name}.json").read_bytes())
        for name in ("predictions", "pilot")
    ]
    lines = [
        line for path in folder.glob("measured_*.jsonl") for line in path.read_text().splitlines()
    ]
    rows = (msgspec.json.decode(line) for line in lines)
    taken = {row["name"]: row["seconds"] for row in rows if row["seconds"]}
    cells = [
        cell
        for plan in plans
        for cell in plan["cells"]
        if cell["name"] in taken
        and not cell["host_gib"]
        and cell["predicted"]["hit_rate"] < cell["never_evicted"]["hit_rate"]
    ]
    predicted = {cell["name"]: cell["predicted"]["makespan_seconds"] for cell in cells}
    truth = {name: taken[name] for name in predicted}
    (mechanism,) = {mechanism_of(_serving(plan["shape"]), "vllm") for plan in plans}
    return {mechanism: (predicted, truth)}


SHOWN: tuple[tuple[str, str, str, int, str | None, Policy | None], ...] = (
    ("Llama 3.1 8B", "h200-sxm", "llama-3.1-8b", 1, None, None),
    ("the same, prefixes pushed out", "h200-sxm", "llama-3.1-8b", 1, None, "vllm"),
    ("Gemma 3 12B", "h200-sxm", "gemma-3-12b", 1, None, None),
    ("Mixtral 8x7B", "h200-sxm", "mixtral-8x7b", 1, None, None),
    ("GPT-OSS 20B", "h200-sxm", "gpt-oss-20b", 1, None, None),
    ("Nemotron Nano 9B v2", "h200-sxm", "nemotron-nano-9b-v2", 1, None, None),
    ("Kimi-Linear 48B", "h200-sxm", "kimi-linear-48b-a3b", 1, None, None),
    ("Llama 3.1 70B on 8 cards, speculation", "h200-sxm", "llama-3.1-70b", 8, "3:0.7", None),
    ("Qwen3 14B on an H100", "h100-sxm", "qwen3-14b", 1, None, None),
    ("DeepSeek V3 on 8 B200", "b200", "deepseek-v3", 8, None, None),
    ("Llama 3.1 8B under SGLang", "h200-sxm", "llama-3.1-8b", 1, None, "sglang"),
    ("the same, prefixes kept while tools run", "h200-sxm", "llama-3.1-8b", 1, None,
     "keep-while-tool-runs"),
)  # fmt: skip


def mechanisms() -> None:
    """What verbs print of several servings: measured or not, and how far such numbers were off."""
    print("| serving | what is said of its numbers |\n|---|---|")
    for title, hardware, shape, gpus, speculative, policy in SHOWN:
        found = evidence_of(Servings(hardware, shape, None, gpus, speculative).of(None), policy)
        assert found is not None
        print(f"| {title} | {found.describe()}. |")


def _serving(shape: str) -> Serving:
    return find_serving(architecture(shape), resolve_hardware(HARDWARE), None)


def frozen_rows(run: str) -> dict[str, dict[str, str]]:
    """By workload: what was written down before the run."""
    with (HERE / f"{run}_frozen.csv").open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


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
    verbs = {f.__name__: f for f in (plan, predict, score, evidence, mechanisms, profile)}
    runs = ("second", "third", "fourth", "fifth", "sixth")
    verbs |= {run: partial(compare_run, run) for run in runs}
    if sys.argv[1:2] and sys.argv[1] in verbs:
        verbs[sys.argv[1]]()
    else:
        raise SystemExit(__doc__)
