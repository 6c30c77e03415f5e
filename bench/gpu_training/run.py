"""The whole experiment in one command: prove the harness, warm up, reinforce, evaluate after each.

python run.py --out FOLDER [--minutes 20] [--settings 1e-4 …]       on a GPU, see pack.py
python run.py --out FOLDER --rehearse MODEL_FOLDER                   on a CPU, with a tiny model

Leaves in OUT: `report.json` (one row a task and agent, one a step of each training, recipes and
adapters' configurations), `warm.safetensors` and `reinforced.safetensors` (adapters, under 10 MB
each), `transcripts.txt`, `log.txt`. Everything is written as soon as it is known, so
a run that is cut off leaves what it had. Agents are compared on held-out tasks, paired by task.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

START = time.perf_counter()
HELD_OUT = {"easy": 100, "hard": 60}
TRIED = 40
"""Steps by the later half of which the speed of a warm-up is known."""


def main() -> None:
    given = _arguments()
    if given.libraries and Path(given.libraries).is_dir():
        sys.path.append(given.libraries)  # Behind what the machine has.
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    run = Run(given, out)
    converting = _convert_aside(given)
    run.prove()
    _import_trainers()
    converting.wait()
    given.evaluation *= not given.no_evaluation
    warm = given.warm or run.warm_up()
    if not given.evaluated:
        run.evaluate("warm", warm)
    for number, rate in enumerate(given.settings):
        left = run.left() - given.evaluation
        seconds = left / (len(given.settings) - number) - given.evaluation
        if seconds < given.least:
            run.log(f"no time left for a learning rate of {rate:g}")
            break
        name = f"reinforced-{given.name or number}"
        changed = {"learning_rate": rate} | json.loads(given.changed)
        run.evaluate(name, run.train("grpo", name, warm, changed, seconds))
    run.log("done")


def _convert_aside(given: argparse.Namespace) -> subprocess.Popen:
    """Reads the embedded model's GGUF in a process of its own: half a minute of one core."""
    code = "from agentdyno_depth.engines.smollm2 import smollm2_folder; smollm2_folder()"
    paths = [os.environ.get("PYTHONPATH", ""), given.libraries or ""]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen([sys.executable, "-c", code], env=environment)


def _import_trainers() -> None:
    """Takes its seconds while the model is read."""
    import datasets  # noqa: F401
    import trl

    trl.SFTTrainer, trl.GRPOTrainer  # noqa: B018 (imported when they are asked for)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--libraries")
    parser.add_argument("--lessons", help="folder with sft.npz and grpo.jsonl.gz")
    parser.add_argument("--minutes", type=float, default=20, help="for everything")
    parser.add_argument("--warm-seconds", type=float, default=300, help="of the warm-up")
    parser.add_argument("--warm-changed", default="{}", help="other settings of it, as JSON")
    parser.add_argument("--warm-start", help="an adapter that the warm-up goes on from")
    parser.add_argument("--warm", help="an adapter to begin with, instead of a warm-up")
    parser.add_argument("--evaluated", action="store_true", help="that one has been evaluated")
    parser.add_argument("--no-evaluation", action="store_true", help="left to sheet.py")
    parser.add_argument("--settings", type=float, nargs="*", default=[1e-4], help="rates of grpo")
    parser.add_argument("--changed", default="{}", help="other settings of grpo, as JSON")
    parser.add_argument("--reward", default="{}", help="other weights of the reward, as JSON")
    parser.add_argument("--name", help="of the reinforced agent")
    parser.add_argument("--least", type=float, default=60, help="seconds that a training is worth")
    parser.add_argument("--evaluation", type=float, default=60, help="seconds kept for one")
    parser.add_argument("--tasks", type=int, help="held-out tasks of each level at most")
    parser.add_argument("--rehearse", help="a tiny model's folder: few steps, on a CPU")
    return parser.parse_args()


