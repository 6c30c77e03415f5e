"""OpenTelemetry GenAI spans: what becomes a trajectory, a turn, a call, and from which name."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.intake.formats.otel_genai import FORMAT
from agentdyno.intake.spans.usage import usage_fields
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import items_of, read_good
from tests.intake.mutations import assert_survives
from tests.labelled import from_set

DATA = Path(__file__).parents[2] / "data" / "otel_genai"
START = 1_760_000_000
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
TOOL = {"gen_ai.operation.name": "execute_tool"}


items = partial(items_of, "otel_genai")
trajectories = partial(read_good, "otel_genai")


def span(
    span_id: str, parent: str | None, at: float, to: float, attributes: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """A span with plain attributes; the reader takes them typed, as a list or as an object."""
    return {
        "traceId": more.pop("trace", "t1"),
        "spanId": span_id,
        "parentSpanId": parent,
        "name": more.pop("name", span_id),
        "startTimeUnixNano": str(int((START + at) * 10**9)),
        "endTimeUnixNano": str(int((START + to) * 10**9)),
        "attributes": attributes,
        **more,
    }


def used(into: int, out: int) -> dict[str, Any]:
    return CHAT | {"gen_ai.usage.input_tokens": into, "gen_ai.usage.output_tokens": out}


def exported(folder: Path, *spans: dict[str, Any]) -> Path:
    path = folder / "spans.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}))
    return path


@from_set("intake/formats/otel_genai", "into", "out")
def test_input_and_output_are_read_under_every_name(into: str, out: str) -> None:
    fields = usage_fields([{into: 30, out: "4"}])
    assert (fields["prefill"].tokens, fields["decode"].tokens) == (30, 4)


@from_set("intake/formats/otel_genai", "name")
def test_cached_tokens_are_inside_the_input(name: str) -> None:
    fields = usage_fields([{"gen_ai.usage.input_tokens": 30, name: 20}])
    assert (fields["prefill"].tokens, fields["cached_tokens"]) == (30, 20)


@from_set("intake/formats/otel_genai", "counts", "field", "tokens")
def test_what_stands_outside_of_a_count_is_added_where_the_numbers_say_so(
    counts: dict[str, int], field: str, tokens: int
) -> None:
    assert usage_fields([counts])[field].tokens == tokens


def test_zero_usage_means_that_nobody_counted() -> None:
    assert usage_fields([{"gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": 0}]) == {}


def test_ids_are_unique_and_stable() -> None:
    paths = sorted(DATA.glob("*.json*"))
    first = [t.trajectory_id for path in paths for t in items(path) if isinstance(t, Trajectory)]
    again = [t.trajectory_id for path in paths for t in items(path) if isinstance(t, Trajectory)]
    assert first == again
    assert len(set(first)) == len(first) == 15


@settings(max_examples=60)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
        max_leaves=8,
    ),
    key=st.sampled_from([
        "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.definitions",
        "gen_ai.usage.input_tokens", "events", "gen_ai.prompt.0.tool_calls.0",
        "llm.tools.0", "gcp.vertex.agent.llm_request", "gen_ai.response.finish_reasons",
        "gen_ai.tool.call.result", "gen_ai.operation.name", "ai.prompt.tools",
    ]),
)  # fmt: skip
def test_any_value_under_any_name_is_survived(
    value: object, key: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    chat = span("a", None, 0, 1, used(5, 2) | {key: value})
    tool = span("b", None, 1, 2, TOOL | {key: json.dumps(value)})
    assert_survives(FORMAT, exported(folder, chat, tool))


def test_real_usage_is_the_leafs(real_traces: Path) -> None:
    [found] = trajectories(real_traces / "otel_genai" / "jaeger" / "helm_3.json")
    assert [turn.prefill.tokens for turn in found.turns] == [1909, 2138]
    assert [turn.decode.tokens for turn in found.turns] == [32, 771]
    assert [turn.cached_tokens for turn in found.turns] == [0, 1792]
    assert [turn.reasoning_tokens for turn in found.turns] == [0, 256]
