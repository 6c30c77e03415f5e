"""A configuration for a cluster, from the settings of `train`."""

import ast
import json
from pathlib import Path

import msgspec
import polars as pl

from agentdyno.findings.rewards import Weights
from agentdyno_train.options import TrainSettings, read_recipe
from agentdyno_train.training_tasks import TrainingTask
from agentdyno_train.verl import configuration, write_verl


def test_the_configuration_says_what_the_settings_say() -> None:
    found = configuration(read_recipe("paper", {"model": "Qwen/Qwen3-1.7B"}))
    rollout, actor = found["actor_rollout_ref"]["rollout"], found["actor_rollout_ref"]["actor"]
    assert (rollout["n"], actor["optim"]["lr"], actor["kl_loss_coef"]) == (5, 1e-6, 0.001)
    assert found["data"]["train_batch_size"] == 24
    assert found["trainer"]["total_training_steps"] == 125
    assert "lora_rank" not in found["actor_rollout_ref"]["model"]
    assert (
        configuration(TrainSettings("grpo", scaled=False))["algorithm"]["norm_adv_by_std_in_grpo"]
        is False
    )
    lora = configuration(TrainSettings("grpo"))["actor_rollout_ref"]["model"]
    assert lora["lora_rank"] == 16


def test_the_folder_has_lessons_a_loop_that_parses_and_a_command(tmp_path: Path) -> None:
    settings = TrainSettings("grpo", most_steps=3, most_tools=8)
    count = write_verl(settings, Weights(cost=0.05), tmp_path)
    rows = pl.read_parquet(tmp_path / "lessons.parquet")
    assert len(rows) == count > 50
    first = rows.row(0, named=True)
    training_task = msgspec.json.decode(first["extra_info"]["lesson"], type=TrainingTask)
    assert first["prompt"][1]["content"] == training_task.task.prompt
    assert training_task.tools[0] in first["prompt"][0]["content"]
    loop = (tmp_path / "agent_loop.py").read_text()
    names = {node.name for node in ast.walk(ast.parse(loop)) if isinstance(node, ast.ClassDef)}
    assert names == {"PlanningLoop"}
    assert '"cost":0.05' in loop
    assert json.loads((tmp_path / "grpo.yaml").read_text())["algorithm"]["adv_estimator"] == "grpo"
    assert "verl.trainer.main_ppo" in (tmp_path / "run.sh").read_text()