class Run:
    """The experiment, and what it knows so far."""

    def __init__(self, given: argparse.Namespace, out: Path) -> None:
        self.given, self.out = given, out
        self.report: dict = {"arguments": vars(given), "agents": {}, "trainings": {}}
        self.lines: list[str] = []

    def left(self) -> float:
        return self.given.minutes * 60 - (time.perf_counter() - START)

    def log(self, text: str) -> None:
        self.lines.append(f"[{time.perf_counter() - START:7.1f}] {text}")
        print(self.lines[-1], flush=True)
        (self.out / "log.txt").write_text("\n".join(self.lines) + "\n")
        (self.out / "report.json").write_text(json.dumps(self.report, indent=1, default=str))

    def lessons(self) -> list:
        """Held-out tasks, each with the tools that all tasks of its level need."""
        from agentdyno_bench.tps.tasks.dataset import load_bundled
        from agentdyno_bench.tps.world.directory import all_tools
        from agentdyno_train.training_tasks import TrainingTask

        found = []
        for level, count in HELD_OUT.items():
            tasks = load_bundled(level).tasks[: min(count, self.given.tasks or count)]
            used = {step.tool for task in tasks for step in task.subtasks}
            tools = [name for name in all_tools() if name in used]
            found += [TrainingTask(task, 7, tools) for task in tasks]
        return found

    def settings(self, stage: str, changed: dict):
        from agentdyno_train.options import read_recipe

        small = {"model": self.given.rehearse, "rank": 2, "steps": 2, "batch": 4, "accumulate": 1,
                 "group": 2, "window": 12000, "turns": 2, "turn_tokens": 16, "most_steps": 2,
                 "most_tools": 2, "worlds": 0, "drills": 20, "save_every": 1}  # fmt: skip
        return read_recipe(stage, changed | (small if self.given.rehearse else {}))

    def prove(self) -> None:
        """The perfect agent solves everything, silence nothing; or nothing below means anything."""
        from agentdyno_train.environment import Environment
        from agentdyno_train.plans import conversation

        lessons = self.lessons()
        solved = sum(conversation(x.task, x.tools, x.world_seed) is not None for x in lessons)
        silent = sum(Environment(x.task, 7, x.tools).score().marks.solved for x in lessons)
        self.report["proof"] = {"tasks": len(lessons), "by plan": solved, "by silence": silent}
        self.log(f"{solved} of {len(lessons)} tasks are solved by their plans, {silent} by silence")
        if solved != len(lessons) or silent:
            raise SystemExit("the harness does not mark right: see report.json")

    def warm_up(self) -> str:
        """So many steps that they fit into the time: the learning rate comes down to its end."""
        changed, seconds = json.loads(self.given.warm_changed), self.given.warm_seconds
        if self.given.lessons and not self.given.rehearse and "steps" not in changed:
            changed["steps"] = self._steps_in(seconds, changed)
        return self.train("sft", "warm", self.given.warm_start, changed, 1.2 * seconds)

    def _steps_in(self, seconds: float, changed: dict) -> int:
        """Steps of a warm-up that a few of them say will fit, by tokens a second."""
        from agentdyno_train.examples import read_examples

        start = self.given.warm_start
        self.train("sft", "tried", start, changed | {"steps": TRIED}, seconds)
        tried = self.report["trainings"].pop("tried")["metrics"]
        first, last = tried[TRIED // 2], tried[TRIED - 1]
        speed = (last["num_tokens"] - first["num_tokens"]) / (last["seconds"] - first["seconds"])
        settings = self.settings("sft", changed)
        rows = read_examples(Path(self.given.lessons) / "sft.npz")
        lengths = [n for row in rows if (n := len(row["input_ids"])) <= settings.window]
        steps = int(seconds * speed / (settings.batch * sum(lengths) / len(lengths)))
        self.report["warm-up"] = {"tokens a second": speed, "rows": len(lengths),
                                  "tokens": sum(lengths), "steps": steps}  # fmt: skip
        self.log(f"{speed:,.0f} tokens a second: {steps} steps in {seconds:.0f} s")
        return steps

    def train(self, stage: str, name: str, start: str | None, changed: dict, seconds: float) -> str:
        import msgspec

        from agentdyno_bench.findings.rewards import read_weights
        from agentdyno_train.runs import train

        weights = msgspec.structs.replace(read_weights(), **json.loads(self.given.reward))
        settings = self.settings(stage, changed | {"start": start})
        lessons = None
        if self.given.lessons and not self.given.rehearse:
            name_of = {"sft": "sft.npz", "grpo": "grpo.jsonl.gz"}
            lessons = Path(self.given.lessons) / name_of[stage]
        self.log(f"{name}: {stage}, {settings.steps} steps at most, {seconds:.0f} s")
        folder = self.out / "work" / name
        done = train(settings, weights, folder, lessons, seconds, self._told(stage, name))
        self.report["trainings"][name] = {
            "steps": done.steps,
            "seconds": done.seconds,
            "recipe": json.loads(Path(done.recipe).read_text()),
            "metrics": [json.loads(x) for x in (folder / "metrics.jsonl").read_text().splitlines()],
        }
        adapter = Path(done.folder)
        if (adapter / "adapter_config.json").is_file():
            config = json.loads((adapter / "adapter_config.json").read_text())
            self.report["trainings"][name]["adapter_config"] = config
            shutil.copy(adapter / "adapter_model.safetensors", self.out / f"{name}.safetensors")
        self.log(f"{name}: {done.steps} steps in {done.seconds:.0f} s, {done.folder}")
        return done.folder

    def _told(self, stage: str, name: str):
        def told(step: int, numbers: dict) -> None:
            keys = (
                "loss",
                "reward",
                "world/completion",
                "world/signal",
                "world/turns",
                "step_time",
            )
            shown = {k: numbers[k] for k in keys if k in numbers}
            if shown and (step <= 3 or step % 10 == 0):
                self.log(f"{name} step {step}: {json.dumps(shown)}")

        return told

    def evaluate(self, name: str, adapter: str | None) -> None:
        """Greedy attempts at every held-out task, one row each."""
        if self.given.no_evaluation:
            return
        import torch

        from agentdyno_bench.findings.rewards import read_weights
        from agentdyno_train.loading import load_trainable
        from agentdyno_train.rewards import Meter
        from agentdyno_train.sampled_attempts import RolloutWorker

        began = time.perf_counter()
        changed = {"start": adapter, "window": 7168, "turns": 16, "turn_tokens": 1024}
        settings = self.settings("grpo", changed)
        model, tokenizer = load_trainable(settings)
        model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        worker = RolloutWorker(model, tokenizer, settings, read_weights(), Meter())
        lessons = [training_task for training_task in self.lessons() if worker.fits(training_task)]
        attempts = []
        for start in range(0, len(lessons), 70):
            attempts += worker.sample(lessons[start : start + 70], 1, 0.0)
        rows = [_row(one) for one in attempts]
        self.report["agents"][name] = {"rows": rows, "seconds": time.perf_counter() - began,
                                       "tasks that fit": len(lessons)}  # fmt: skip
        for level in HELD_OUT:
            mine = [row for row in rows if row["level"] == level]
            if mine:
                keys = ("completion", "score", "solved", "turns", "calls", "cost")
                means = {k: round(sum(r[k] for r in mine) / len(mine), 4) for k in keys}
                self.log(f"{name}, {level}, {len(mine)} tasks: {json.dumps(means)}")
                self._paired(name, level)
        self._transcripts(name, attempts, tokenizer)
        del model, worker

    def _paired(self, name: str, level: str) -> None:
        """The change from the agent before, where the statistics are at hand."""
        names = list(self.report["agents"])
        if len(names) < 2:
            return
        before = "warm" if name.startswith("reinforced") else names[-2]
        try:
            from agentdyno.estimates.paired import paired_difference
        except ImportError:
            return
        for measure in ("completion", "score", "solved", "reward", "turns", "cost", "seconds"):
            sides = [
                {
                    r["task"]: [float(r[measure])]
                    for r in self.report["agents"][n]["rows"]
                    if r["level"] == level
                }
                for n in (before, name)
            ]
            found = paired_difference(*sides)
            if found.low is not None:
                self.log(f"  {name} - {before}, {level}, {measure}: {found.value:+.4f} "
                         f"[{found.low:+.4f}, {found.high:+.4f}], n {found.n}")  # fmt: skip

    def _transcripts(self, name: str, attempts: list, tokenizer) -> None:
        chosen = random.Random(5).sample(attempts, min(4, len(attempts)))
        texts = [
            f"##### {name}, {one.training_task.task.task_id}, score {one.scored.marks.score:.2f}\n"
            + one.training_task.task.prompt + "\n" + tokenizer.decode(one.completion)[:4000]
            + "\n" + "\n".join(f"{m.wish_id}: {m.cause}: {m.reason}" for m in one.scored.misses)
            for one in chosen
        ]  # fmt: skip
        with (self.out / "transcripts.txt").open("a") as file:
            file.write("\n\n".join(texts) + "\n\n")


def _row(one) -> dict:
    attempt, parts = one.scored.attempt, one.reward_result.parts
    slowest: dict[int, float] = {}
    for call in attempt.calls:
        slowest[call.turn] = max(slowest.get(call.turn, 0.0), call.latency_seconds)
    causes: dict[str, int] = {}
    for miss in one.scored.misses:
        causes[miss.cause] = causes.get(miss.cause, 0) + 1
    return {
        "task": one.training_task.task.task_id, "level": one.training_task.task.level,
        "completion": one.scored.marks.completion, "score": one.scored.marks.score,
        "solved": int(one.scored.marks.solved), "harms": len(one.scored.marks.harms),
        "reward": one.reward_result.reward, "parallelism": parts.parallelism,
        "validity": parts.validity,
        "progress": parts.progress, "cost": one.reward_result.cost or 0.0, "cost_part": parts.cost,
        "turns": len(attempt.tokens or []), "calls": len(attempt.calls),
        "malformed": attempt.malformed, "seconds": sum(slowest.values()),
        "generated": sum(t.generated for t in attempt.tokens or []), "stopped": attempt.stopped,
        "causes": causes,
    }  # fmt: skip


if __name__ == "__main__":
    main()
