"""Warms the embedded agent up and evaluates it, in one command that knows how much time it has.

python run.py --out FOLDER --examples FOLDER [--libraries FOLDER] [--deadline 570]
python run.py --out FOLDER --examples FOLDER --rehearse          few steps and tasks, on a CPU

`examples` holds `*.npz` of conversations in tokens (`pack.py` makes them). Goes on from the shipped
adapter for as long as the deadline leaves after what the evaluation needs; the learning rate comes
down with the time, so nothing has to be known about the machine's speed. Leaves in OUT:
`report.json` (arguments, a row every ten steps, a row a held-out task), `adapter` (under 10 MB,
written every minute), `transcripts.txt` and `log.txt`, each as soon as it is known.
"""

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

START = time.perf_counter()
RATE, WARMING = 8e-4, 0.04
"""Highest learning rate, and the share of the time until it is reached."""
TOKENS, WINDOW = 32_768, 2560
"""Tokens of a step, filled up ones included, and of a conversation at most."""
SAVED = 60.0
"""Seconds between two copies of the adapter."""
ROWS = 64
"""Attempts that are decoded at once."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, help="searched behind what the machine has")
    parser.add_argument("--start", help="an adapter's folder; the shipped one when left out")
    parser.add_argument("--deadline", type=float, default=570, help="seconds for everything")
    parser.add_argument("--training", type=float, default=400, help="seconds of it at most")
    parser.add_argument("--evaluation", type=float, default=130, help="seconds kept for it")
    parser.add_argument("--began", type=float, help="when the command began, by the clock")
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--steps", type=int, default=6, help="of a rehearsal")
    parser.add_argument("--tasks", type=int, default=2, help="of a rehearsal")
    given = parser.parse_args()
    if given.libraries:
        sys.path.append(str(given.libraries))
    given.out.mkdir(parents=True, exist_ok=True)
    run = Run(given)
    converting = _convert_aside(given.libraries)
    run.prove()
    converting.wait()
    if not given.rehearse or given.steps:
        run.train()
    run.evaluate("easy")
    if run.left() > 90:
        run.evaluate("hard")
    run.log("done")


def _convert_aside(libraries: Path | None) -> subprocess.Popen[bytes]:
    """Reads the embedded model's GGUF in a process of its own: half a minute of one core."""
    code = "from agentdyno_depth.engines.smollm2 import smollm2_folder; smollm2_folder()"
    paths = [*sys.path, str(libraries or "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen([sys.executable, "-c", code], env=environment)


class Run:
    """One training, and what is known of it so far."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.lines = given, list[str]()
        self.start = given.start or str(_shipped())
        self.late = time.time() - given.began if given.began else 0.0
        arguments = {name: str(value) for name, value in vars(given).items()}
        self.report: dict[str, Any] = {"arguments": arguments, "steps": [], "tasks": []}

    def left(self) -> float:
        return self.given.deadline - self.late - (time.perf_counter() - START)

    def log(self, text: str) -> None:
        self.lines.append(f"[{self.late + time.perf_counter() - START:7.1f}] {text}")
        print(self.lines[-1], flush=True)
        (self.given.out / "log.txt").write_text("\n".join(self.lines) + "\n")
        (self.given.out / "report.json").write_text(json.dumps(self.report))

    def prove(self) -> None:
        """Plans solve every task, silence none; or nothing below means anything."""
        from agentdyno_train.environment import Environment
        from agentdyno_train.plans import conversation

        tasks = self.held_out("easy")
        plans = [conversation(x.task, x.tools, x.world_seed) for x in tasks]
        silent = sum(Environment(x.task, x.world_seed, x.tools).score().marks.solved for x in tasks)
        solved = sum(plan is not None for plan in plans)
        self.log(f"{solved} of {len(tasks)} tasks are solved by their plans, {silent} by silence")
        if solved != len(tasks) or silent:
            raise SystemExit("the environment does not mark right")

    def held_out(self, level: str) -> list[Any]:
        """Tasks of scenes that are in no training, each with the tools that its level needs."""
        from agentdyno_bench.tps.tasks.dataset import load_bundled
        from agentdyno_bench.tps.world.directory import all_tools
        from agentdyno_train.training_tasks import TrainingTask

        bundled = load_bundled(level)
        tasks = bundled.tasks
        used = {step.tool for task in tasks for step in task.subtasks}
        tools = [name for name in all_tools() if name in used]
        first = tasks[: self.given.tasks] if self.given.rehearse else tasks
        return [TrainingTask(task, bundled.world_seed, tools) for task in first]

    def load(self, start: str, trains: bool) -> tuple[Any, Any]:
        """The model with an adapter, on the GPU where there is one."""
        import torch

        from agentdyno_train.loading import load_trainable
        from agentdyno_train.one_product import narrow_frozen
        from agentdyno_train.options import read_recipe

        self.settings = read_recipe(
            "grpo", {"start": start, "window": 7168, "turns": 16, "turn_tokens": 1024}
        )
        model, tokenizer = load_trainable(self.settings)
        if torch.cuda.is_available():
            # Its masked attention has given gradients that were not finite.
            torch.backends.cuda.enable_cudnn_sdp(False)
            model = model.cuda()
        if torch.cuda.is_available() and trains:
            narrow_frozen(model, torch.bfloat16)
        self.log(f"loaded on {next(model.parameters()).device}, from {start}")
        return model, tokenizer

    def train(self) -> None:
        """Steps until the time is over, or as many as a rehearsal has."""
        import torch

        from agentdyno_train.examples import read_examples
        from agentdyno_train.lean_pass import Collator, LeanPass

        model, tokenizer = self.load(self.start, trains=True)
        files = sorted(self.given.examples.glob("*.npz"))
        rows = [row for file in files for row in read_examples(file)]
        rows = [row for row in rows if len(row["input_ids"]) <= WINDOW]
        tokens = sum(len(row["input_ids"]) for row in rows)
        self.report |= {"examples": len(rows), "tokens": tokens}
        self.log(f"{len(rows):,} conversations of {tokens:,} tokens")
        self.log("one ends: " + tokenizer.decode(rows[0]["input_ids"][-90:]))
        lean, collator = LeanPass.of(model), Collator(tokenizer.pad_token_id, rows)
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        on_gpu = weights[0].is_cuda
        optimizer = torch.optim.AdamW(
            weights, lr=RATE, betas=(0.9, 0.95), weight_decay=0.0, fused=on_gpu
        )
        seconds = min(self.given.training, self.left() - self.given.evaluation)
        began = saved = time.perf_counter()
        read, sums, bad = 0, torch.zeros(2, device=weights[0].device), 0
        model.train()
        for step, numbers in enumerate(_batches(rows, 4096 if not on_gpu else TOKENS), 1):
            now = time.perf_counter()
            over = (now - began) / seconds
            if self.given.rehearse:
                over = (step - 1) / self.given.steps
            if over >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, (over + 0.002) / WARMING, _cosine(over))
            batch = collator([{"row": number} for number in numbers])
            batch = {name: part.to(weights[0].device) for name, part in batch.items()}
            loss = lean.loss(batch)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(weights, 1.0)
            read += batch["input_ids"].numel()
            good = torch.isfinite(norm)
            for weight in weights:
                # A step that is not finite is left out.
                weight.grad = torch.where(good, weight.grad, 0.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            sums += torch.stack([torch.where(good, loss.detach().float(), 0.0), good.float()])
            if step % 10 == 0 or step <= 3 or self.given.rehearse:
                total, finite = sums.tolist()
                counted = 1 if step <= 3 or self.given.rehearse else 10 if step > 10 else 7
                bad += round(counted - finite)
                sums.zero_()
                took = time.perf_counter() - began
                row = {"step": step, "loss": total / max(1.0, finite), "seconds": round(took, 2),
                       "tokens": read, "left_out": bad}  # fmt: skip
                self.report["steps"].append(row)
                if step % 100 == 0 or step <= 10:
                    self.log(f"{json.dumps(row)} {read / took:,.0f} tokens a second")
            if time.perf_counter() - saved > SAVED:
                saved = time.perf_counter()
                self.save(model)
        self.start = self.save(model)
        self.log(f"trained: {len(self.report['steps'])} rows, {read:,} tokens, {bad} left out")

    def save(self, model: Any) -> str:
        """The adapter in half precision, complete or not at all; its folder."""
        import torch
        from peft import get_peft_model_state_dict
        from safetensors.torch import save_file

        folder = self.given.out / "adapter"
        folder.mkdir(exist_ok=True)
        state = {
            name: value.detach().to("cpu", torch.float16).contiguous()
            for name, value in get_peft_model_state_dict(model, save_embedding_layers=False).items()
        }
        staging = self.given.out.with_name("adapter.new")
        save_file(state, str(staging), {"format": "pt"})
        shutil.move(staging, folder / "adapter_model.safetensors")
        config = Path(self.settings.start or "") / "adapter_config.json"
        (folder / config.name).write_text(config.read_text())
        return str(folder)

    def evaluate(self, level: str) -> None:
        """Greedy attempts, written after every group that is done."""
        from agentdyno_bench.findings.rewards import read_weights
        from agentdyno_train.sampled_attempts import RolloutWorker

        began = time.perf_counter()
        model, tokenizer = self.load(self.start, trains=False)
        worker = RolloutWorker(model.eval(), tokenizer, self.settings, read_weights())
        tasks = [task for task in self.held_out(level) if worker.fits(task)]
        for start in range(0, len(tasks), ROWS):
            attempts = worker.sample(tasks[start : start + ROWS], 1, 0.0)
            self.report["tasks"] += [_row(one) for one in attempts]
            self._show(attempts, tokenizer)
            mine = [row for row in self.report["tasks"] if row["level"] == level]
            means = {
                key: round(sum(row[key] for row in mine) / len(mine), 4)
                for key in ("completion", "solved", "submitted", "harms", "turns", "calls")
            }
            took = time.perf_counter() - began
            self.log(f"{level}, {len(mine)} tasks, {took:.0f} s: {json.dumps(means)}")

    def _show(self, attempts: list[Any], tokenizer: Any) -> None:
        chosen = random.Random(5).sample(attempts, min(6, len(attempts)))
        with (self.given.out / "transcripts.txt").open("a") as file:
            for one in chosen:
                misses = "\n".join(f"{x.goal_id}: {x.cause}: {x.reason}" for x in one.scored.misses)
                task = one.training_task.task
                file.write(f"##### {task.task_id}, {one.scored.marks.score:.2f}\n{task.prompt}\n"
                           f"{tokenizer.decode(one.completion)[:4000]}\n{misses}\n\n")  # fmt: skip


def _shipped() -> Path:
    import agentdyno_train

    return Path(agentdyno_train.__file__).parent / "models" / "data" / "smollm2-agent"


def _cosine(over: float) -> float:
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * over))


def _batches(rows: list[Any], most: int) -> Iterator[list[int]]:
    """Rows of about one length together, each once before any comes again."""
    rng = random.Random(3)
    while True:
        order = list(range(len(rows)))
        rng.shuffle(order)
        # Sorted within pieces, not over all: batches of a pass differ from those of the next.
        pieces = [order[at : at + 512] for at in range(0, len(order), 512)]
        batches = [batch for piece in pieces for batch in _pack(piece, rows, most)]
        rng.shuffle(batches)
        yield from batches


def _pack(piece: list[int], rows: list[Any], most: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(piece, key=lambda at: -len(rows[at]["input_ids"])):
        longest = len(rows[batch[0] if batch else number]["input_ids"])
        if batch and (len(batch) + 1) * longest > most:
            yield batch
            batch = []
        batch.append(number)
    yield batch


def _row(one: Any) -> dict[str, Any]:
    attempt, marks = one.scored.attempt, one.scored.marks
    causes: dict[str, int] = {}
    for miss in one.scored.misses:
        causes[miss.cause] = causes.get(miss.cause, 0) + 1
    task = one.training_task.task
    return {
        "task": task.task_id, "level": task.level, "goals": len(task.goals),
        "completion": marks.completion, "score": marks.score, "solved": int(marks.solved),
        "submitted": int(bool(attempt.answer)), "harms": len(marks.harms),
        "turns": len(attempt.tokens or []), "calls": len(attempt.calls),
        "malformed": attempt.malformed,
        "stopped": attempt.stopped, "causes": causes, "answer": attempt.answer,
    }  # fmt: skip


if __name__ == "__main__":
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    main()
