"""Tools for a model without any in its template: offered in words, read back without repair."""

from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool
from inspect_ai.model import ChatMessageUser as User
from inspect_ai.tool import ToolCall, ToolInfo, ToolParam, ToolParams

from agentdyno_depth.engines.chat import plain_messages
from agentdyno_train.models.tool_prompt import chat_of, read_calls, tools_of
from tests.labelled import from_set

PYTHON = ToolInfo(
    name="python",
    description="Runs a program.",
    parameters=ToolParams(properties={"code": ToolParam(type="string")}, required=["code"]),
)


def test_a_sound_call_is_read() -> None:
    text, calls = read_calls(
        'I compute.\n<tool_call>{"name": "python", "arguments": {"code": "print(1)"}}</tool_call>',
        turn=2,
    )
    assert text == "I compute."
    assert [(c.id, c.tool, c.arguments, c.problem) for c in calls] == [
        ("call_2_0", "python", '{"code": "print(1)"}', None)
    ]


def test_a_list_of_calls_is_several() -> None:
    body = '[{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]'
    _, calls = read_calls(f"<tool_call>{body}</tool_call>", turn=0)
    assert [(c.id, c.tool) for c in calls] == [("call_0_0", "a"), ("call_0_0_1", "b")]


@from_set("train/models/tool_prompt", "body", "tool")
def test_a_malformed_call_is_kept_as_written(body: str, tool: str) -> None:
    _, calls = read_calls(f"<tool_call>{body}</tool_call>", turn=0)
    assert [(c.tool, c.arguments) for c in calls] == [(tool, body)]
    assert calls[0].problem is not None


def test_a_call_without_an_end_is_malformed_too() -> None:
    _, calls = read_calls('so <tool_call>{"name": "python", "argum', turn=0)
    assert calls[0].problem == "This tool call is malformed: it has no end."


def test_text_without_calls_stays_whole() -> None:
    assert read_calls(" 2 < 3 ", turn=0) == ("2 < 3", [])


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
