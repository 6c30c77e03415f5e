"""The board of published runs: what a row says, what can be told apart, and what is audited."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno_bench.pipelines.published_statements import read_statements
from agentdyno_bench.reports.board import render_audit, render_board
from agentdyno_bench.studies.board.audit import Outcome, Statement, audit, audit_rows
from agentdyno_bench.studies.board.build import build_board, prepare_runs
from agentdyno_bench.studies.board.prices import price_runs
from agentdyno_bench.studies.board.results import BoardBenchmark
from tests.cli.run import Agentdyno
from tests.labelled import DATA

SCHEMA = {
    "trajectory_id": pl.String, "source": pl.String, "format": pl.String, "model": pl.String,
    "benchmark": pl.String, "variant": pl.String, "harness": pl.String, "task_id": pl.String,
    "attempt": pl.Int64, "correct": pl.Boolean, "parent_id": pl.String, "turns": pl.Int64,
    "usd": pl.Float64, "reported_usd": pl.Float64, "prefill_tokens": pl.Int64,
    "token_source": pl.String, "decode_tokens": pl.Int64, "context_tokens": pl.Int64,
    "read": pl.Float64, "sent": pl.Float64,
    "ledger": pl.String, "list_day": pl.Float64, "list_today": pl.Float64,
    "lost_usd": pl.Float64, "missed_turns": pl.Int64, "call_turns": pl.Int64,
}  # fmt: skip


def runs(model: str, solved: str, usd: float = 1.0, **other: Any) -> list[dict[str, Any]]:
    """A run for each letter: `y` solved, `n` not, `?` unknown."""
    return [
        {
            "trajectory_id": f"{model}{other.get('variant', '')}{place}", "format": "table",
            "model": model, "benchmark": "puzzles", "task_id": f"t{place}", "ledger": "made up",
            "correct": {"y": True, "n": False, "?": None}[mark], "reported_usd": usd, **other,
        }
        for place, mark in enumerate(solved)
    ]  # fmt: skip


def board(*rows: list[dict[str, Any]]) -> BoardBenchmark:
    frame = pl.DataFrame([each for group in rows for each in group], schema=SCHEMA)
    (found,) = build_board(prepare_runs(frame), "2026-11-19", []).benchmarks
    return found


def test_a_solved_task_costs_what_all_graded_runs_did() -> None:
    (row,) = board(runs("a", "yyyynnnn??", usd=2.0)).rows
    assert (row.runs, row.graded, row.tasks) == (10, 8, 10)
    assert row.solved.value == 0.5
    assert row.usd_per_solved.value == pytest.approx(16 / 4)
    assert row.failed_share.value == pytest.approx(0.5)


def test_a_stated_zero_is_an_unknown_cost_and_is_counted() -> None:
    (row,) = board(runs("a", "yyyyyy", usd=0.0)).rows
    assert (row.zero_usd, row.unpriced) == (6, 6)
    assert row.usd.value is None


def test_tokens_sized_from_texts_are_unknown_beside_reported_ones() -> None:
    def listed(solved: str, usd: float, source: str) -> list[dict[str, Any]]:
        known = {"reported_usd": None, "usd": usd, "token_source": source}
        return [
            {**row, **known, "trajectory_id": f"{source} {row['task_id']}"}
            for row in runs("a", solved)
        ]

    (both,) = board(listed("yyyyy", 1.0, "reported"), listed("nn", 9.0, "estimated")).rows
    assert (both.runs, both.unpriced, both.usd.value) == (7, 2, 1.0)
    (alone,) = board(listed("yyyyy", 9.0, "estimated")).rows
    assert (alone.unpriced, alone.usd.value) == (0, 9.0)


def test_rows_that_differ_in_nothing_share_their_rank_and_their_point() -> None:
    found = board(runs("a", "yyyyynnnnn" * 6), runs("b", "nyyyynnnny" * 6))
    assert {(row.rank_low, row.rank_high) for row in found.rows} == {(1, 2)}
    assert found.together == [[0, 1]]


def test_a_row_that_solves_surely_more_ranks_above() -> None:
    found = board(runs("weak", "nnnnnnnnny" * 6), runs("strong", "yyyyyyyyyn" * 6))
    assert [(row.model, row.rank_low, row.rank_high) for row in found.rows] == [
        ("strong", 1, 1), ("weak", 2, 2),
    ]  # fmt: skip


def test_variants_that_share_tasks_are_rows_and_others_are_parts() -> None:
    servers = board(runs("a", "yyyyyn", variant="x"), runs("a", "nnnnny", variant="y"))
    assert [row.variant for row in servers.rows] == ["x", "y"]
    parts = [{**row, "task_id": f"z{row['task_id']}"} for row in runs("a", "nnnnny", variant="y")]
    assert [row.variant for row in board(runs("a", "yyyyyn", variant="x"), parts).rows] == [""]


def test_the_same_model_in_two_harnesses_is_paired_however_it_is_spelled() -> None:
    (pair,) = board(
        runs("claude-4-sonnet", "yynnyn" * 4, harness="one"),
        runs("anthropic/claude-sonnet-4-20250514", "yyynyn" * 4, usd=2.0, harness="two"),
    ).pairs
    assert (pair.tasks, pair.first) == (24, "two")
    assert pair.solved.value == pytest.approx(-1 / 6)


def test_all_of_two_attempts_succeed_half_as_often() -> None:
    rows = runs("a", "yyyyyy") + [
        {**row, "trajectory_id": row["trajectory_id"] + "b", "correct": place < 3}
        for place, row in enumerate(runs("a", "yyyyyy", usd=3.0))
    ]
    (row,) = board(rows).rows
    assert (row.attempts, row.pass_k, row.pass_all.value) == (2, 2, 0.5)
    assert row.dispersion == 3.0


def state(what: str, stated: float, solved: str, **other: Any) -> list[str]:
    outcomes = [
        Outcome(str(place), {"y": True, "n": False, "?": None}[mark], 1.0)
        for place, mark in enumerate(solved)
    ]
    given = {"file": "f", "row": "r", "outcomes": outcomes, **other}
    found = audit([Statement(what=what, stated=stated, **given)])
    return [each.recomputed for each in found]


def test_a_score_that_a_usual_denominator_gives_is_no_contradiction() -> None:
    assert state("score", 50.0, "ynyn") == []
    assert state("score", 66.7, "yyn?") == [], "over rows with an outcome"
    assert state("score", 20.0, "yynn", tasks=[10]) == []
    assert state("score", 40.4, "y" * 40 + "n" * 60) == [], "one run in a hundred left out"


def test_a_score_that_none_gives_is_one() -> None:
    assert state("score", 52.8, "y" * 51 + "n" * 449) == ["10.2"]


def test_a_share_that_no_number_of_tasks_is_cannot_be_one() -> None:
    assert state("score", 39.58, "", digits=2, tasks=[500]) == ["39.40 or 39.60 of 500 tasks"]
    assert state("score", 39.6, "", digits=1, tasks=[500]) == []
    assert state("score", 64.93, "", digits=2, tasks=[500]) == [], "324 of 499"
    assert state("score", 12.0, "", tasks=[]) == [], "nobody says of how many"


def test_rows_themselves_are_audited() -> None:
    copied = runs("a", "y" * 25, usd=1.0) + runs("b", "n" * 25, usd=1.0)
    copied += runs("c", "y" * 20, usd=0.0)
    found = audit_rows(pl.DataFrame(copied, schema=SCHEMA))
    assert [each.what for each in found] == ["runs at $0", "tasks differ", "same rows"]


def test_a_cost_of_many_times_its_tokens_is_another_models() -> None:
    dear = runs("a", "y" * 6, usd=2.0, list_today=0.03) + runs("b", "y" * 6, list_today=0.2)
    found = audit_rows(pl.DataFrame(dear, schema=SCHEMA))
    assert [(each.row, each.what, each.stated, each.recomputed) for each in found] == [
        ("a", "cost against tokens", "2.00", "0.03"),
    ]  # fmt: skip


def test_publications_state_what_their_samples_state() -> None:
    folders = [DATA / name for name in ("swe_bench_board", "terminal_bench")]
    found = audit(list(read_statements(folders)))
    assert [(each.row, each.what, each.stated, each.recomputed) for each in found] == [
        ("All: mini + Invented 1", "score", "55.0", "50.0")
    ]


def test_the_totals_that_a_publication_names_are_denominators(tmp_path: Path) -> None:
    rows = {f"t{place}": {"resolved": place < 23, "cost": 0.5} for place in range(102)}
    (tmp_path / "a" / "instance_results").mkdir(parents=True)
    (tmp_path / "a" / "instance_results" / "puzzles.json").write_text(json.dumps(rows))
    parts = {"combined_accuracy": 24.0, "solveable_total": 64, "unsolveable_total": 32}
    entry = {"benchmark": "puzzles", "score": 35.9, "component_scores": parts}
    (tmp_path / "a" / "scores.json").write_text(json.dumps([entry]))
    assert audit(list(read_statements([tmp_path]))) == [], "23 of 96"
    entry["component_scores"] = parts | {"unsolveable_total": 30}
    (tmp_path / "a" / "scores.json").write_text(json.dumps([entry]))
    assert [each.recomputed for each in audit(list(read_statements([tmp_path])))] == ["22.5"]


def test_a_damaged_publication_states_nothing(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text('[{"benchmark": "../../x", "score": 1.0}]')
    (tmp_path / "leaderboards.json").write_text("{")
    (tmp_path / "results.json").write_text(json.dumps({"results": 7, "accuracy": 1}))
    assert list(read_statements([tmp_path])) == []


def test_a_page_has_a_topic_for_each_benchmark_and_one_for_the_audit() -> None:
    frame = pl.DataFrame(runs("a", "yyyyyn") + runs("b", "nnnnny", usd=2.0), schema=SCHEMA)
    prepared = prepare_runs(frame)
    topics = [
        *render_board(build_board(prepared, "2026-11-19", ["2026-11-01"]), prepared),
        render_audit([], 3),
    ]
    assert [topic.title for topic in topics] == ["puzzles", "What is stated and not borne out"]
    assert len(topics[0].charts) == 1
    assert any("2026-11-19" in note and "2026-11-01" in note for note in topics[0].notes)
    behind = topics[0].tables[0].behind
    assert behind
    assert [column.title for column in behind.columns] == ["task", "outcome", "dollars"]
    assert behind.rows[0] == [
        [f"t{place}" for place in range(6)], ["solved"] * 5 + ["failed"], [1.0] * 6,
    ]  # fmt: skip


def test_list_prices_cache_and_turns_to_spare_are_means_of_the_runs_that_know_them() -> None:
    known = {"list_today": 3.0, "lost_usd": 0.5, "missed_turns": 1, "call_turns": 4}
    known |= {"read": 60.0, "sent": 80.0}
    (row,) = board(runs("a", "yyyyy", **known), runs("a", "nnn", source="texts lost")).rows
    assert (row.list_day.value, row.list_today.value, row.lost_usd.value) == (None, 3.0, 0.5)
    assert (row.missed_turns.value, row.cache_read) == (0.25, 0.75)


def test_tokens_have_the_price_of_their_day_and_that_of_today(tmp_path: Path) -> None:
    """3.5 = 2.5 + 10 / 10 by the bundled list, 7 = 5 + 20 / 10 by the user's."""
    (tmp_path / "prices.toml").write_text(
        '["gpt-4o"]\ninput = 5.0\noutput = 20.0\nsince = 2026-06-01\nas_of = 2026-06-01\n'
    )
    (tmp_path / "runs.csv").write_text(
        "model,task,solved,input,output,started\n"
        "gpt-4o,t1,1,1000000,100000,2025-01-01\ngpt-4o,t2,1,1000000,100000,\n"
    )
    options = MeasureOptions(workers=1, prices=str(tmp_path / "prices.toml"))
    measure([tmp_path / "runs.csv"], tmp_path / "ledger", options)
    found = price_runs(Ledger(tmp_path / "ledger"), 1_790_000_000.0)
    assert found.rows["list_day"].to_list() == [pytest.approx(3.5), None]
    assert found.rows["list_today"].to_list() == [pytest.approx(7.0)] * 2
    assert found.rows["lost_usd"].to_list() == [None, None], "nobody reports a cache"
    assert found.rows["missed_turns"].to_list() == [None, None], "nobody has texts"
    assert found.listed == ["2026-06-01"]


