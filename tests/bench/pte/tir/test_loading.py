"""Questions from published files, in their authors' columns, and the answers that replies give."""

import csv
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from agentdyno.records import InputError
from agentdyno_bench.pte.tir.benchmarks import BENCHMARKS, find_benchmark
from agentdyno_bench.pte.tir.grading import boxed_answer, same_words, tagged_answer
from agentdyno_bench.pte.tir.loading import load_problems, task_name
from agentdyno_bench.pte.tir.problems import digest, draw, read_problems
from tests.labelled import from_set

MATH = BENCHMARKS["math_500"]
ROW = {
    "problem": "What is $1+1$?",
    "solution": "It is $2$.",
    "answer": "2",
    "subject": "Algebra",
    "level": 3,
    "unique_id": "test/algebra/1.json",
}


def test_math_500_in_its_published_columns(tmp_path: Path) -> None:
    (tmp_path / "math_500.jsonl").write_text(json.dumps(ROW) + "\n\n")
    (problem,) = load_problems(MATH, str(tmp_path))
    assert (problem.id, problem.question, problem.answer, problem.level) == (
        "test/algebra/1.json", "What is $1+1$?", "2", "3",
    )  # fmt: skip


def test_simpleqa_as_csv_is_numbered(tmp_path: Path) -> None:
    with (tmp_path / "simpleqa.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["metadata", "problem", "answer"])
        writer.writerow(["{'topic': 'Art'}", 'Who painted "Guernica",\nand when?', "Picasso, 1937"])
    (problem,) = load_problems(BENCHMARKS["simpleqa"], str(tmp_path))
    assert (problem.id, problem.question) == ("1", 'Who painted "Guernica",\nand when?')


def test_webinstruct_as_parquet_in_a_folder(tmp_path: Path) -> None:
    rows = {
        "id": [7, 8], "question": ["a?", "b?"], "answer": ["1", "yes"],
        "answer_type": ["Integer", "Boolean"], "category": ["Physics", "Physics"],
        "difficulty": ["University", "PhD"],
    }  # fmt: skip
    folder = tmp_path / "webinstruct" / "data"
    folder.mkdir(parents=True)
    pl.DataFrame(rows).write_parquet(folder / "test-00000-of-00001.parquet")
    problems = load_problems(BENCHMARKS["webinstruct"], str(tmp_path))
    found = [(p.id, p.level, p.answer_type) for p in problems]
    assert found == [("7", "University", "Integer"), ("8", "PhD", "Boolean")]


def test_two_halves_of_a_contest_keep_different_ids(tmp_path: Path) -> None:
    for half in "12":
        text = json.dumps([{"question": f"half {half}?", "answer": "5", "id": 1}])
        (tmp_path / f"{half}.json").write_text(text)
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    assert [p.id for p in read_problems(files, BENCHMARKS["aime_2025"])] == ["1-1", "2-1"]


def test_the_large_sets_are_drawn_from_with_the_seed() -> None:
    bench = BENCHMARKS["simpleqa"]
    rows = load_problems(bench, "mini")
    assert draw(rows, 5, seed=1) == draw(rows, 5, seed=1) != draw(rows, 5, seed=2)
    assert len(draw(rows, 5, seed=1)) == 5
    assert draw(rows, 500, seed=1) == rows
    drawn = {b.name: b.drawn for b in BENCHMARKS.values() if b.drawn}
    assert drawn == {"simpleqa": 500, "webinstruct": 500}


def test_a_row_without_an_answer_is_said_with_its_place(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"answer": None}]
    (tmp_path / "math_500.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match=r"math_500\.jsonl:2: expected the columns problem and"):
        load_problems(MATH, str(tmp_path))


@pytest.mark.parametrize("name", ["math_500.jsonl", "math_500.parquet", "math_500.json"])
def test_a_damaged_file_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x00nonsense")
    with pytest.raises(InputError, match="expected rows of questions"):
        load_problems(MATH, str(tmp_path))


def test_a_folder_without_the_questions_says_what_it_wants(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"math_500\.jsonl"):
        load_problems(MATH, str(tmp_path))


def test_the_hub_is_asked_for_the_published_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def snapshot_download(**options: Any) -> str:
        asked.update(options)
        (tmp_path / "test.jsonl").write_text(json.dumps(ROW))
        return str(tmp_path)

    fake = SimpleNamespace(snapshot_download=snapshot_download, __spec__=SimpleNamespace())
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    assert [p.answer for p in load_problems(MATH, "hub")] == ["2"]
    assert asked == {
        "repo_id": "HuggingFaceH4/MATH-500",
        "repo_type": "dataset",
        "allow_patterns": ["test.jsonl"],
    }


def test_a_hub_out_of_reach_says_what_else_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot_download(**options: Any) -> str:
        raise ConnectionError("no route to host")

    fake = SimpleNamespace(snapshot_download=snapshot_download, __spec__=SimpleNamespace())
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    with pytest.raises(InputError, match=r"no route to host.*--data mini"):
        load_problems(MATH, "hub")


def test_bundled_questions_go_by_another_name() -> None:
    assert task_name(MATH, "mini") == "math_500_mini"
    assert task_name(MATH, "hub") == task_name(MATH, "somewhere") == "math_500"


def test_the_digest_changes_with_an_answer() -> None:
    one = load_problems(MATH, "mini")
    assert digest(one) == digest(load_problems(MATH, "mini")) != digest(one[1:])


def test_an_unknown_benchmark_lists_the_known() -> None:
    with pytest.raises(InputError, match="aime_2025"):
        find_benchmark("gsm8k")


@from_set("bench/pte/tir/loading", "text", "answer")
def test_the_last_tag_counts(text: str, answer: str | None) -> None:
    assert tagged_answer(text) == answer


@from_set("bench/pte/tir/loading", "one", "other", "same")
def test_words_are_compared_without_their_dress(one: str, other: str, same: bool) -> None:
    assert same_words(one, other) is same


def test_a_box_is_found_with_its_braces_matched() -> None:
    assert boxed_answer(r"so \boxed{1} and then \boxed{\frac{1}{2}}.") == r"\frac{1}{2}"
    assert boxed_answer(r"\boxed{open") is None
    assert boxed_answer("no box") is None
