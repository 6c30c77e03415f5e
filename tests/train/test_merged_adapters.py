"""One product of matrices gives what the library's adapters give."""

from copy import deepcopy
from typing import Any

import peft
import pytest
import torch

from agentdyno_train.merged_adapters import narrow_frozen, use_merged_adapters
from tests.tiny import tiny_model

IDS = torch.tensor([[5, 6, 7, 8, 9], [9, 8, 7, 6, 5]])


def adapted_layer(**options: Any) -> torch.nn.Module:
    config = peft.LoraConfig(r=2, lora_alpha=6, target_modules=["q_proj", "down_proj"], **options)
    model = peft.get_peft_model(deepcopy(tiny_model().model), config)
    chance = torch.Generator().manual_seed(1)
    for name, parameter in model.named_parameters():
        if "lora_" in name:
            parameter.data.normal_(generator=chance)
    return model


def learnt(model: torch.nn.Module) -> tuple[Any, dict[str, Any]]:
    model(input_ids=IDS).logits.square().mean().backward()
    grads = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
    return model(input_ids=IDS).logits.detach(), grads


def test_outputs_and_gradients_are_those_of_the_library() -> None:
    wanted, wanted_grads = learnt(adapted_layer())
    model = adapted_layer()
    use_merged_adapters(model)
    assert not torch.allclose(wanted, tiny_model().model(input_ids=IDS).logits, atol=1e-3)
    found, grads = learnt(model)
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)
    assert set(grads) == set(wanted_grads)
    for name, grad in grads.items():
        torch.testing.assert_close(grad, wanted_grads[name], atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize("options", [{"lora_dropout": 0.5}, {"use_dora": True}])
def test_layers_with_adapters_of_other_kinds_are_left_to_the_library(
    options: dict[str, Any],
) -> None:
    model = adapted_layer(**options)
    before = [layer.forward for layer in model.modules()]
    use_merged_adapters(model)
    assert [layer.forward for layer in model.modules()] == before


def test_a_matrix_that_lies_the_other_way_round_is_left_to_the_library() -> None:
    import transformers

    config = transformers.GPT2Config(vocab_size=40, n_embd=8, n_layer=1, n_head=2, n_positions=16)
    adapter = peft.LoraConfig(r=2, target_modules=["c_proj"], fan_in_fan_out=True)
    model = peft.get_peft_model(transformers.GPT2LMHeadModel(config).eval(), adapter)
    ids = torch.tensor([[5, 6, 7]])
    before = model(input_ids=ids).logits
    use_merged_adapters(model)
    torch.testing.assert_close(model(input_ids=ids).logits, before)


def test_what_is_frozen_gets_narrow_and_the_adapter_still_learns() -> None:
    wanted, wanted_grads = learnt(adapted_layer())
    model = adapted_layer()
    use_merged_adapters(model)
    narrow_frozen(model, torch.bfloat16)
    kinds = {p.requires_grad: p.dtype for p in model.parameters()}
    assert kinds == {True: torch.float32, False: torch.bfloat16}
    with torch.autocast("cpu", torch.bfloat16):
        found, grads = learnt(model)
    near = torch.nn.functional.cosine_similarity(found.float().flatten(), wanted.flatten(), dim=0)
    assert near > 0.99
    assert set(grads) == set(wanted_grads)
