"""A step of our own gives what the library's gives."""

from collections import Counter
from copy import deepcopy
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from agentdyno_train.decoding import Decoder
from agentdyno_train.lean_step import LeanStep
from agentdyno_train.sampling_copy import SamplingCopy
from tests.tiny import tiny_model

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
        one.begin([[5, 6, 7], [9] * 40, list(range(100, 160)), [1]])
        said = [one.decode([True] * 4, 20)]
        one.feed([[8, 8], [], [7] * 20, [3]])
        said.append(one.decode([True, False, True, True], 12))
        found.append((said, logits_of(one)))
    assert found[0][0] == found[1][0]
    # The library's norm is in float32, whatever the model's type.
    torch.testing.assert_close(found[1][1], found[0][1], atol=1e-3, rtol=1e-3)


def test_it_makes_less_than_half_the_launches() -> None:
    counts = []
    for lean in (False, True):
        one = decoder(lean)
        one.begin([[5, 6, 7]] * 4)
        with torch.inference_mode(), Launches() as mode:
            one._step(torch.tensor([1, 2, 3, 4]), torch.tensor([True] * 4))
        counts.append(mode.found.total())
    assert counts[1] < counts[0] / 2


def test_new_weights_are_seen() -> None:
    model = deepcopy(tiny_model().model).double()
    copy = SamplingCopy(model, torch.float64)
    one = Decoder(copy.model, [END], 1, 100, copy.step)
    one.begin([[5, 6, 7]])
    before = one.decode([True], 8)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "k_proj" in name or "up_proj" in name:
                weight.mul_(-1)
    copy.refresh()
    one.begin([[5, 6, 7]])
    after = one.decode([True], 8)
    plain = Decoder(model, [END], 1, 100)
    plain.begin([[5, 6, 7]])
    assert after == plain.decode([True], 8) != before


def test_a_model_with_biases_goes_the_librarys_way() -> None:
    model = deepcopy(tiny_model().model)
    model.config.attention_bias = True
    assert LeanStep.of(model) is None
