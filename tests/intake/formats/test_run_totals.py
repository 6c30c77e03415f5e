"""Runs of which only sums are recorded count in every sum, and nowhere where a text is needed."""

from pathlib import Path
from shutil import copytree

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats import runs_table
from agentdyno.intake.stated_fields import parse_stated, state_fields
from agentdyno.intake.swebench import find_outcome
from agentdyno.ledger.consistency import contradictions
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import BadRecord, InputError, Trajectory
from tests.intake.formats.conformance import read_as
from tests.labelled import DATA

OWN = ("openhands_index", "mcpmark_runs", "swe_bench_board", "terminal_bench", "swe_effi")


def runs_of(format: str, name: str) -> list[Trajectory]:
    return read_as(format, DATA / format / name)[0]


def test_the_index_says_outcome_and_cost_and_no_tokens() -> None:
    runs, bad = read_as(
        "openhands_index", DATA / "openhands_index/Invented-1/instance_results/puzzles.json"
    )
    assert [(run.task_id, run.correct) for run in runs] == [
        ("maze__maze-1", True), ("maze__maze-2", False), ("maze__maze-3", None),
    ]  # fmt: skip
    assert [run.turns[0].reported_usd for run in runs] == [0.25, 0.75, None]
    assert {(run.model, run.harness, run.benchmark) for run in runs} == {
        ("Invented-1", "Pathfinder", "puzzles")
    }
    assert runs[0].turns[0].prefill is None
    assert runs[0].reported_turns is None
    assert len(bad) == 1


def test_the_service_stands_apart_from_the_name_of_the_benchmark() -> None:
    first, second = runs_of("mcpmark_runs", "garden__water_plants.json")
    assert (first.benchmark, first.variant, first.attempt) == ("mcpmark", "garden", 1)
    assert first.reported_turns == 3
    assert first.turns[0].prefill
    assert first.turns[0].decode
    assert (first.turns[0].prefill.tokens, first.turns[0].decode.tokens) == (900, 90)
    assert second.correct is False
    assert second.turns[0].prefill is None


def test_zero_tokens_in_and_out_are_unknown() -> None:
    known, unknown = runs_of("terminal_bench", "run/results.json")
    assert known.turns[0].prefill
    assert known.turns[0].prefill.tokens == 1200
    assert (known.model, known.harness, known.attempt) == ("invented-1", "pathfinder", 2)
    assert unknown.turns[0].prefill is None
    assert unknown.turns[0].decode is None


def test_a_scaffold_and_its_model_are_folders() -> None:
    runs = runs_of("swe_effi", "pathfinder/invented-7b/combined_stats.json")
    assert {(run.harness, run.model) for run in runs} == {("pathfinder", "invented-7b")}
    assert [run.reported_turns for run in runs] == [20, 4]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("totals") / "ledger"
    measure([DATA / format for format in OWN], folder, MeasureOptions(workers=1))
    return Ledger(folder)


def test_a_run_that_stands_twice_counts_once(ledger: Ledger) -> None:
    rows = ledger.scan("trajectories").collect()
    counts = dict(rows.group_by("format").len().iter_rows())
    assert counts["swe_bench_board"] == 2, "an entry stands in two lists"
    assert counts["terminal_bench"] == 2, "a trial has a file of its own besides"


def test_money_and_tokens_are_summed_and_what_nobody_counted_stays_unknown(ledger: Ledger) -> None:
    rows = ledger.scan("trajectories").collect().to_dicts()
    index = [row for row in rows if row["format"] == "openhands_index"]
    assert [row["decode_tokens"] for row in index] == [None, None, None]
    assert [row["pte"] for row in rows] == [None] * len(rows)
    assert [row["calls"] for row in rows] == [None] * len(rows)
    assert all(row["totals_only"] for row in rows)
    money = ledger.scan("trajectories").select("format", "usd").collect()
    assert money.filter(format="openhands_index")["usd"].sum() == 1.0
    assert money.filter(format="swe_bench_board")["usd"].sum() == 0.5
    assert ledger.scan("parts").collect().is_empty()
    assert contradictions(ledger.folder, ledger.manifest) == []


