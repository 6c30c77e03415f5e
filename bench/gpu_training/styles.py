"""Does reinforcement teach an agent that calls one tool at a time to wait less, and by what?

python styles.py --out FOLDER --lessons FOLDER [--parallel 5] [--minutes 45]      see pack.py

The shipped adapter's warm-up goes on with demonstrations of which half call one tool a turn
(`sft_styles`). From there reinforcement (`grpo_styles`) in arms: weight on parallelism 0 or 0.5,
tight or loose limits of turns and tokens, several seeds, the same tasks. From the shipped adapter
itself, in a world whose services fail now and then, two more: credit by attempt, credit by goal.
Every agent attempts the same held-out easy tasks, greedily and at a temperature of 1, in the world
that it learnt in, and at the end hard ones. Arms run side by side on one GPU: what a small model
needs is launches, and every process has its own processor for them (`nvidia-cuda-mps-control -d`
lets kernels of several processes run at once). OUT gets for every arm and seed its adapter and one
file of rows (an attempt each) and steps; what is there already is not run again. Arms are compared
only where they began from the same warm-up, so keep OUT/work/warm if you go on another day.
`styles_table.py` compares.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

START = time.perf_counter()
Job = tuple[str, int, str]
"""Arm, seed and level."""
LIMITS = {
    "tight": {"turns": 4, "turn_tokens": 160, "window": 2816},
    "loose": {"turns": 12, "turn_tokens": 384, "window": 4096},
}
ARMS = {
    f"{weight}-{limits}": {"reward": {"parallelism": weight, "cost": 0.0}, **LIMITS[limits]}
    for limits in LIMITS
    for weight in (0.0, 0.5)
}
FAULTS = 0.15
"""Share of calls that fail once, in the world of the second part."""
CREDITS = {
    f"faults-{name}": {"reward": {"parallelism": 0.2, "cost": 0.0}, "faults": FAULTS,
                       "goal_credit": share}
    for name, share in (("attempt", 0.0), ("goal", 1.0))
}  # fmt: skip
PLAIN = ("warm", "shipped", "reinforced", "faults-shipped")
"""Agents that are only evaluated."""
HELD_OUT = {"easy": 100, "hard": 60}
MOST_STEPS = 24
"""Steps of a hard task: attempts at longer plans do not fit into what the model reads."""
WINDOWS = {
    "easy": {"window": 7168, "turn_tokens": 512},
    "hard": {"window": 8192, "turn_tokens": 1024},
}
BESIDE = 3
"""Other arms beside the warm-up, which most of them wait for."""


def main() -> None:
    given = _arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.arm:
        if given.arm != "warm-up":  # Its long conversations need more; few run beside it.
            _limit_memory(given.parallel)
        _run_job(given, given.arm, given.seed, given.level)
    else:
        _run_jobs(given, [job for job in _list_jobs(given) if not _result(given, *job).exists()])


def _list_jobs(given: argparse.Namespace) -> list[Job]:
    """The most wanted first; those that need the warm-up wait for it."""
    seeds = range(1, given.seeds + 1)
    arms, credits = [], []
    if given.part != "faults":
        first = [("warm-up", 1), ("shipped", 1), ("reinforced", 1), ("warm", 1)]
        arms = [*first, *((arm, seed) for seed in seeds for arm in ARMS)]
    if given.part != "styles":
        credits = [("faults-shipped", 1), *((arm, seed) for seed in seeds for arm in CREDITS)]
    easy = [*arms, *credits]
    hard = [job for job in easy if job[0] != "warm-up"]
    return [*((*job, "easy") for job in easy), *((*job, "hard") for job in hard)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--libraries")
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--parallel", type=int, default=5, help="arms at once on the one GPU")
    parser.add_argument("--minutes", type=float, default=45, help="after which no arm begins")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--part", choices=("styles", "faults"), help="one of the two alone")
    parser.add_argument("--tasks", type=int, default=1000, help="of each level at most")
    parser.add_argument("--changed", default="{}", help="other settings of every training, as JSON")
    parser.add_argument("--steps", type=int, default=48, help="of reinforcement")
    parser.add_argument("--start", help="the adapter to go on from; by default the shipped one")
    parser.add_argument("--arm", help="run this one alone, or the warm-up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", choices=HELD_OUT, default="easy")
    given = parser.parse_args()
    if given.libraries and Path(given.libraries).is_dir():
        sys.path.append(given.libraries)  # Behind what the machine has.
    given.start = _shipped() if given.start is None else given.start or None
    return given


def _run_jobs(given: argparse.Namespace, jobs: list[Job]) -> None:
    """So many processes at once until none is left, or the time is over; one that fails is tried
    once more at the end."""
    running: dict[subprocess.Popen, Job] = {}
    failed: set[Job] = set()
    while jobs or running:
        if jobs and time.perf_counter() - START > 60 * given.minutes:
            _log(f"no time left for {len(jobs)} arms, from {jobs[0]} on")
            jobs = []
        job = next((job for job in jobs if _is_ready(given, job)), None)
        places = (
            BESIDE + 1 if "warm-up" in {arm for arm, *_ in running.values()} else given.parallel
        )
        if job is not None and len(running) < places:
            jobs.remove(job)
            running[_start_job(given, *job)] = job
            continue
        for process in [p for p in running if p.poll() is not None]:
            job = running.pop(process)
            _log(f"{job}: exit {process.returncode}")
            if process.returncode and job not in failed:
                failed.add(job)
                jobs.append(job)
        if not running and jobs and not any(_is_ready(given, job) for job in jobs):
            raise SystemExit(f"what {jobs[0]} begins from is missing")
        time.sleep(0.5)


def _start_job(given: argparse.Namespace, arm: str, seed: int, level: str) -> subprocess.Popen:
    """With one thread: several processes with a thread for every processor wait for each other."""
    file = (given.out / f"{arm}-{seed}-{level}.log").open("w")
    command = [sys.executable, *sys.argv, "--arm", arm, "--seed", str(seed), "--level", level]
    threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    _log(f"{arm} seed {seed} {level} begins")
    return subprocess.Popen(command, stdout=file, stderr=file, env=os.environ | threads)


def _is_ready(given: argparse.Namespace, job: Job) -> bool:
    arm, seed, level = job
    if arm == "warm-up" or (level == "easy" and arm in CREDITS):
        return True
    needed = _adapter(given, arm, seed) if level == "hard" or arm not in ARMS else None
    return Path(needed or _adapter(given, "warm", 1)).exists()


def _adapter(given: argparse.Namespace, arm: str, seed: int) -> str:
    """Where the adapter of an agent lies, or will."""
    if arm.endswith("shipped"):
        return given.start
    if arm == "reinforced":
        return f"{_shipped()}-reinforced"
    return str(given.out / "work" / (arm if arm == "warm" else f"{arm}-{seed}") / "adapter")


def _limit_memory(parallel: int) -> None:
    """A share of the GPU for this process, so that it frees what it only caches."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.set_per_process_memory_fraction(0.96 / parallel)


