"""Format collapse: broken calls, and text in place of calls."""

from agentdyno.findings.patterns.schema_breach import breach
from tests.labelled import from_set
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


def test_a_tool_that_works_exists() -> None:
    works = Turn("", [Call("search", {}, "hit")])
    assert _details("?", Turn("", [Call("search", {}, "Error", "Error")]), works) == []


@from_set("metrics/patterns/format_collapse", "text")
def test_text_in_the_shape_of_a_call(text: str) -> None:
    given = trajectory("?", Turn(text), tools=[PYTHON])
    assert places("format_collapse", given) == [(0, None)]


@from_set("metrics/patterns/format_collapse", "text")
def test_other_text_is_clean(text: str) -> None:
    assert places("format_collapse", trajectory("?", Turn(text), tools=[PYTHON])) == []


@from_set("metrics/patterns/format_collapse", "value", "schema", "expected")
def test_the_small_validator(value: object, schema: object, expected: str | None) -> None:
    assert breach(value, schema) == expected


def test_deep_nesting_does_not_break_the_reading() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    given = trajectory("?", Turn("", [Call("python", deep, "x")]), tools=[PYTHON])
    assert [f.detail for f in found("format_collapse", given)] == [
        "the arguments are not valid JSON"
    ]
