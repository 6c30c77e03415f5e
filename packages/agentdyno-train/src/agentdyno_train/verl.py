"""A veRL configuration for a cluster, from the settings that `train` takes.

Takes settings, weights and a folder; writes what `python -m verl.trainer.main_ppo` needs: the run's
YAML, the training tasks as Parquet and an agent loop over our environment, which gives the reward.
veRL is never imported here; the loop imports `agentdyno`, which must be installed on the cluster.
"""

from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from agentdyno_bench.shared.rewards import Weights
from agentdyno_train.environment import open_task
from agentdyno_train.options import TrainSettings
from agentdyno_train.training_tasks import TrainingTask, make_training_tasks, read_training_tasks

LOOP = '''"""veRL's agent loop over the planning world; written by `agentdyno train --verl`."""

from typing import Any
from uuid import uuid4

import msgspec
from verl.experimental.agent_loop.agent_loop import (
    AgentLoopBase,
    AgentLoopMetrics,
    AgentLoopOutput,
    register,
)

from agentdyno_depth.engines.chat import following_ids
from agentdyno_bench.shared.rewards import Weights
from agentdyno_train.attempts import TurnTokens
from agentdyno_train.environment import Environment
from agentdyno_train.training_tasks import TrainingTask
from agentdyno_train.rewards import Meter, compute_reward
from agentdyno_train.sampled_attempts import reference_tokens

WEIGHTS = msgspec.json.decode({weights!r}, type=Weights)
METER = Meter(WEIGHTS.cost_unit, {model!r})
TURNS, TURN_TOKENS, WINDOW, FAULTS = {turns}, {turn_tokens}, {window}, {faults}


@register("agentdyno")
class PlanningLoop(AgentLoopBase):
    """One attempt: the model writes, the world answers, until it answers or a limit is reached."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        task = msgspec.json.decode(row["extra_info"]["lesson"], type=TrainingTask)
        environment = Environment(
            task.task, task.world_seed, task.tools, FAULTS, TURNS
        )
        prompt = list(await self.apply_chat_template(list(row["raw_prompt"])))
        context, mask, request = list(prompt), [], uuid4().hex
        limits = {{**sampling_params, "max_tokens": TURN_TOKENS}}
        while len(context) + TURN_TOKENS <= WINDOW:
            out = await self.server_manager.generate(
                request_id=request, prompt_ids=context, sampling_params=limits
            )
            ids = list(out.token_ids)
            ended = bool(ids) and ids[-1] == self.tokenizer.eos_token_id
            text = self.tokenizer.decode(ids, skip_special_tokens=True)
            step = environment.step(text, TurnTokens(len(context), len(ids)), ended)
            context, mask = context + ids, mask + [1] * len(ids)
            if step.done:
                break
            more = [] if ended else [self.tokenizer.eos_token_id]
            more += following_ids(self.tokenizer, step.messages)
            context, mask = context + more, mask + [0] * len(more)
        plan = reference_tokens(task, self.tokenizer)
        reference = None if plan is None else METER.cost(plan)
        found = compute_reward(environment.score(), WEIGHTS, METER, reference)
        return AgentLoopOutput(
            prompt_ids=prompt,
            response_ids=context[len(prompt) :],
            response_mask=mask,
            reward_score=found.reward,
            num_turns=len(environment.attempt().tokens or []),
            metrics=AgentLoopMetrics(),
            extra_fields={{}},
        )
'''


