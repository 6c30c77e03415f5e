"""A language model of random weights that fits a test, over a vocabulary of bytes."""

from functools import lru_cache
from typing import Any

TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'assistant' %}"
    "{{ '<model>' + message['content'] + '<end>' }}{% else %}"
    "{{ '<' + message['role'] + '>' + message['content'] }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<model>' }}{% endif %}"
)


@lru_cache(1)
def tiny_model() -> Any:
    """A model of four layers, opened for probing; texts are its bytes, 256 ends a response."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from agentdyno_depth.probes.loading import open_loaded

    torch.set_num_threads(1)  # Threads that wait for each other cost more than such a model.
    torch.manual_seed(5)
    config = LlamaConfig(
        vocab_size=257,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        initializer_range=0.6,
        bos_token_id=None,
        eos_token_id=256,
    )
    return open_loaded("tiny", LlamaForCausalLM(config), tiny_tokenizer())


@lru_cache(1)
def tiny_tokenizer() -> Any:
    """Bytes as tokens, with a chat template."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(BPE({letter: place for place, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")
    fast.chat_template = TEMPLATE
    return fast


@lru_cache(1)
def writing_model() -> Any:
    """The same model with a mouth for letters alone, so that what it writes is text and ends."""
    from copy import deepcopy

    import torch

    from agentdyno_depth.probes.loading import open_loaded

    model = deepcopy(tiny_model().model)
    ids = tiny_tokenizer()("abcdefghijklmnopqrstuvwxyz", add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        kept = 3 * model.lm_head.weight[[*ids, 256]]
        model.lm_head.weight.zero_()
        model.lm_head.weight[[*ids, 256]] = kept
    return open_loaded("tiny", model, tiny_tokenizer())


def save_tiny(folder: Any, opened: Any = None) -> None:
    """A model and its tokenizer as a folder."""
    opened = opened or tiny_model()
    opened.model.save_pretrained(folder)
    opened.tokenizer.save_pretrained(folder)
