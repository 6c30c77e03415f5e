"""A step, a pass, a product and a copy for sampling of our own give what the library's give."""

from collections import Counter
from copy import deepcopy
from typing import Any

import peft
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from agentdyno_train.decoding import Decoder
from agentdyno_train.lean_pass import Collator, LeanPass
from agentdyno_train.lean_step import LeanStep
from agentdyno_train.one_product import narrow_frozen, use_one_product
from agentdyno_train.sampling_copy import SamplingCopy
from tests.labelled import from_set
from tests.tiny import tiny_model
from tests.train.saying import say

END = 256
VIEWS = ("view", "reshape", "slice", "transpose", "t.", "unsqueeze", "expand", "select", "split",
         "alias", "detach", "_unsafe_view", "permute", "numpy_T", "chunk", "lift_fresh",
         "to.")  # fmt: skip
"""Operations that start nothing, or nothing where types agree already."""


class Launches(TorchDispatchMode):
    """Counts operations that read or write numbers, as a GPU would have to start them."""

    def __init__(self) -> None:
        super().__init__()
        self.found = Counter[str]()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func).removeprefix("aten.")
        if not name.startswith(VIEWS):
            self.found[name] += 1
        return func(*args, **(kwargs or {}))


def decoder(lean: bool, rows: int = 4) -> Decoder:
    copy = SamplingCopy(deepcopy(tiny_model().model).double(), torch.float64)
    return Decoder(copy.model, [END], rows, 400, copy.step if lean else None)


def logits_of(decoder: Decoder) -> Any:
    return decoder._logits


def test_rows_say_the_same_over_several_turns() -> None:
    found = []
    for lean in (False, True):
        one = decoder(lean)
        one.read(dict(enumerate([[5, 6, 7], [9] * 40, list(range(100, 160)), [1]])))
        said = [say(one, [0, 1, 2, 3], 20)]
        one.read({0: [8, 8], 2: [7] * 20, 3: [3]})
        said.append(say(one, [0, 2, 3], 12))
        found.append((said, logits_of(one)))
    assert found[0][0] == found[1][0]
    # The library's norm is in float32, whatever the model's type.
    torch.testing.assert_close(found[1][1], found[0][1], atol=1e-3, rtol=1e-3)


def test_it_makes_less_than_half_the_launches() -> None:
    counts = []
    for lean in (False, True):
        one = decoder(lean)
        one.read({row: [5, 6, 7] for row in range(4)})
        with torch.inference_mode(), Launches() as mode:
            one._step(torch.tensor([1, 2, 3, 4]), torch.tensor([True] * 4), 4)
        counts.append(mode.found.total())
    assert counts[1] < counts[0] / 2


def test_new_weights_are_seen() -> None:
    model = deepcopy(tiny_model().model).double()
    copy = SamplingCopy(model, torch.float64)
    one = Decoder(copy.model, [END], 1, 100, copy.step)
    one.read({0: [5, 6, 7]})
    before = say(one, [0], 8)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "k_proj" in name or "up_proj" in name:
                weight.mul_(-1)
    copy.refresh()
    one.begin(0)
    one.read({0: [5, 6, 7]})
    after = say(one, [0], 8)
    plain = Decoder(model, [END], 1, 100)
    plain.read({0: [5, 6, 7]})
    assert after == say(plain, [0], 8) != before


def test_a_model_with_biases_goes_the_librarys_way() -> None:
    model = deepcopy(tiny_model().model)
    model.config.attention_bias = True
    assert LeanStep.of(model) is None


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
    assert (wider["input_ids"].shape, wider["places"].tolist()) == ((2, 8), [1, 2, 4, 9])


@from_set("train/lean_step", "options")
def test_adapters_of_other_kinds_are_left_to_the_library(options: dict[str, Any]) -> None:
    assert LeanPass.of(adapted(**options)) is None
    assert LeanPass.of(tiny_model().model) is None


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
    use_one_product(model)
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
    use_one_product(model)
    assert [layer.forward for layer in model.modules()] == before


def test_a_matrix_that_lies_the_other_way_round_is_left_to_the_library() -> None:
    import transformers

    config = transformers.GPT2Config(vocab_size=40, n_embd=8, n_layer=1, n_head=2, n_positions=16)
    adapter = peft.LoraConfig(r=2, target_modules=["c_proj"], fan_in_fan_out=True)
    model = peft.get_peft_model(transformers.GPT2LMHeadModel(config).eval(), adapter)
    ids = torch.tensor([[5, 6, 7]])
    before = model(input_ids=ids).logits
    use_one_product(model)
    torch.testing.assert_close(model(input_ids=ids).logits, before)


def test_what_is_frozen_gets_narrow_and_the_adapter_still_learns() -> None:
    wanted, wanted_grads = learnt(adapted_layer())
    model = adapted_layer()
    use_one_product(model)
    narrow_frozen(model, torch.bfloat16)
    kinds = {p.requires_grad: p.dtype for p in model.parameters()}
    assert kinds == {True: torch.float32, False: torch.bfloat16}
    with torch.autocast("cpu", torch.bfloat16):
        found, grads = learnt(model)
    near = torch.nn.functional.cosine_similarity(found.float().flatten(), wanted.flatten(), dim=0)
    assert near > 0.99
    assert set(grads) == set(wanted_grads)


NARROW = peft.LoraConfig(r=2, target_modules=["q_proj", "down_proj"])


def test_the_copy_says_what_the_model_says_with_its_adapter_and_follows_it() -> None:
    model = peft.get_peft_model(deepcopy(tiny_model().model), NARROW).eval()
    copy = SamplingCopy(model, torch.float32)
    ids = torch.tensor([[5, 6, 7, 8]])
    trained = [p for name, p in model.named_parameters() if "lora_B" in name]
    with torch.no_grad():
        before = copy.model(input_ids=ids).logits
        for parameter in trained:
            parameter.normal_(generator=torch.Generator().manual_seed(1))
        wanted = model(input_ids=ids).logits
        assert torch.equal(copy.model(input_ids=ids).logits, before)
        places = [parameter.data_ptr() for parameter in copy.model.parameters()]
        copy.refresh()
        found = copy.model(input_ids=ids).logits
    assert not torch.allclose(wanted, before, atol=1e-3)
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)
    # A recorded step reads weights where they were.
    assert [parameter.data_ptr() for parameter in copy.model.parameters()] == places


def test_on_a_cpu_the_model_itself_is_used() -> None:
    model = peft.get_peft_model(deepcopy(tiny_model().model), NARROW).eval()
    assert SamplingCopy(model).model is model