def table(path: Path, **columns: str) -> list[Trajectory | BadRecord]:
    return list(runs_table.read(Source(path, path.name, columns=tuple(columns.items()))))


def test_columns_say_what_a_table_holds(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("llm,case,ok,price\nm,a,pass,0.5\nm,b,?,free\n")
    first, second = table(path, model="llm", task="case", solved="ok", usd="price")
    assert isinstance(first, Trajectory)
    assert isinstance(second, Trajectory)
    assert (first.model, first.task_id, first.correct) == ("m", "a", True)
    assert first.turns[0].reported_usd == 0.5
    assert second.correct is None
    assert second.turns[0].reported_usd is None


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("llm,case\nm,a\n")
    (problem,) = table(path, model="llm", solved="ok")
    assert isinstance(problem, BadRecord)
    assert problem.expected == "a column ok"


def test_lines_of_objects_are_a_table_too() -> None:
    runs = [run for run in table(DATA / "runs_table/runs.jsonl") if isinstance(run, Trajectory)]
    assert [(run.task_id, run.correct) for run in runs] == [("maze", True), ("bridge", False)]


def test_what_is_stated_fills_gaps_and_replaces_nothing() -> None:
    (run, *_) = runs_of("swe_effi", "pathfinder/invented-7b/combined_stats.json")
    stated = parse_stated(["model=other", r"path=/(?P<variant>[^/]+)/(?P<level>\w+)-7b/"])
    named = run.__class__(**{f: getattr(run, f) for f in run.__struct_fields__ if f != "source"},
                          source="a/pathfinder/invented-7b/combined_stats.json")  # fmt: skip
    found = state_fields(named, tuple(stated.items()))
    assert found.model == "invented-7b"
    assert (found.variant, found.level, found.stated) == ("pathfinder", "invented", "level variant")


@pytest.mark.parametrize("given", ["model", "colour=red", "path=(", "path=abc", "path=(?P<x>a)"])
def test_what_cannot_be_stated_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_stated([given])


def test_columns_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="expected NAME=COLUMN"):
        runs_table.parse_columns("model=llm,colour=red")


def test_the_server_under_test_is_its_folder(tmp_path: Path) -> None:
    given = DATA / "mcpmark/gpt-4o__filesystem/run-1/demo__count"
    run = tmp_path / "filesystem/other-server/run-3/demo__count"
    copytree(given, run)
    (found,), _ = read_as("mcpmark", run / "meta.json")
    assert (found.benchmark, found.variant, found.attempt) == (
        "mcpmark", "filesystem other-server", 3,
    )  # fmt: skip
    (plain,), _ = read_as("mcpmark", given / "meta.json")
    assert (plain.variant, plain.attempt) == ("filesystem", 1)


def test_reports_in_a_folder_of_results_say_whether_a_task_was_solved(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "trajs").mkdir()
    report = '{"resolved_ids": ["maze-1"], "submitted_ids": ["maze-1", "maze-2"]}'
    (tmp_path / "results/results.json").write_text(report)
    path = tmp_path / "trajs/maze-1.traj"
    assert [find_outcome(path, f"maze-{n}") for n in (1, 2, 3)] == [True, False, None]


def test_what_toolathlons_website_publishes_is_named_by_model_and_task(tmp_path: Path) -> None:
    path = tmp_path / "invented-1_water-plants.json"
    path.write_text(
        '{"pass": true, "messages": [{"role": "user", "content": "Water the plants."}, '
        '{"role": "assistant", "content": "Done."}]}'
    )
    (found,), _ = read_as("toolathlon", path)
    assert (found.model, found.task_id, found.correct) == ("invented-1", "water-plants", True)