def _run_job(given: argparse.Namespace, arm: str, seed: int, level: str) -> None:
    """Trains an arm, attempts the held-out tasks and writes what came of it."""
    began, steps = time.perf_counter(), []
    if arm == "warm-up":
        _train(given, "sft_styles", "warm", {"start": given.start})
        _result(given, arm, seed, level).write_text("{}")
        return
    if level == "easy" and arm not in PLAIN:
        steps = _reinforce(given, arm, seed)
    trained = time.perf_counter() - began
    found = {"arm": arm, "seed": seed, "level": level, "steps": steps}
    found["rows"] = rows = _attempt_tasks(given, arm, seed, level)
    seconds = {"training": trained, "evaluation": time.perf_counter() - began - trained}
    _result(given, arm, seed, level).write_text(json.dumps(found | {"seconds": seconds}))
    _log(f"{arm} seed {seed} {level}: {len(rows)} rows, {json.dumps(seconds)}")


def _reinforce(given: argparse.Namespace, arm: str, seed: int) -> list[dict]:
    """Trains an arm; its steps."""
    start = given.start if arm in CREDITS else _adapter(given, "warm", 1)
    changed = (ARMS | CREDITS)[arm] | {"start": start, "seed": seed, "steps": given.steps}
    _train(given, "grpo_styles", f"{arm}-{seed}", changed)
    metrics = given.out / "work" / f"{arm}-{seed}" / "metrics.jsonl"
    return [json.loads(line) for line in metrics.read_text().splitlines()]


def _train(given: argparse.Namespace, recipe: str, name: str, changed: dict) -> str:
    from agentdyno_train.options import read_recipe, read_reward_weights
    from agentdyno_train.runs import train

    settings = read_recipe(recipe, changed | json.loads(given.changed))
    file = given.lessons / {"sft": "sft.npz", "grpo": "grpo.jsonl.gz"}[settings.stage]
    weights = read_reward_weights(settings)
    done = train(settings, weights, given.out / "work" / name, file, None, _show_step(name))
    _log(f"{name}: {done.steps} steps in {done.seconds:.0f} s")
    return done.folder


def _show_step(name: str):
    keys = ("loss", "reward", "world/completion", "world/turns", "world/answered", "entropy",
            "left_out")  # fmt: skip

    def show(step: int, numbers: dict) -> None:
        if step <= 2 or step % 8 == 1:
            found = {key: round(numbers[key], 4) for key in keys if key in numbers}
            _log(f"{name} step {step}: {json.dumps(found)}")

    return show