def test_turns_to_spare_are_known_of_runs_with_texts(tmp_path: Path) -> None:
    measure([DATA / "openai_chat/bare.json"], tmp_path / "ledger", MeasureOptions(workers=1))
    rows = price_runs(Ledger(tmp_path / "ledger"), 0.0).rows
    assert rows.select("missed_turns", "call_turns").rows() == [(0, 1)]


def test_runs_are_measured_where_they_are_no_ledger(agentdyno: Agentdyno, tmp_path: Path) -> None:
    table, kept = tmp_path / "runs.csv", tmp_path / "kept"
    table.write_text("llm,case,won,price\n" + "".join(f"a,t{n},{n % 2},0.5\n" for n in range(6)))
    given = "--columns", "model=llm,task=case,solved=won,usd=price", "--json"
    assert agentdyno.run("board", table, "--ledgers", kept, *given) == 0
    first = agentdyno.object()["board"]
    (row,) = first["benchmarks"][0]["rows"]
    assert (row["model"], row["runs"], row["usd"]["value"]) == ("a", 6, 0.5)
    assert agentdyno.run("board", kept / "runs.csv", "--json") == 0
    assert agentdyno.object()["board"] == first
    assert agentdyno.run("board", table, *given) == 0, "into a folder that goes"
    assert agentdyno.object()["board"] == first


def test_a_folder_without_runs_is_refused(agentdyno: Agentdyno, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert agentdyno.run("board", tmp_path, "--json") == 2
    assert "expected traces" in agentdyno.err
