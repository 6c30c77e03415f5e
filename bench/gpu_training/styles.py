"""Does reinforcement teach an agent that calls one tool at a time to wait less, and by what?

python styles.py --out FOLDER --lessons FOLDER [--parallel 4] [--minutes 25]      see pack.py

The shipped adapter's warm-up goes on with demonstrations of which half call one tool a turn
(`sft_styles`). From there reinforcement (`grpo_styles`) in arms: weight on parallelism 0 or 0.5,
tight or loose limits of turns and tokens, several seeds, the same tasks. Every agent attempts the
same held-out easy tasks, greedily and at a temperature of 1. Arms run side by side, all arms of a
seed before the next seed. OUT gets `warm.safetensors`, and for every arm and seed one file of rows
(an attempt each) and steps; what is there already is not run again. `styles_table.py` compares.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

START = time.perf_counter()
LIMITS = {
    "tight": {"turns": 4, "turn_tokens": 160, "window": 2816},
    "loose": {"turns": 12, "turn_tokens": 384, "window": 4096},
}
ARMS = {
    f"{weight}-{limits}": {"reward": {"parallelism": weight, "cost": 0.0}, **LIMITS[limits]}
    for limits in LIMITS
    for weight in (0.0, 0.5)
}
HELD_OUT = 100


def main() -> None:
    given = _arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.arm == "warm-up":
        _train(given, "sft_styles", "warm", {"start": given.start})
        return
    if given.arm:
        _limit_memory(given.parallel)
        _run_arm(given, given.arm, given.seed)
        return
    warm = given.out / "work" / "warm" / "adapter"
    if not warm.exists():  # In a process of its own, which gives its memory back.
        subprocess.run([sys.executable, *sys.argv, "--arm", "warm-up"], check=True)
    (given.out / "warm.safetensors").write_bytes((warm / "adapter_model.safetensors").read_bytes())
    jobs = [("warm", 1), *((arm, seed) for seed in range(1, given.seeds + 1) for arm in ARMS)]
    jobs.insert(1, ("shipped", 1))
    _run_jobs(given, [job for job in jobs if not _result(given, *job).exists()])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--libraries")
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--parallel", type=int, default=4, help="arms at once on the one GPU")
    parser.add_argument("--minutes", type=float, default=25, help="after which no arm begins")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=HELD_OUT)
    parser.add_argument("--changed", default="{}", help="other settings of every training, as JSON")
    parser.add_argument("--steps", type=int, help="of reinforcement")
    parser.add_argument("--start", help="the adapter to go on from; by default the shipped one")
    parser.add_argument("--arm", help="run this one alone, or the warm-up")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.libraries and Path(given.libraries).is_dir():
        sys.path.append(given.libraries)  # Behind what the machine has.
    given.start = _shipped() if given.start is None else given.start or None
    return given


def _run_jobs(given: argparse.Namespace, jobs: list[tuple[str, int]]) -> None:
    """So many processes at once until none is left, or the time is over; one that fails is tried
    once more at the end."""
    running: dict[subprocess.Popen, tuple[str, int]] = {}
    failed: set[tuple[str, int]] = set()
    while jobs or running:
        while jobs and len(running) < given.parallel:
            if time.perf_counter() - START > 60 * given.minutes:
                _log(f"no time left for {len(jobs)} arms, from {jobs[0]} on")
                jobs = []
                break
            arm, seed = jobs.pop(0)
            file = (given.out / f"{arm}-{seed}.log").open("w")
            command = [sys.executable, *sys.argv, "--arm", arm, "--seed", str(seed)]
            running[subprocess.Popen(command, stdout=file, stderr=file)] = (arm, seed)
            _log(f"{arm} seed {seed} begins")
        for process in [p for p in running if p.poll() is not None]:
            arm, seed = running.pop(process)
            _log(f"{arm} seed {seed}: exit {process.returncode}")
            if process.returncode and (arm, seed) not in failed:
                failed.add((arm, seed))
                jobs.append((arm, seed))
        time.sleep(1)


def _limit_memory(parallel: int) -> None:
    """A share of the GPU for this process, so that it frees what it only caches."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.set_per_process_memory_fraction(0.96 / parallel)


def _run_arm(given: argparse.Namespace, arm: str, seed: int) -> None:
    """Trains an arm, attempts the held-out tasks and writes what came of it."""
    began = time.perf_counter()
    folder = {"warm": str(given.out / "work" / "warm" / "adapter"), "shipped": given.start}.get(arm)
    steps: list[dict] = []
    if arm in ARMS:
        changed = ARMS[arm] | {"start": str(given.out / "work/warm/adapter"), "seed": seed}
        changed |= {"steps": given.steps} if given.steps else {}
        folder = _train(given, "grpo_styles", f"{arm}-{seed}", changed)
        metrics = given.out / "work" / f"{arm}-{seed}" / "metrics.jsonl"
        steps = [json.loads(line) for line in metrics.read_text().splitlines()]
    trained = time.perf_counter() - began
    times = 3 if arm == "warm" else 1
    rows = _attempt_tasks(given, folder, seed, times)
    seconds = {"training": trained, "evaluation": time.perf_counter() - began - trained}
    _result(given, arm, seed).write_text(
        json.dumps({"arm": arm, "seed": seed, "rows": rows, "steps": steps, "seconds": seconds})
    )
    _log(f"{arm} seed {seed}: {json.dumps(seconds)}")


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
    keys = ("loss", "reward", "world/completion", "world/turns", "world/answered", "entropy")

    def show(step: int, numbers: dict) -> None:
        if step <= 2 or step % 8 == 1:
            found = {key: round(numbers[key], 4) for key in keys if key in numbers}
            _log(f"{name} step {step}: {json.dumps(found)}")

    return show


def _attempt_tasks(
    given: argparse.Namespace, adapter: str | None, seed: int, times: int
) -> list[dict]:
    """Attempts at the held-out tasks: greedy ones, then sampled ones."""
    import torch

    from agentdyno_bench.tps.tasks.dataset import load_bundled
    from agentdyno_bench.tps.world.directory import all_tools
    from agentdyno_train.loading import load_trainable
    from agentdyno_train.options import read_recipe, read_reward_weights
    from agentdyno_train.rewards import Meter
    from agentdyno_train.sampled_attempts import RolloutWorker
    from agentdyno_train.training_tasks import TrainingTask

    tasks = load_bundled("easy").tasks[: given.tasks]
    used = {step.tool for task in tasks for step in task.subtasks}
    tools = [tool for tool in all_tools() if tool in used]
    limits = {"window": 7168, "turns": 16, "turn_tokens": 512, "start": adapter}
    settings = read_recipe("grpo_styles", limits | json.loads(given.changed))
    model, tokenizer = load_trainable(settings)
    model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    worker = RolloutWorker(model, tokenizer, settings, read_reward_weights(settings), Meter())
    found = [TrainingTask(task, 7, tools) for task in tasks]
    found = [one for one in found if worker.fits(one)]
    rows = []
    for kind, heat, repeats in (("greedy", 0.0, 1), ("sampled", 1.0, times)):
        for number in range(repeats):
            for at in range(0, len(found), 50):
                batch = worker.sample(found[at : at + 50], 100 * seed + number, heat)
                rows += [{"kind": kind, "sample": number, **_row(one)} for one in batch]
    return rows


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


def _result(given: argparse.Namespace, arm: str, seed: int) -> Path:
    return given.out / f"rows-{arm}-{seed}.json"


def _log(text: str) -> None:
    print(f"[{time.perf_counter() - START:7.1f}] {text}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
