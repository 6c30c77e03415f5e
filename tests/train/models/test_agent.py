"""The embedded agent: its prompt with tools, and what its weights are."""

import asyncio
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
)
from inspect_ai.model import ChatMessageUser as User
from inspect_ai.tool import ToolCall, ToolInfo, ToolParam, ToolParams

from agentdyno.records import InputError
from agentdyno_bench.shared.models.metered import open_model
from agentdyno_bench.shared.running.options import ModelSpec
from agentdyno_bench.tps.tasks.dataset import task_by_id
from agentdyno_depth.engines.adapters import merge_adapter
from agentdyno_depth.engines.chat import plain_messages
from agentdyno_depth.engines.dialect import read_turn
from agentdyno_train.environment import Environment
from agentdyno_train.models import agent
from agentdyno_train.models.agent import agent_chat, choose_weights, read_agent
from agentdyno_train.models.tool_prompt import chat_of, read_calls, tools_of
from tests.labelled import from_set
from tests.rows import differences
from tests.tiny import save_tiny, tiny_model, writing_model

TOOL = ToolInfo(
    name="mail_find_contact",
    description="Address of a person.",
    parameters=ToolParams(properties={"name": ToolParam(type="string")}, required=["name"]),
)
TALK = [
    ChatMessageSystem(content="You help."),
    ChatMessageUser(content="Where does Noor live, and Tomas?"),
    ChatMessageAssistant(
        content="",
        tool_calls=[
            ToolCall(id="1", function="mail_find_contact", arguments={"name": "Noor"}),
            ToolCall(id="2", function="mail_find_contact", arguments={"name": "Tomas"}),
        ],
    ),
    ChatMessageTool(content="one", tool_call_id="1"),
    ChatMessageTool(content="two", tool_call_id="2"),
]


def test_a_missing_adapter_is_an_error_that_names_train(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "PACKAGED", Path("nowhere"))
    with pytest.raises(InputError, match="agentdyno train --stage sft"):
        open_model("agentdyno/smollm2-agent")
    with pytest.raises(InputError, match="folder of weights"):
        choose_weights("nowhere", None)
    with pytest.raises(InputError, match="adapter_config"):
        choose_weights(None, str(Path(__file__).parent))


def test_the_agent_reads_signatures_and_all_results_of_a_turn_together() -> None:
    found = agent_chat(chat_of(TALK), tools_of([TOOL]))
    assert [message.role for message in found] == ["system", "user", "assistant", "user"]
    assert "mail_find_contact(name: str) - Address of a person." in found[0].text
    got = [call[1] for call in read_turn(found[2].text).calls]
    assert got == [{"name": "Noor"}, {"name": "Tomas"}]
    assert found[3].text == "<tool_response>\none\ntwo\n</tool_response>"


def test_the_provider_asks_as_training_does() -> None:
    from agentdyno_train.environment import chat_tools, submit_tool

    task = task_by_id("easy-001")
    environment = Environment(task, tools=["mail_find_contact", "notes_add_task"])
    wanted = environment.reset()
    system, _, _ = wanted[0].text.partition("\n\nTools, one a line")
    messages = [ChatMessageSystem(content=system), ChatMessageUser(content=wanted[1].text)]
    offered = [*chat_tools(environment.tools), submit_tool(task)]
    assert agent_chat(chat_of(messages), offered) == wanted


def test_calls_are_read_and_malformed_ones_are_kept_with_their_reason() -> None:
    text, calls, _ = read_agent('{"name": "a_b", "arguments": {"x": 1}}\n{"name": ', 3)
    assert text == ""
    assert [call.tool for call in calls] == ["a_b", ""]
    assert calls[0].arguments == '{"x": 1}'
    assert "malformed" in (calls[1].problem or "")
    assert read_agent("It is 12.\nThat is all.", 0) == ("It is 12.\nThat is all.", [], "")
    weighed = "<think>\nleast of: 9, 7 b\n</think>\nIt is 7."
    assert read_agent(weighed, 0) == ("It is 7.", [], "least of: 9, 7 b")


def test_any_local_model_answers_in_the_agents_place(tmp_path: Path) -> None:
    save_tiny(tmp_path, writing_model())
    spec = ModelSpec("agentdyno/smollm2-agent", arguments={"weights": str(tmp_path)})
    model = open_model(spec)
    output = asyncio.run(
        model.generate(TALK, [TOOL], config=GenerateConfig(max_tokens=12))  # type: ignore[arg-type]
    )
    assert output.completion
    assert 0 < output.usage.output_tokens <= 12


def test_an_adapter_is_merged_as_its_own_library_merges_it(tmp_path: Path) -> None:
    import peft

    base = tiny_model().model
    torch.manual_seed(3)
    config = peft.LoraConfig(r=3, lora_alpha=7, target_modules=["q_proj", "down_proj"])
    adapted = peft.get_peft_model(deepcopy(base), config)
    for name, value in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(value)
    adapted.save_pretrained(tmp_path)
    mine = deepcopy(base)
    assert merge_adapter(mine, tmp_path) == 8  # Two matrices of four layers.
    wanted = adapted.merge_and_unload().state_dict()
    for name, value in mine.state_dict().items():
        assert torch.allclose(value, wanted[name], atol=1e-5), name
    other = deepcopy(base)
    other.model.layers = other.model.layers[:2]
    with pytest.raises(InputError, match="adapter of this model"):
        merge_adapter(other, tmp_path)
    (tmp_path / "adapter_config.json").write_text('{"peft_type": "IA3", "r": 1, "lora_alpha": 1}')
    with pytest.raises(InputError, match="plain LoRA"):
        merge_adapter(mine, tmp_path)


PYTHON = ToolInfo(
    name="python",
    description="Runs a program.",
    parameters=ToolParams(properties={"code": ToolParam(type="string")}, required=["code"]),
)


@from_set("train/models/agent", "text", "turn", "expected")
def test_calls_are_read_out_of_a_text(text: str, turn: int, expected: dict[str, Any]) -> None:
    assert differences(read_calls(text, turn=turn), expected) == {}


@from_set("train/models/agent", "body", "tool")
def test_a_malformed_call_is_kept_as_written(body: str, tool: str) -> None:
    _, calls = read_calls(f"<tool_call>{body}</tool_call>", turn=0)
    assert [(c.tool, c.arguments) for c in calls] == [(tool, body)]
    assert calls[0].problem is not None


def test_the_offer_joins_the_system_message() -> None:
    plain = plain_messages(
        chat_of([ChatMessageSystem(content="Be brief."), User(content="1+1?")]), tools_of([PYTHON])
    )
    assert [m["role"] for m in plain] == ["system", "user"]
    assert plain[0]["content"].startswith("Be brief.\n\n")
    assert '"name": "python"' in plain[0]["content"]


def test_without_tools_messages_are_as_they_were() -> None:
    assert plain_messages(chat_of([User(content="1+1?")]), []) == [
        {"role": "user", "content": "1+1?"}
    ]


def test_history_repeats_what_the_model_wrote() -> None:
    call = ToolCall(id="c", function="python", arguments={"code": "1"})
    written = '<tool_call>{"name":"python","arguments":{"code":"1"}}</tool_call>'
    said = ChatMessageAssistant(content="", tool_calls=[call], metadata={"written": written})
    result = ChatMessageTool(content="1", tool_call_id="c", function="python")
    plain = plain_messages(chat_of([said, result]), [])
    assert plain == [
        {"role": "assistant", "content": written},
        {"role": "user", "content": "<tool_response>1</tool_response>"},
    ]