def write_verl(
    settings: TrainSettings, weights: Weights, folder: Path, tasks_file: Path | None = None
) -> int:
    """Writes the folder; returns how many training tasks it holds."""
    training_tasks = (
        make_training_tasks(settings) if tasks_file is None else read_training_tasks(tasks_file)
    )
    folder.mkdir(parents=True, exist_ok=True)
    pl.DataFrame([_row(training_task) for training_task in training_tasks]).write_parquet(
        folder / "lessons.parquet"
    )
    (folder / "agent_loop.py").write_text(_loop(settings, weights), "utf-8")
    loops = [{"name": "agentdyno", "_target_": "agent_loop.PlanningLoop"}]
    (folder / "agent_loop.yaml").write_bytes(_yaml(loops))
    (folder / "grpo.yaml").write_bytes(_yaml(configuration(settings)))
    (folder / "run.sh").write_text(_command(settings), "utf-8")
    return len(training_tasks)


def configuration(settings: TrainSettings) -> dict[str, Any]:
    """What differs from veRL's own `ppo_trainer`; paths are relative to the folder."""
    prompt = settings.window // 2
    lora = (
        {"lora_rank": settings.rank, "lora_alpha": settings.alpha}
        if settings.tune == "lora"
        else {}
    )
    return {
        "defaults": ["ppo_trainer", "_self_"],
        "algorithm": {
            "adv_estimator": "grpo",
            "norm_adv_by_std_in_grpo": settings.scaled,
            "use_kl_in_reward": False,
        },
        "data": {
            "train_files": "lessons.parquet",
            "val_files": "lessons.parquet",
            "train_batch_size": settings.batch // settings.group,
            "max_prompt_length": prompt,
            "max_response_length": settings.window - prompt,
            "return_raw_chat": True,
            "seed": settings.seed,
        },
        "actor_rollout_ref": {
            "model": {"path": settings.model, **lora},
            "actor": {
                "optim": {"lr": settings.learning_rate},
                "ppo_mini_batch_size": settings.batch // settings.group,
                "use_dynamic_bsz": True,
                "clip_ratio": settings.epsilon,
                "use_kl_loss": settings.beta > 0,
                "kl_loss_coef": settings.beta,
            },
            "rollout": {
                "name": "vllm",
                "mode": "async",
                "n": settings.group,
                "temperature": settings.temperature,
                "multi_turn": {"enable": True, "max_assistant_turns": settings.turns},
                "agent": {
                    "default_agent_loop": "agentdyno",
                    "agent_loop_config_path": "agent_loop.yaml",
                },
            },
        },
        "trainer": {
            "total_training_steps": settings.steps,
            "save_freq": settings.save_every,
            "test_freq": -1,
            "val_before_train": False,
            "project_name": "agentdyno",
            "experiment_name": settings.stage,
            "logger": ["console"],
            "n_gpus_per_node": 8,
            "nnodes": 1,
        },
    }


def _row(training_task: TrainingTask) -> dict[str, Any]:
    messages = open_task(training_task.task, training_task.tools)
    return {
        "data_source": "agentdyno/tps",
        "agent_name": "agentdyno",
        "prompt": [{"role": message.role, "content": message.text} for message in messages],
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {
            "index": training_task.key,
            "lesson": msgspec.json.encode(training_task).decode(),
        },
    }


def _loop(settings: TrainSettings, weights: Weights) -> str:
    return LOOP.format(
        weights=msgspec.json.encode(weights),
        turns=settings.turns,
        turn_tokens=settings.turn_tokens,
        window=settings.window,
        faults=settings.faults,
        model="smollm2-135m" if settings.model == "smollm2" else f"{settings.model}/config.json",
    )


def _yaml(value: Any) -> bytes:
    """JSON is YAML, and needs no further library."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _command(settings: TrainSettings) -> str:
    return f"""#!/bin/sh
# Reinforcement on a cluster with veRL: {settings.steps} steps of {settings.batch // settings.group}
# tasks, {settings.group} attempts at each. Needs verl, vllm and agentdyno[train].
cd "$(dirname "$0")" || exit 2
PYTHONPATH="$PWD:$PYTHONPATH" exec python3 -m verl.trainer.main_ppo \\
    --config-path "$PWD" --config-name grpo \\
    hydra.searchpath='[pkg://verl.trainer.config]' "$@"
"""
