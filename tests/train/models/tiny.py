"""A tiny model with random weights, and what it says when it is asked alone."""

from typing import Any

WORDS = 97
END = 2


class Letters:
    """A tokenizer of one letter a token."""

    def decode(self, tokens: list[int], skip_special_tokens: bool) -> str:
        return "".join(chr(ord("a") + t % 26) for t in tokens if t != END)


def tiny() -> Any:
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=WORDS,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        eos_token_id=END,
        pad_token_id=END,
    )
    return transformers.LlamaForCausalLM(config).double().eval()


def alone(model: Any, prompt: list[int], tokens: int) -> list[int]:
    import torch

    with torch.inference_mode():
        ids = torch.tensor([prompt])
        out = model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=tokens,
            do_sample=False,
        )
    return out[0, len(prompt) :].tolist()
