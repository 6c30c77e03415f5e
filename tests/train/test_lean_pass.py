"""A pass of our own learns what the library's learns."""

from copy import deepcopy
from typing import Any

import peft
import pytest
import torch

from agentdyno_train.lean_pass import Collator, LeanPass
from tests.labelled import from_set
from tests.tiny import tiny_model

ROWS = [
    {"input_ids": [5, 6, 7, 8, 9, 10], "labels": [-100, -100, 7, 8, -100, 10]},
    {"input_ids": [11, 12, 13], "labels": [11, -100, 13]},
]
NUMBERS = [{"row": 0}, {"row": 1}]
EVERY = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def adapted(**options: Any) -> Any:
    config = peft.LoraConfig(r=2, lora_alpha=6, target_modules=EVERY, **options)
    model = peft.get_peft_model(deepcopy(tiny_model().model), config)
    chance = torch.Generator().manual_seed(1)
    for name, parameter in model.named_parameters():
        if "lora_" in name:
            parameter.data = 0.1 * torch.randn(parameter.shape, generator=chance)
    return model


def grads(model: Any) -> dict[str, Any]:
    return {name: p.grad for name, p in model.named_parameters() if p.grad is not None}


def test_loss_and_gradients_are_those_of_the_library() -> None:
    batch, wanted, mine = Collator(0, ROWS, 1)(NUMBERS), adapted(), adapted()
    mask = (torch.arange(6)[None] < torch.tensor([[6], [3]])).long()
    loss = wanted(
        input_ids=batch["input_ids"], attention_mask=mask, labels=batch["labels"]
    ).loss  # fmt: skip
    loss.backward()
    lean = LeanPass.of(mine)
    found = lean.loss(batch)
    found.backward()
    torch.testing.assert_close(found, loss, atol=1e-5, rtol=1e-5)
    assert set(grads(mine)) == set(grads(wanted))
    for name, grad in grads(mine).items():
        torch.testing.assert_close(grad, grads(wanted)[name], atol=1e-5, rtol=1e-3)
    torch.testing.assert_close(lean.loss(batch, 8), found * 4 / 8)


def test_what_was_learnt_is_used_by_the_next_step() -> None:
    mine, batch = adapted(), Collator(0, ROWS, 1)(NUMBERS)
    lean = LeanPass.of(mine)
    before = lean.loss(batch).item()
    for name, parameter in mine.named_parameters():
        if "lora_B" in name:
            parameter.data.zero_()
    with mine.disable_adapter():
        bare = mine(input_ids=batch["input_ids"][:1], labels=batch["labels"][:1]).loss
    alone = lean.loss(Collator(0, ROWS, 1)(NUMBERS[:1]))
    assert before != pytest.approx(lean.loss(batch).item(), abs=1e-6)
    torch.testing.assert_close(alone, bare, atol=1e-5, rtol=1e-5)


def test_what_is_learnt_is_predicted_from_the_place_before_it() -> None:
    batch = Collator(0, ROWS, 1)(NUMBERS)
    assert batch["input_ids"].tolist()[1] == [11, 12, 13, 0, 0, 0]
    assert batch["places"].tolist() == [1, 2, 4, 7], "a first token has nothing before it"
    assert batch["targets"].tolist() == [7, 8, 10, 13]
    wider = Collator(0, ROWS, 4)(NUMBERS)
    assert wider["input_ids"].shape == (2, 8)
    assert wider["places"].tolist() == [1, 2, 4, 9]


@from_set("train/lean_pass", "options")
def test_adapters_of_other_kinds_are_left_to_the_library(options: dict[str, Any]) -> None:
    assert LeanPass.of(adapted(**options)) is None
    assert LeanPass.of(tiny_model().model) is None
