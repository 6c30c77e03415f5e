"""Every path gives the same depth for the same response, to the last digit."""

import json
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from agentdyno.records import Part, Trajectory, Turn
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_depth.pipelines.depth import DepthOptions, SequenceDepth, measure_depth
from agentdyno_depth.pipelines.depth.turns import turn_depths
from agentdyno_depth.probes.generating import Sampling
from agentdyno_depth.probes.many_samples import SampleKey, sample_complete
from agentdyno_depth.probes.scoring import score_served
from agentdyno_depth.probes.served import Served, Server, ServerOptions, ServerRequest
from agentdyno_depth.records.depth import PAPER
from agentdyno_depth.records.sequences import TokenSequence
from tests.tiny import save_tiny, writing_model

QUESTION = "How many? <end> Say it."
"""Spells the end token: as letters it ends nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    place: Path = tmp_path_factory.mktemp("tiny")
    save_tiny(place, writing_model())
    return place


@pytest.fixture(scope="module")
def generated(folder: Path) -> SequenceDepth:
    """A response that the model ended itself: the first of some seeds that does."""
    for seed in range(60):
        found = _measured(folder, {"prompt": QUESTION}, seed=seed)
        if found.ended and found.record and len(found.record.response) > 4 and _clean(found):
            return found
    raise AssertionError("no seed gave a whole response; the tiny model has changed")


def _clean(found: SequenceDepth) -> bool:
    """Whether its text says what it is: the tiny model writes bytes, some of which are no text."""
    assert found.record is not None
    tokenizer = writing_model().tokenizer
    again = tokenizer(found.response, add_special_tokens=False)["input_ids"]
    plain = found.response == found.response.strip() and "<" not in found.response
    return plain and tuple(again) == found.record.response[:-1]


def _measured(folder: Path, line: dict[str, Any], **options: Any) -> SequenceDepth:
    texts = folder / "texts.jsonl"
    texts.write_text(json.dumps(line) + "\n")
    asked = DepthOptions(
        model=str(folder), device="cpu", max_new_tokens=60, temperature=2.0, **options
    )
    return measure_depth(texts, asked).sequences[0]


def test_the_record_is_equal_after_a_round_trip_through_json(generated: SequenceDepth) -> None:
    text = msgspec.json.encode(generated.record)
    assert msgspec.json.decode(text, type=TokenSequence) == generated.record
    assert generated.record.end == 256 == generated.record.response[-1]
    assert "chat template" in generated.record.template
    assert "as one user message" in generated.record.template


def test_generated_and_read_again_from_its_record(folder: Path, generated: SequenceDepth) -> None:
    line = msgspec.to_builtins(generated.record)
    again = _measured(folder, line)
    assert (again.dtr, again.baselines) == (generated.dtr, generated.baselines)
    assert again.record == generated.record


def test_generated_and_read_again_from_its_text(folder: Path, generated: SequenceDepth) -> None:
    line = {"prompt": QUESTION, "response": generated.response, "ended": True}
    again = _measured(folder, line)
    assert (again.dtr, again.record) == (generated.dtr, generated.record)
    # Without its end it is another response, of one token less.
    cut = _measured(folder, line | {"ended": False})
    assert cut.record.response == again.record.response[:-1]


def test_generated_and_read_again_by_profile(folder: Path, generated: SequenceDepth) -> None:
    again = _measured(folder, msgspec.to_builtins(generated.record), tokens=True)
    assert again.dtr == generated.dtr
    assert again.tokens is not None
    assert sum(token.deep for token in again.tokens) / len(again.tokens) == generated.dtr


def test_through_a_ledgers_turn(generated: SequenceDepth) -> None:
    assert generated.response is not None
    parts = (Part("user", QUESTION, enters=0), Part("text", generated.response, made=0))
    trajectory = Trajectory("a#1", "a", "f", parts, (Turn(finish="stop"),), ())
    (row,) = turn_depths(trajectory, writing_model())
    assert (row.dtr, row.depth_tokens) == (generated.dtr, generated.baselines.length)
    cut = Trajectory("a#1", "a", "f", parts, (Turn(finish="length"),), ())
    assert turn_depths(cut, writing_model())[0].depth_tokens == generated.baselines.length - 1


def test_through_a_server_with_and_without_token_ids(generated: SequenceDepth) -> None:
    assert generated.response is not None
    opened, chat = writing_model(), ([ChatMessage("user", QUESTION)], ())
    plain = Served(generated.response, True)
    told = Served(generated.response, True, "", generated.record.response, generated.record.prompt)
    for served in (plain, told):
        (scored,) = score_served(opened, chat, [served], [None])
        assert scored.sequence.response == generated.record.response
        assert scored.sequence.prompt == generated.record.prompt
        assert scored.scores[0].dtr == generated.dtr


def test_while_it_is_generated(generated: SequenceDepth) -> None:
    tokens = len(generated.record.response)
    for seed in range(60):  # Think@n draws by name and number; the same name gives the same text.
        (sampled,) = sample_complete(
            writing_model(),
            [generated.record.prompt],
            [SampleKey("1", 0)],
            Sampling(2.0, seed=seed),
            60,
        )
        if sampled.response == generated.record.response:
            assert sampled.scores[-1].dtr == pytest.approx(generated.dtr, abs=1e-7)
            assert sampled.scores[-1].tokens == tokens
            return
    raise AssertionError("the sampler draws otherwise in `think` than in `depth`")


def test_special_tokens_in_prompts_and_responses_are_letters(folder: Path) -> None:
    line = {"prompt": "a<end>b", "response": "c<end>d", "ended": False}
    found = _measured(folder, line)
    assert 256 not in found.record.prompt
    assert 256 not in found.record.response
    assert found.record.end is None
    raw = _measured(folder, line, raw=True)
    assert 256 not in raw.record.prompt
    assert raw.record.template == "plain text, no chat template"


def test_a_run_that_stopped_goes_on_and_says_the_same(folder: Path, tmp_path: Path) -> None:
    texts, record = tmp_path / "many.jsonl", tmp_path / "record.jsonl"
    lines = [json.dumps({"id": f"q{n}", "prompt": f"Question {n}?"}) for n in range(5)]
    options = DepthOptions(model=str(folder), device="cpu", max_new_tokens=8)
    texts.write_text("\n".join(lines) + "\n")
    whole = measure_depth(texts, options)
    recorded = msgspec.structs.replace(options, record=record)
    texts.write_text("\n".join(lines[:2]) + "\n")
    measure_depth(texts, recorded)
    with record.open("ab") as torn:
        torn.write(b'{"id":"q2","pro')
    texts.write_text("\n".join(lines) + "\n")
    done: list[int] = []
    went_on = measure_depth(texts, recorded, lambda count, total: done.append(count))
    assert done == [5]
    assert [s.record for s in went_on.sequences] == [s.record for s in whole.sequences]
    assert [s.dtr for s in went_on.sequences] == [s.dtr for s in whole.sequences]
    # And the record is an input that gives the same again.
    again = measure_depth(record, options)
    assert [s.dtr for s in again.sequences] == [s.dtr for s in whole.sequences]
    assert not again.bad


def test_a_server_gives_the_same_as_its_model(generated: SequenceDepth) -> None:
    """Over HTTP: what was generated, in the shape of chat completions."""
    assert generated.record is not None

    def answer(request: Any) -> Any:
        choice = {"message": {"content": generated.response}, "finish_reason": "stop"}
        return httpx.Response(200, json={"choices": [choice]})

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://served/v1")
    with Server(ServerOptions("http://served/v1", "tiny"), client) as server:
        (served,) = server.all(
            [ServerRequest("q", 0, 60, ({"role": "user", "content": QUESTION},))]
        )
    chat = ([ChatMessage("user", QUESTION)], ())
    (scored,) = score_served(writing_model(), chat, [served], [None], PAPER)
    assert scored.scores[0].dtr == generated.dtr
