"""Many texts are counted at once as each of them is counted alone."""

import pytest

from agentdyno.intake.counting import Counter
from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer

TEXTS = [
    "", "hello world", " lead", "trail ", "   ", "\n\n\t x", "über 漢字 😀", "x" * 3000,
    '{"a": [1, 2]}', "<|endoftext|>", "a<|endofprompt|>b", "<|im_start|>user", "</s>", "<s>",
    "<unk>", "<bos>", "[INST] x [/INST]", "a <tool_call> b", "<think>no</think>",
    "<table><b>bold</b></table>", "half a pair \ud83d of surrogates",
]  # fmt: skip


@pytest.mark.parametrize("name", ["o200k_base", "qwen3", "llama2", "gemma3", "mistral_v3"])
def test_a_batch_counts_as_one_by_one_does(name: str) -> None:
    encode = load_tokenizer(name).encode_ordinary
    alone = [
        len(encode(text.encode("utf-8", "replace").decode())) - len(encode("")) for text in TEXTS
    ]
    counter = Counter(Vocabulary(name, "counted"))
    assert counter.count(TEXTS) == alone
    assert counter.count([*reversed(TEXTS), "hello world"]) == [*reversed(alone), alone[1]]


def test_a_special_token_spelled_out_is_text_and_not_the_token() -> None:
    counter = Counter(Vocabulary("o200k_base", "counted"))
    assert counter.count(["plain", "<|endoftext|>"]) == [1, 7]


def test_the_cache_may_be_emptied_between_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdyno.intake.counting.MAX_CACHED_CHARACTERS", 5)
    counter = Counter(Vocabulary("o200k_base", "counted"))
    first = counter.count(["hello world", "goodbye", "hello world", "goodbye"])[:2]
    assert counter.count(["goodbye", "a longer text", "hello world"])[::2] == first[::-1]


def test_only_what_came_more_than_once_is_held_on_to(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter(Vocabulary("o200k_base", "counted"))
    first = counter.count(["a prompt", "a result", "a prompt"])
    counted: list[str] = []
    monkeypatch.setattr(counter, "_counts", lambda texts: counted.extend(texts) or [2] * len(texts))
    assert counter.count(["a prompt", "a result"]) == first[:2]
    assert counted == ["a result"]
