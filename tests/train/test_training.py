"""Warm-up and reinforcement on a tiny model, through the whole path."""

import json
import math
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

from agentdyno.records import InputError
from agentdyno_bench.shared.rewards import Parts, Weights
from agentdyno_train.loading import load_base, load_trainable
from agentdyno_train.options import TrainSettings, read_recipe
from agentdyno_train.plans import conversation
from agentdyno_train.rewards import Meter, Rewarded
from agentdyno_train.runs import train
from agentdyno_train.sampled_attempts import RolloutWorker
from agentdyno_train.sft import UNLEARNT, example
from agentdyno_train.training_tasks import conversations, make_training_tasks
from tests.tiny import save_tiny, tiny_tokenizer, writing_model

SMALL: dict[str, Any] = {
    "rank": 2, "steps": 2, "batch": 4, "group": 2, "window": 1800, "most_tools": 2, "most_steps": 2,
    "turns": 2, "turn_tokens": 40, "save_every": 1, "learning_rate": 0.01, "temperature": 5.0,
    "seed": 0,  # With it attempts at one task differ, which reinforcement lives on.
}  # fmt: skip

SHORT = SMALL | {"batch": 2}
"""Bytes are many tokens, and attention over all of them takes its time."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tiny")
    save_tiny(folder, writing_model())
    return str(folder)


def weights_of(folder: str) -> dict[str, Any]:
    from safetensors.torch import load_file

    return load_file(f"{folder}/adapter_model.safetensors")


def by_length(scored: Any, *_: Any) -> Rewarded:
    """A reward that a random model can get: short first turns."""
    generated = sum(turn.generated for turn in scored.attempt.tokens)
    return Rewarded(1 / (1 + generated), Parts(0.0), None)


@pytest.fixture(scope="module")
def reinforced(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[int], Path]:
    """Two steps of reinforcement: what came of them, the steps that were reported, and where."""
    folder, seen = tmp_path_factory.mktemp("reinforced"), list[int]()
    settings = TrainSettings("grpo", model=tiny, **SHORT)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="ignore"):
        patch.setattr("agentdyno_train.sampled_attempts.compute_reward", by_length)
        done = train(settings, Weights(), folder, progress=lambda step, _: seen.append(step))
    return done, seen, folder


def test_two_steps_of_reinforcement_move_the_adapter_and_are_recorded(
    reinforced: tuple[Any, list[int], Path],
) -> None:
    done, seen, folder = reinforced
    assert (done.steps, done.resumed_at) == (2, 0)
    assert {1, 2} <= set(seen)
    lines = [json.loads(x) for x in (folder / "metrics.jsonl").read_text().splitlines()]
    steps = [line for line in lines if "world/signal" in line]
    assert [line["step"] for line in steps] == [1, 2]
    assert all(0 <= line["reward"] <= 1 for line in steps)
    assert any(line["world/signal"] > 0 for line in steps)
    recipe = json.loads(Path(done.recipe).read_text())
    assert (recipe["settings"]["stage"], recipe["steps"]) == ("grpo", 2)
    moved = [
        name for name, value in weights_of(done.folder).items() if "lora_B" in name and value.any()
    ]
    assert moved  # They begin as zeros.


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_step_whose_gradient_is_not_finite_is_left_out(
    tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import trl

    compute = trl.GRPOTrainer.compute_loss

    def broken_once(self: Any, *given: Any, **more: Any) -> Any:
        assert not torch.backends.cuda.cudnn_sdp_enabled()  # A cause of such gradients.
        loss = compute(self, *given, **more)
        return loss * math.nan if self.state.global_step == 1 else loss

    monkeypatch.setattr(trl.GRPOTrainer, "compute_loss", broken_once)
    monkeypatch.setattr("agentdyno_train.sampled_attempts.compute_reward", by_length)
    settings = TrainSettings("grpo", model=tiny, **SHORT | {"steps": 3})
    done = train(settings, Weights(), tmp_path / "a")
    lines = [json.loads(x) for x in (tmp_path / "a/metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if line.get("left_out")] == [2]
    values = weights_of(done.folder).values()
    assert all(value.isfinite().all() for value in values)
    assert any(value.any() for value in values)


class AskedFor(Exception):
    """What the trainer was asked for."""


@pytest.mark.parametrize(("scaled", "wanted"), [(True, "group"), (False, "none")])
def test_rewards_are_divided_by_their_spread_only_where_asked_for(
    tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: bool, wanted: str
) -> None:
    import trl

    def trainer(args: Any, **_: Any) -> None:
        raise AskedFor(args.scale_rewards)

    monkeypatch.setattr(trl, "GRPOTrainer", trainer)
    with pytest.raises(AskedFor, match=wanted):
        train(TrainSettings("grpo", model=tiny, scaled=scaled, **SMALL), Weights(), tmp_path / "a")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_reinforcement_that_was_killed_goes_on_and_ends_where_it_would_have(
    tiny: str,
    reinforced: tuple[Any, list[int], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agentdyno_train.sampled_attempts.compute_reward", by_length)
    settings = TrainSettings("grpo", model=tiny, **SHORT)
    whole, *_ = reinforced

    def killed(step: int, numbers: dict[str, float]) -> None:
        if step == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(settings, Weights(), tmp_path / "killed", progress=killed)
    assert not (tmp_path / "killed/adapter").exists()
    done = train(settings, Weights(), tmp_path / "killed")
    assert done.resumed_at == 1
    wanted, found = weights_of(whole.folder), weights_of(done.folder)
    assert wanted.keys() == found.keys()
    assert all(torch.equal(wanted[name], found[name]) for name in wanted)
    assert any(value.any() for name, value in found.items() if "lora_B" in name)  # It learnt.
    steps = [
        json.loads(x)["step"] for x in (tmp_path / "killed/metrics.jsonl").read_text().splitlines()
    ]
    assert steps == sorted(steps)
    with pytest.raises(InputError, match="other settings"):
        train(TrainSettings("grpo", model=tiny, **SMALL), Weights(), tmp_path / "killed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_warm_up_lowers_its_loss_and_reinforcement_goes_on_from_it(
    tiny: str, tmp_path: Path
) -> None:
    small = SHORT | {"steps": 6, "save_every": 6, "learning_rate": 0.05}
    settings = TrainSettings("sft", model=tiny, **small)
    done = train(settings, Weights(), tmp_path / "sft")
    losses = [
        json.loads(x).get("loss") for x in (tmp_path / "sft/metrics.jsonl").read_text().splitlines()
    ]
    known = [loss for loss in losses if loss is not None]
    assert known[-1] < 0.8 * known[0]
    model, _ = load_trainable(TrainSettings("grpo", model=tiny, start=done.folder, **SMALL))
    begins = {name: value for name, value in model.named_parameters() if "lora_B" in name}
    assert any(value.abs().sum() > 0 for value in begins.values())
    assert all(value.requires_grad for value in begins.values())


@pytest.mark.filterwarnings("ignore")
def test_all_weights_can_be_trained_but_embeddings_stay(tiny: str, tmp_path: Path) -> None:
    settings = TrainSettings("sft", model=tiny, tune="full", **SHORT)
    done = train(settings, Weights(), tmp_path / "full")
    before, _ = load_base(tiny)
    after, _ = load_base(done.folder)
    old, new = before.state_dict(), after.state_dict()
    name = "model.layers.0.self_attn.q_proj.weight"
    assert not torch.allclose(old[name], new[name].float(), atol=1e-3)
    embedded = "model.embed_tokens.weight"
    assert torch.allclose(old[embedded], new[embedded].float(), atol=0.02)  # Saved in bfloat16.


def test_only_what_the_assistant_says_is_learnt() -> None:
    tokenizer = tiny_tokenizer()
    training_tasks = make_training_tasks(TrainSettings("sft", **SMALL))[:6]
    for talk in conversations(training_tasks, TrainSettings("sft", slips=0.5)):
        found = example(talk, tokenizer)
        learnt = [label for label in found["labels"] if label != UNLEARNT]
        said = "".join(talk.messages[place].text for place in talk.learnt)
        assert tokenizer.decode(learnt, skip_special_tokens=True) == said
        assert learnt.count(256) == len(talk.learnt)  # And every end.
        same = [a == b for a, b in zip(found["input_ids"], found["labels"], strict=True) if b >= 0]
        assert all(same)


def test_what_is_played_is_what_was_sampled(tiny: str) -> None:
    settings = TrainSettings("grpo", model=tiny, **SMALL)
    model, tokenizer = load_trainable(settings)
    player = RolloutWorker(model, tokenizer, settings, Weights(), Meter())
    training_tasks = [
        training_task
        for training_task in make_training_tasks(settings)
        if player.fits(training_task)
    ][:3]
    for one in player.sample(training_tasks, 1):
        assert len(one.own) == len(one.completion)
        generated = sum(turn.generated for turn in one.scored.attempt.tokens or [])
        assert sum(one.own) == generated
        assert one.reward_result.reward == 0
        assert player.reference(one.training_task) > 0
    first = [one.completion for one in player.sample(training_tasks, 5)]
    assert first == [one.completion for one in player.sample(training_tasks, 5)]
    assert first != [one.completion for one in player.sample(training_tasks, 6)]


def test_a_reference_plan_played_by_tokens_is_solved(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TrainSettings(
        "grpo", model=tiny, **SMALL | {"turns": 9, "turn_tokens": 900, "window": 9000}
    )
    model, tokenizer = load_trainable(settings)
    training_task = make_training_tasks(settings)[0]
    plan = conversation(training_task.task, training_task.tools, training_task.world_seed)
    said = iter([plan.messages[place].text for place in plan.learnt])

    def perfect(model: Any, rows: Any, *_: Any) -> None:
        for token in [*tokenizer(next(said), add_special_tokens=False)["input_ids"], 256]:
            rows[0].take(token)

    monkeypatch.setattr("agentdyno_train.sampled_attempts.continue_rows", perfect)
    player = RolloutWorker(model, tokenizer, settings, Weights(), Meter())
    (one,) = player.sample([training_task], 1)
    assert one.scored.marks.solved
    assert one.reward_result.parts.cost == 1
    assert one.reward_result.reward > 0.85
    whole = tokenizer.decode([*one.prompt, *one.completion], skip_special_tokens=True)
    for message in plan.messages[1:]:
        assert message.text in whole


def test_rows_that_are_filled_up_are_learnt_from_as_if_alone(tiny: str, tmp_path: Path) -> None:
    """Without a mask, tokens behind a row's end would count if any of its tokens looked there."""
    from agentdyno_train.sft import train_sft

    rows = [{"input_ids": list(range(5, 5 + n)), "labels": list(range(5, 5 + n))} for n in (9, 30)]
    changed = {"model": tiny, "rank": 2, "steps": 1, "window": 64, "save_every": 9}
    losses = []
    for name, chosen in (("both", rows), ("short", rows[:1]), ("long", rows[1:])):
        numbers: list[dict[str, float]] = []
        settings = read_recipe("sft", changed | {"batch": len(chosen)})
        train_sft(settings, [], tmp_path / name, lambda _, x, n=numbers: n.append(x), None, chosen)
        losses.append(numbers[0]["loss"])
    both, short, long = losses
    assert both == pytest.approx((8 * short + 29 * long) / 37, abs=1e-4)
    assert abs(short - long) > 1e-3
