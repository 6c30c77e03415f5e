"""A language model of random weights that fits a test, over a vocabulary of bytes."""

from functools import lru_cache
from typing import Any

TEMPLATE = (
    "{% for message in messages %}{{ '<' + message['role'] + '>' + message['content'] }}"
    "{% endfor %}{{ '<model>' }}"
)


@lru_cache(1)
def tiny_model() -> Any:
    """A model of four layers, opened for probing; texts are its bytes, 256 ends a response."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from agentdyno.probes.loading import opened

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
    return opened("tiny", LlamaForCausalLM(config), tiny_tokenizer())


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


def save_tiny(folder: Any) -> None:
    """The same model and tokenizer as a folder."""
    opened = tiny_model()
    opened.model.save_pretrained(folder)
    opened.tokenizer.save_pretrained(folder)