def _attempt_tasks(given: argparse.Namespace, arm: str, seed: int, level: str) -> list[dict]:
    """Attempts at the held-out tasks: greedy ones with their depths, then sampled ones."""
    from agentdyno_train.loading import load_trainable
    from agentdyno_train.options import read_recipe, read_reward_weights
    from agentdyno_train.rewards import Meter
    from agentdyno_train.sampled_attempts import RolloutWorker

    _free_memory()
    faults = FAULTS if arm.startswith("faults-") else 0.0
    limits = {"turns": 16, "start": _adapter(given, arm, seed), "faults": faults}
    limits |= WINDOWS[level] | json.loads(given.changed)
    settings = read_recipe("grpo_styles", limits)
    model, tokenizer = load_trainable(settings)
    model = model.to(_device()).eval()
    worker = RolloutWorker(model, tokenizer, settings, read_reward_weights(settings), Meter())
    tasks = [task for task in _held_out(level, given.tasks) if worker.fits(task)]
    times = (3 if arm == "warm" else 1) if level == "easy" else 0
    rows = []
    for kind, heat, repeats in (("greedy", 0.0, 1), ("sampled", 1.0, times)):
        for number in range(repeats):
            batch = worker.sample(tasks, 100 * seed + number, heat)
            depths = _measure_depths(model, tokenizer, batch) if kind == "greedy" else {}
            rows += [
                {"kind": kind, "sample": number, **_row(one), "depth": depths.get(place)}
                for place, one in enumerate(batch)
            ]
    return rows


def _held_out(level: str, most: int) -> list:
    """The tasks, each with the tools that all of them need."""
    from agentdyno_bench.tps.tasks.dataset import load_bundled
    from agentdyno_bench.tps.world.directory import all_tools
    from agentdyno_train.training_tasks import TrainingTask

    tasks = [task for task in load_bundled(level).tasks if len(task.subtasks) <= MOST_STEPS]
    tasks = tasks[: min(HELD_OUT[level], most)]
    used = {step.tool for task in tasks for step in task.subtasks}
    tools = [tool for tool in all_tools() if tool in used]
    return [TrainingTask(task, 7, tools) for task in tasks]


def _measure_depths(model, tokenizer, attempts: list) -> dict[int, float]:
    """Of every attempt the share of deep-thinking tokens among those that the model wrote."""
    from agentdyno_depth.probes.loading import open_loaded
    from agentdyno_depth.probes.profiles import label_sequences
    from agentdyno_depth.records.depth import PAPER
    from agentdyno_depth.records.sequences import TokenSequence

    opened = open_loaded("smollm2", model.get_base_model(), tokenizer)
    sequences = [TokenSequence(tuple(one.prompt), tuple(one.completion)) for one in attempts]
    labelled = label_sequences(opened, sequences, [PAPER]).labels
    found = {}
    for place, (one, labels) in enumerate(zip(attempts, labelled, strict=True)):
        own = [bool(deep) for deep, mine in zip(labels.deep[0], one.own, strict=True) if mine]
        found[place] = sum(own) / len(own)
    return found


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _free_memory() -> None:
    """What the training held, for the attempts."""
    import gc

    import torch

    gc.collect()
    torch.cuda.empty_cache()


def _row(one) -> dict:
    """What is known of an attempt; `waited` are the seconds of the slowest call of each turn."""
    attempt, parts = one.scored.attempt, one.reward_result.parts
    slowest: dict[int, float] = {}
    for call in attempt.calls:
        slowest[call.turn] = max(slowest.get(call.turn, 0.0), call.latency_seconds)
    return {
        "task": one.training_task.task.task_id,
        "completion": one.scored.marks.completion,
        "solved": int(one.scored.marks.solved),
        "harms": len(one.scored.marks.harms),
        "parallelism": parts.parallelism,
        "turns": len(attempt.tokens or []),
        "calls": len(attempt.calls),
        "failed": sum(call.error is not None for call in attempt.calls) + attempt.malformed,
        "waited": round(sum(slowest.values()), 4),
        "pte": one.reward_result.cost,
        "generated": sum(turn.generated for turn in attempt.tokens or []),
        "stopped": attempt.stopped,
        "tokens": [[turn.context, turn.generated] for turn in attempt.tokens or []],
    }


def _shipped() -> str:
    import agentdyno_train

    return str(Path(agentdyno_train.__file__).parent / "models" / "data" / "smollm2-agent")


def _result(given: argparse.Namespace, arm: str, seed: int, level: str) -> Path:
    return given.out / f"rows-{arm}-{seed}-{level}.json"


def _log(text: str) -> None:
    print(f"[{time.perf_counter() - START:7.1f}] {text}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
