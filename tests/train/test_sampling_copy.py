"""A copy for sampling."""

from copy import deepcopy

import peft
import torch

from agentdyno_train.sampling_copy import SamplingCopy
from tests.tiny import tiny_model


def adapted() -> torch.nn.Module:
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "down_proj"])
    return peft.get_peft_model(deepcopy(tiny_model().model), config).eval()


def test_the_copy_says_what_the_model_says_with_its_adapter_and_follows_it() -> None:
    model = adapted()
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
    model = adapted()
    assert SamplingCopy(model).model is model
