"""The depth pipeline over a tiny random model, and again without any model."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from agentdyno.records import InputError, Part, ToolCall, Trajectory, Turn
from agentdyno.reports.charts.heat import heat
from agentdyno.reports.topic import HeatChart
from agentdyno_depth.pipelines.depth import DepthOptions, SequenceDepth, measure_depth, replay_depth
from agentdyno_depth.pipelines.depth.turns import turn_depths
from agentdyno_depth.probes.profile_files import read_profiles, write_profiles
from agentdyno_depth.probes.text_files import read_texts
from agentdyno_depth.records.depth import Confidence, Thresholds
from agentdyno_depth.studies.depth.accuracy import (
    correlate,
    correlations,
    quantile_bins,
    threshold_correlations,
)
from agentdyno_depth.studies.depth.response_depth import baselines_of
from tests.tiny import save_tiny, tiny_model

PAIRS = (Thresholds(0.5, 0.75), Thresholds(0.25, 0.5))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("model")
    save_tiny(made)
    return str(made)


def _lines(path: Path, *values: Any) -> Path:
    path.write_bytes(b"\n".join(msgspec.json.encode(value) for value in values))
    return path


def test_texts_are_measured_and_profiles_replay_without_the_model(
    folder: str, tmp_path: Path
) -> None:
    texts = _lines(
        tmp_path / "texts.jsonl",
        {"id": "sum", "prompt": "2 + 2?", "response": "It is four."},
        {"prompt": [{"role": "user", "content": "hi"}], "response": "hello there"},
    )
    options = DepthOptions(model=folder, thresholds=PAIRS, tokens=True, device="cpu")
    quick = measure_depth(texts, msgspec.structs.replace(options, tokens=False))
    whole = measure_depth(texts, options)
    assert [s.id for s in whole.sequences] == ["sum", "2"]
    assert [s.sweep for s in quick.sequences] == [s.sweep for s in whole.sequences]
    assert quick.work is not None
    first = whole.sequences[0]
    assert first.tokens is not None
    assert "".join(token.token for token in first.tokens) == "It is four."
    assert first.dtr == np.mean([token.deep for token in first.tokens])

    assert whole.profiles is not None
    write_profiles(whole.profiles, tmp_path / "kept" / "p.parquet")
    again = replay_depth(read_profiles(tmp_path / "kept" / "p.parquet"), options)
    # Recorded profiles hold the response's ids, not the prompt's.
    assert again.sequences == tuple(
        msgspec.structs.replace(each, record=None) for each in whole.sequences
    )


def test_missing_responses_are_generated(folder: str, tmp_path: Path) -> None:
    texts = _lines(tmp_path / "t.jsonl", {"prompt": "go on"}, {"prompt": "x", "response": "y"})
    found = measure_depth(texts, DepthOptions(model=folder, max_new_tokens=7, device="cpu"))
    generated, given = found.sequences
    assert 1 <= generated.baselines.length <= 7
    assert generated.response is not None
    assert (given.response, given.baselines.length) == (None, 1)


def test_an_empty_response_has_no_ratio(folder: str, tmp_path: Path) -> None:
    texts = _lines(tmp_path / "t.jsonl", {"prompt": "x", "response": ""})
    found = measure_depth(texts, DepthOptions(model=folder, device="cpu"))
    assert (found.sequences[0].dtr, found.sequences[0].baselines.length) == (None, 0)


def test_a_bad_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"prompt": 3}\n{"prompt": "a", "response": "b"}\nnot json\n')
    good, bad = read_texts(path)
    assert [name for name, _ in good] == ["2"]
    assert [record.place for record in bad] == ["line 1", "line 3"]


def test_a_file_without_texts_says_what_is_expected(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("[]\n")
    with pytest.raises(InputError, match='"prompt" and "response", found none'):
        read_texts(path)


def test_a_folder_that_holds_no_model_is_a_plain_error(tmp_path: Path) -> None:
    texts = _lines(tmp_path / "t.jsonl", {"prompt": "x", "response": "y"})
    with pytest.raises(InputError, match="expected smollm2, a GGUF file, a folder"):
        measure_depth(texts, DepthOptions(model=str(tmp_path), device="cpu"))


def test_turns_of_an_agent_have_depth_and_so_have_their_calls(folder: str) -> None:
    trajectory = Trajectory(
        trajectory_id="a#1",
        source="a",
        format="f",
        parts=(
            Part("user", "weather?", enters=0),
            Part("text", "I look. ", made=0, enters=1),
            Part("request", '{"city": "Ulm"}', name="look", call=0, made=0, enters=1),
            Part("result", "rain", name="look", call=0, enters=1),
            Part("text", "It rains.", made=1),
        ),
        turns=(Turn(), Turn(), Turn()),
        calls=(ToolCall(turn=0, call=0, tool="look", arguments='{"city": "Ulm"}'),),
    )
    first, call, second, third = turn_depths(trajectory, tiny_model(), [Thresholds(0.5, 0.75)])
    # One token per byte, in the model's tool syntax: 8 letters of text, a line's end, the call
    # between its tags, and the end token.
    written = '\n<tool_call>{"name": "look", "arguments": {"city": "Ulm"}}</tool_call>'
    calls = len(written) + 1
    assert (first.depth_tokens, first.call_tokens) == (8 + calls, calls)
    assert (call.turn, call.call, call.dtr, call.depth_tokens) == (0, 0, first.call_dtr, calls)
    assert (second.depth_tokens, second.call_tokens, second.call_dtr) == (10, 0, None)
    assert (third.depth_tokens, third.dtr) == (0, None)


def test_bins_hold_responses_of_equal_score_together() -> None:
    scores = [0.1] * 6 + [0.2, 0.3, 0.4, 0.5]
    bins = quantile_bins(scores, [False] * 6 + [True] * 4)
    assert (bins[0].score, bins[0].responses, bins[0].right.value) == (pytest.approx(0.1), 6, 0.0)
    assert sum(b.responses for b in bins) == 10
    assert quantile_bins([0.1] * 4, [True] * 4) == []


def test_responses_of_one_task_are_drawn_again_together() -> None:
    scores = [0.1 + 0.01 * (i // 10) + 0.0001 * i for i in range(60)]
    right = [i // 10 in (2, 4, 5) for i in range(60)]
    alone = correlate(scores, right)
    together = correlate(scores, right, tasks=[str(i // 10) for i in range(60)])
    assert alone.binned == together.binned
    assert None not in (alone.low, alone.high, together.low, together.high)
    assert together.high - together.low > alone.high - alone.low  # type: ignore[operator]


def test_a_measure_that_goes_with_being_right_correlates() -> None:
    right = [_sequence(0.1 + 0.01 * i, i >= 10) for i in range(20)]
    found = {line.measure: line for line in correlations(right)}
    # Five bins of four: no right answer in two, half in the middle, all in the last two.
    assert found["dtr"].binned.value == pytest.approx(0.9487, abs=1e-3)
    assert found["dtr"].low > 0.5
    assert found["length"].binned.value is None  # all have the same length
    assert list(threshold_correlations(right)) == [Thresholds()]


def test_fewer_responses_than_bins_give_no_correlation() -> None:
    assert correlations([_sequence(0.1, True)] * 4) == []


def test_levels_are_correlated_apart() -> None:
    many = [_sequence(0.1 * i, i > 4, "high" if i % 2 else "low") for i in range(10)]
    assert {line.level for line in correlations(many)} == {None, "high", "low"}


def test_hostile_tokens_stay_text_in_a_heat_map() -> None:
    tokens = ["\n", '"]+alert(1)+["', "<b>"]
    rows = np.linspace(1, 0, 12).reshape(3, 4).tolist()
    svg = heat(HeatChart("thought", "", tokens, rows, 0.5, 4), 600).svg()
    assert svg.startswith("<svg")
    assert "&lt;b&gt;" in svg
    assert "<b>" not in svg


def _sequence(dtr: float, correct: bool, level: str | None = None) -> SequenceDepth:
    confidence = Confidence(*(np.full(2, -0.5, np.float32) for _ in range(3)))
    return SequenceDepth(
        id="a",
        dtr=dtr,
        baselines=baselines_of(confidence),
        sweep=((Thresholds(), dtr),),
        tokens=None,
        correct=correct,
        level=level,
    )
