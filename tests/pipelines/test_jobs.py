"""Jobs of a measurement and the meter that they share."""

import gc
import json
import weakref
from pathlib import Path

import polars as pl
import pytest

from agentdyno.cost.columns import Joined
from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Meter
from agentdyno.cost.tables import Frames
from agentdyno.intake.source import Source
from agentdyno.pipelines import jobs
from agentdyno.pipelines.jobs import Job, do_job
from agentdyno.pipelines.kept_texts import TextKeeper
from agentdyno.pipelines.meter import build_meter
from agentdyno.records import BadRecord, InputError, Trajectory
from tests.pipelines.test_measure import write_jsonl


def job_of(path: Path, options: MeterOptions | None = None) -> Job:
    source = Source(path, path.name, 0, path.stat().st_size, "openai_chat")
    return Job([source], path.parent / "l" / "aside", options or MeterOptions(), 1)


def test_a_job_of_several_batches_writes_one_file_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "COSTS_PARTS", 3)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    draft, _ = do_job(job_of(path))
    assert (draft.files, draft.rows["trajectories"]) == (1, 7)
    rows = pl.read_parquet(draft.path("trajectories", 0))
    assert rows["trajectory_id"].to_list() == [f"a.jsonl#{line}" for line in range(1, 8)]


def test_many_rows_are_written_in_several_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "COSTS_PARTS", 3)
    monkeypatch.setattr(jobs, "FILE_PARTS", 10)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    draft, _ = do_job(job_of(path))
    assert draft.files > 1
    files = [draft.path("trajectories", index) for index in range(draft.files)]
    assert pl.concat(map(pl.read_parquet, files))["trajectory_id"].n_unique() == 7


def test_no_batch_is_left_when_cycles_are_searched_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[weakref.ref[Joined]] = []
    left: list[int] = []
    measured = jobs._measure
    enable = gc.enable

    def watched(batch: Joined, meter: Meter) -> tuple[Frames, list[BadRecord]]:
        held.append(weakref.ref(batch))
        return measured(batch, meter)

    def enabled() -> None:
        left.append(sum(batch() is not None for batch in held))
        enable()

    monkeypatch.setattr(jobs, "_measure", watched)
    monkeypatch.setattr(gc, "enable", enabled)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    do_job(job_of(path))
    assert left == [0]


def measured_parts(rows: Joined) -> pl.DataFrame:
    frames, bad = jobs._measure(rows, build_meter(MeterOptions()))
    assert not bad
    return frames["parts"]


def told(path: Path, count: int) -> list[Trajectory]:
    """Chats that were read anew, with totals in all turns but those of the last."""
    chats = [
        {
            "model": "gpt-4.1",
            "messages": [
                {"role": "user", "content": "how many " * (number + 1)},
                {"role": "assistant", "content": "seven", **({"usage": USAGE} if more else {})},
            ],
        }
        for number, more in ((number, number < count - 1) for number in range(count))
    ]
    path.write_text("".join(json.dumps(chat) + "\n" for chat in chats))
    job = job_of(path)
    read = jobs._read(job.sources, job, TextKeeper(None))
    return [item for item in read if isinstance(item, Trajectory)]


USAGE = {"prompt_tokens": 40, "completion_tokens": 2}


def test_texts_with_totals_are_let_go_and_cost_the_same(tmp_path: Path) -> None:
    kept = Joined(told(tmp_path / "a.jsonl", 3))
    gone = Joined(told(tmp_path / "a.jsonl", 3), texts_needed=False)
    assert [bool(text) for text in gone.texts] == [False] * 4 + [True] * 2
    assert gone.lengths == kept.lengths
    assert gone.characters == sum(kept.lengths[-2:]) < kept.characters
    assert measured_parts(gone).equals(measured_parts(kept))


def test_some_of_a_batch_whose_texts_are_gone_cost_what_they_did(tmp_path: Path) -> None:
    kept = Joined(told(tmp_path / "a.jsonl", 3)[1:])
    gone = Joined(told(tmp_path / "a.jsonl", 3), texts_needed=False)
    assert measured_parts(gone.slice_items(1, 3)).equals(measured_parts(kept))


@pytest.mark.parametrize(
    ("options", "held"), [(MeterOptions(), 0), (MeterOptions(count="exact"), 4)]
)
def test_a_job_for_costs_alone_holds_no_text_that_nobody_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: MeterOptions, held: int
) -> None:
    seen: list[int] = []
    measured = jobs._measure

    def watched(batch: Joined, meter: Meter) -> tuple[Frames, list[BadRecord]]:
        seen.append(sum(map(bool, batch.texts)))
        return measured(batch, meter)

    monkeypatch.setattr(jobs, "_measure", watched)
    path = tmp_path / "a.jsonl"
    told(path, 3)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    do_job(job_of(path, options))
    assert seen == [held]


PRICES = '["house-model"]\ninput = 2.0\noutput = 10.0\nas_of = "2025-01-01"\n'


def test_the_engine_of_a_known_model_and_of_a_closed_one() -> None:
    meter = build_meter(MeterOptions())
    # Qwen3-32B on the reference hardware, as in the paper: 756.5 * 81,920 / 31.2e9.
    known = meter.engine("qwen3-32b")
    assert (known.gamma.value, known.gamma.source) == (pytest.approx(0.00198630, rel=1e-4), "model")
    assert meter.engine("nobody-knows-1").gamma.source == "proxy"
    assert meter.engine("nobody-knows-1").tariff is None


def test_an_architecture_that_was_asked_for_holds_for_every_model() -> None:
    meter = build_meter(MeterOptions(arch="qwen3-32b"))
    assert meter.engine("claude-sonnet-4-5").architecture == "qwen3-32b"


def test_a_price_table_goes_before_the_bundled_one(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    tariff = build_meter(MeterOptions(prices=str(path))).engine("house-model").tariff
    assert tariff.terms[0].output == 10.0


def test_counts_say_whether_the_vocabulary_is_the_models_own() -> None:
    meter = build_meter(MeterOptions())
    assert meter.count_source("qwen3-32b") == "counted"
    assert meter.count_source("claude-sonnet-4-5") == "estimated"
    assert meter.count("gpt-4o", ["hello world"]) == [2]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1, 2", b"\x00\xff", b'{"version": "1.0", "model": 3}']
)
def test_a_file_that_is_no_tokenizer_is_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"expected a tokenizer\.json"):
        build_meter(MeterOptions(tokenizer=str(path)))


@pytest.mark.parametrize("content", [b"[", b"\xff", b"a = 1", b'[m]\ninput = "free"'])
def test_a_damaged_price_table_is_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"prices\.toml"):
        build_meter(MeterOptions(prices=str(path)))
