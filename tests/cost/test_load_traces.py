"""Loads without a word of text: counts, and lists of block hashes."""

import json
from pathlib import Path

import pytest

from agentdyno.cost.block_memory import MOST_TOKENS, NOBODY
from agentdyno.cost.counts_trace import read_counts, write_counts
from agentdyno.cost.hash_trace import read_hash_traces, write_agentx
from agentdyno.records import InputError

COUNTS = (
    '{"shared": 64, "turns": [{"context": 100, "generated": 10}, {"context": 150, "generated": 5, '
    '"pause_seconds": 2.5}]}\n'
    '{"shared": 64, "turns": [{"context": 90, "generated": 8}, {"context": 70, "generated": 3, '
    '"kept": 32}]}\n'
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_counts_say_what_is_shared_and_kept(tmp_path: Path) -> None:
    load, problems = read_counts(write(tmp_path / "a.jsonl", COUNTS))
    assert problems == []
    assert load.first.tolist() == [0, 2, 4]
    assert load.pause.tolist() == [0, 2.5, 0, 0]
    assert load.kept.tolist() == [0, MOST_TOKENS, 64, 32]
    assert load.parent.tolist() == [NOBODY, 0, 0, 2]


def test_counts_are_written_as_they_are_read(tmp_path: Path) -> None:
    load, _ = read_counts(write(tmp_path / "a.jsonl", COUNTS))
    again, _ = read_counts(write(tmp_path / "b.jsonl", "\n".join(write_counts(load))))
    for name in ("first", "context", "decode", "pause", "kept", "parent"):
        assert getattr(load, name).tolist() == getattr(again, name).tolist()


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"turns": []}',
        '{"turns": [{"context": -4, "generated": 1}]}',
        '{"turns": [{"context": 5, "generated": 0}]}',
        '{"turns": [{"context": 5, "generated": 1, "pause_seconds": -1}]}',
        '{"turns": [{"context": 99999999999, "generated": 1}]}',
    ],
)
def test_a_line_that_is_no_session_is_named_and_costs_no_other(line: str, tmp_path: Path) -> None:
    load, problems = read_counts(write(tmp_path / "a.jsonl", f"{line}\n{COUNTS}"))
    assert len(load.first) == 3
    assert problems[0].startswith("a.jsonl:1: ")
    with pytest.raises(InputError, match="expected JSONL"):
        read_counts(write(tmp_path / "b.jsonl", line))


def session(**more: object) -> str:
    requests = [
        {"t": 0, "type": "n", "in": 200, "out": 10, "hash_ids": [1, 2, 3, 4], "api_time": 2.0},
        {"t": 10, "type": "n", "in": 320, "out": 10, "hash_ids": [1, 2, 3, 5, 6]},
        {"t": 20, "type": "subagent", "requests": [
            {"t": 1, "type": "n", "in": 128, "out": 4, "hash_ids": [1, 9]}]},
        {"t": 500, "type": "n", "in": 100, "out": 10, "hash_ids": [1, 2]},
    ]  # fmt: skip
    return json.dumps({"id": "a", "block_size": 64, "requests": requests, **more})


def test_hashes_say_what_is_kept_and_what_would_hit(tmp_path: Path) -> None:
    write(tmp_path / "a.json", session())
    write(tmp_path / "b.json", "{")
    found = read_hash_traces(tmp_path)
    # Of 200 tokens three blocks are whole, and all three are kept; of 320 two of five are, at 500.
    assert found.load.context.tolist() == [200, 320, 100, 128]
    assert found.load.kept.tolist() == [0, MOST_TOKENS, 128, 64]
    assert found.load.parent.tolist() == [NOBODY, 0, 1, 0]
    assert found.load.pause.tolist() == [0, 8, 490, 0]
    # Without limit 3 * 64, 1 * 64 and 100 of 748 tokens; the last is 490 s later.
    assert found.hit_rates == pytest.approx(
        {"without limit": 356 / 748, "5 minutes": 256 / 748, "an hour": 356 / 748}
    )
    assert (found.files, len(found.problems)) == (1, 1)


def test_mooncake_requests_go_on_from_whoever_has_their_blocks(tmp_path: Path) -> None:
    lines = [
        {"timestamp": 0, "input_length": 1000, "output_length": 5, "hash_ids": [7, 8]},
        {"timestamp": 1500, "input_length": 1500, "output_length": 5, "hash_ids": [7, 8, 9]},
    ]
    text = "\n".join(map(json.dumps, lines))
    load = read_hash_traces(write(tmp_path / "m.jsonl", text)).load
    assert (load.parent.tolist(), load.kept.tolist()) == ([NOBODY, 0], [0, 1024])
    assert load.begins.tolist() == [0.0, 1.5]


def test_agentx_traces_are_written_as_they_are_read(tmp_path: Path) -> None:
    load, _ = read_counts(write(tmp_path / "a.jsonl", COUNTS))
    for name, text in write_agentx(load, ["one", "two"]):
        write(tmp_path / f"{name}.json", text)
    again = read_hash_traces(tmp_path).load
    assert again.context.tolist() == load.context.tolist()
    # In blocks of 64 the second session keeps none of its 32 tokens.
    assert again.kept.tolist() == [0, MOST_TOKENS, 0, 0]
