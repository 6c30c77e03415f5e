"""Format collapse: broken calls, and text in place of calls."""

import pytest

from agentdyno.findings.patterns.schema_breach import breach
from tests.metrics.patterns.trajectories import PYTHON, Call, Turn, found, places, trajectory


def _details(*events: str | Turn) -> list[str]:
    return [f.detail for f in found("format_collapse", trajectory(*events, tools=[PYTHON]))]


def _call(arguments: object, tool: str = "python") -> list[str]:
    return _details("?", Turn("", [Call(tool, arguments, "Error: no", "Error: no")]))


def test_arguments_that_do_not_parse() -> None:
    assert _call('{"code": "print(1)"') == ["the arguments are not valid JSON"]


def test_breaches_of_the_schema() -> None:
    assert _call({"script": "x"}) == ["`code` is missing"]
    assert _call({"code": 3}) == ["`code` should be string and is number"]
    assert _call({"code": "x", "lang": "py"}) == ["`lang` is not a property of the schema"]
    assert _call({"code": "x", "seconds": "5"}) == ["`seconds` should be integer and is string"]


def test_a_call_that_keeps_to_its_schema_is_clean_even_when_it_fails() -> None:
    assert _call({"code": "x", "seconds": 5.0}) == []
    assert _call({"code": "x", "seconds": None}) == []


def test_a_tool_that_was_never_offered() -> None:
    assert _call({}, tool="search") == ["no such tool was offered"]


def test_nobody_knows_which_tools_exist_without_schemas() -> None:
    given = trajectory("?", Turn("", [Call("search", {}, "Error", "Error")]))
    assert places("format_collapse", given) == []


def test_a_tool_that_works_exists() -> None:
    works = Turn("", [Call("search", {}, "hit")])
    assert _details("?", Turn("", [Call("search", {}, "Error", "Error")]), works) == []


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "python", "arguments": {"code": "1"}}\n</tool_call>',
        "I will run it. <function=python>{}</function>",
        '{"name": "python", "arguments": {"code": "1"}}',
        '```json\n{"name": "python", "parameters": {"code": "1"}}\n```',
        "Let me compute it.\n```python\nprint(1)\n```",
    ],
)
def test_text_in_the_shape_of_a_call(text: str) -> None:
    given = trajectory("?", Turn(text), tools=[PYTHON])
    assert places("format_collapse", given) == [(0, None)]


@pytest.mark.parametrize(
    "text",
    [
        "The result is 3.",
        'A person object looks like this: {"name": "Ada", "arguments": 3}',
        '{"name": "unknown_thing", "arguments": {}}',
        "Use this:\n```python\nprint(1)\n```\nIt prints one and is a good start for your project.",
        "<b>bold</b> and a <tool_call> tag in prose",
    ],
)
def test_other_text_is_clean(text: str) -> None:
    assert places("format_collapse", trajectory("?", Turn(text), tools=[PYTHON])) == []


def test_text_beside_a_real_call_is_a_record_of_it() -> None:
    text = '<tool_call>{"name": "python", "arguments": {"code": "1"}}</tool_call>'
    given = trajectory("?", Turn(text, [Call("python", {"code": "1"}, "1")]), tools=[PYTHON])
    assert places("format_collapse", given) == []


def test_a_protocol_of_text_alone_is_not_judged() -> None:
    text = '<tool_call>{"name": "python", "arguments": {}}</tool_call>'
    assert places("format_collapse", trajectory("?", Turn(text))) == []


def test_reasoning_about_calls_is_not_a_call() -> None:
    given = trajectory("?", Turn("", [], '<tool_call>{"name": "python"}'), tools=[PYTHON])
    assert places("format_collapse", given) == []


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "integer"}}}},
         "`a[1]` should be integer and is string"),
        ({"a": "z"}, {"properties": {"a": {"enum": ["x", "y"]}}},
         "`a` is none of the values that the schema lists"),
        ({"a": True}, {"properties": {"a": {"type": "integer"}}},
         "`a` should be integer and is boolean"),
        ({"a": None}, {"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}, None),
        ({"a": 1}, {"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "number"}]}}}, None),
        ({"a": {"b": 1}}, {"properties": {"a": {"$ref": "#/x"}}}, None),
        ({"a": 1}, {"properties": {"a": {"type": "quantity"}}}, None),
        (3, True, None),
    ],
)  # fmt: skip
def test_the_small_validator(value: object, schema: object, expected: str | None) -> None:
    assert breach(value, schema) == expected


def test_deep_nesting_does_not_break_the_reading() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    given = trajectory("?", Turn("", [Call("python", deep, "x")]), tools=[PYTHON])
    assert [f.detail for f in found("format_collapse", given)] == [
        "the arguments are not valid JSON"
    ]
