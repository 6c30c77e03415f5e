"""A response counts once, whichever files it stands in and in whatever order they come."""

import json
import random
import shutil
from pathlib import Path

import polars as pl
import pytest
from msgspec import structs

from agentdyno.api import open as open_ledger
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview as overview
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records.ledger import COUNTED
from tests.labelled import mostly_slow
from tests.ledger.traces import chat, glob
from tests.pipelines.session_corpus import Session, Truth, save, write_corpus

pytestmark = pytest.mark.daily

ONE = MeasureOptions(workers=1, costs_only=True)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Truth]:
    """The same folder by three paths: itself, a copy, a copy with other names."""
    root = tmp_path_factory.mktemp("corpus")
    truth = write_corpus(root / "sessions")
    shutil.copytree(root / "sessions", root / "backup" / "deep" / "sessions")
    for number, path in enumerate(sorted((root / "sessions").rglob("*.jsonl"))):
        named = "agent-" if path.name.startswith("agent-") else ""
        (root / "renamed").mkdir(exist_ok=True)
        shutil.copy(path, root / "renamed" / f"{named}{number}.jsonl")
    return root, truth


@pytest.fixture(scope="module")
def sessions(corpus: tuple[Path, Truth], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of the sessions alone, only read."""
    ledger = tmp_path_factory.mktemp("sessions") / "ledger"
    measure([corpus[0] / "sessions"], ledger, ONE)
    return ledger


def totals(ledger: Path) -> dict[str, int]:
    turns, calls = glob(ledger, "turns"), glob(ledger, "calls")
    assert turns["identity"].is_unique().all()
    assert turns.select("trajectory_id", "turn").is_unique().all()
    sums = {
        name: int(turns[name].sum())
        for name in ("context_tokens", "cached_tokens", "cache_write_tokens", "decode_tokens")
    }
    return {"turns": len(turns), "calls": len(calls), **sums}


def assert_adds_up(ledger: Path) -> None:
    """What a trajectory is said to cost is what its turns and its parts cost."""
    frames = {name: Ledger(ledger).read(name) for name in COUNTED}
    whole = frames["trajectories"].sort("trajectory_id")
    for name in ("turns", "parts"):
        sums = frames[name].group_by("trajectory_id").agg(pl.col("pte", "pte_growth").sum())
        joined = whole.join(sums, on="trajectory_id", suffix="_sum")
        assert len(joined) == len(whole)
        for column in ("pte", "pte_growth"):
            assert joined[f"{column}_sum"].to_list() == pytest.approx(joined[column].to_list())
    for name in ("turns", "calls"):
        counts = frames[name].group_by("trajectory_id").agg(counted=pl.len())
        joined = whole.join(counts, on="trajectory_id", how="left")
        assert (joined["counted"].fill_null(0) == joined[name]).all()


@pytest.mark.parametrize("seed", mostly_slow(range(6), [0, 1]))
def test_totals_are_the_truth_in_every_order(
    corpus: tuple[Path, Truth], tmp_path: Path, seed: int
) -> None:
    root, truth = corpus
    rng = random.Random(seed)
    files = sorted(root.rglob("*.jsonl"))
    rng.shuffle(files)
    # Some runs take all at once, some file by file, some in two goes.
    cuts = [(), (len(files) // 2,), (3, 9, 20)][seed % 3]
    for start, stop in zip((0, *cuts), (*cuts, len(files)), strict=True):
        measured = measure(files[start:stop], tmp_path / "ledger", ONE)
    assert totals(tmp_path / "ledger") == truth.totals()
    assert_adds_up(tmp_path / "ledger")
    assert measured.repeats == len(glob(tmp_path / "ledger", "repeats"))


def test_every_single_response_has_its_last_usage(
    corpus: tuple[Path, Truth], tmp_path: Path
) -> None:
    root, truth = corpus
    measure([root], tmp_path / "ledger", ONE)
    rows = {
        (r["response_id"], r["request_id"]): r
        for r in glob(tmp_path / "ledger", "turns").iter_rows(named=True)
    }
    # The last answer of an agent that has no file of its own is known by its usage alone.
    bare = [r for key, r in rows.items() if key == (None, None)]
    assert len(bare) == 1
    unnamed = [r for key, r in truth.responses.items() if key not in rows]
    assert [(r.prompt, r.read, r.decode) for r in unnamed] == [
        (bare[0]["context_tokens"], bare[0]["cached_tokens"], bare[0]["decode_tokens"])
    ]
    for key, expected in truth.responses.items():
        if key in rows:
            found = rows[key]
            assert found["context_tokens"] == expected.prompt
            assert found["cached_tokens"] == expected.read
            assert (found["decode_tokens"], found["decode_source"]) == (expected.decode, "reported")
            assert found["calls"] == len(expected.calls)


def test_forks_resumed_talks_and_agents_know_where_they_come_from(sessions: Path) -> None:
    rows, calls = glob(sessions, "trajectories"), glob(sessions, "calls")
    relations = rows["relation"].value_counts(sort=True)
    assert dict(relations.iter_rows()) == {"sub-agent": 3, "fork": 2, "resumed": 1, None: 1}
    [longest] = rows.filter(pl.col("relation").is_null())["trajectory_id"]
    assert set(rows.filter(relation="fork")["continues_id"]) == {longest}
    assert set(rows.filter(relation="resumed")["continues_id"]) == {longest}
    assert set(rows["title"].drop_nulls()) == {
        "Please find out why the tests fail.",
        "Look into this for me, thoroughly.",
        "One more thing.",
    }
    for agent in rows.filter(relation="sub-agent").iter_rows(named=True):
        started = calls.filter(call_id=agent["parent_call_id"])
        assert started["trajectory_id"].to_list() == [agent["parent_id"]]


def test_rows_say_where_they_stand(corpus: tuple[Path, Truth], sessions: Path) -> None:
    root, _ = corpus
    whose = glob(sessions, "trajectories").select("trajectory_id", "source")
    turns = glob(sessions, "turns").join(whose, on="trajectory_id")
    for row in turns.filter(pl.col("response_id").is_not_null()).iter_rows(named=True):
        line = (root / row["source"]).read_text().splitlines()[row["line"] - 1]
        assert row["response_id"] in line
    calls = glob(sessions, "calls").join(whose, on="trajectory_id")
    for row in calls.iter_rows(named=True):
        line = (root / row["source"]).read_text().splitlines()[row["line"] - 1]
        assert row["call_id"] in line


def test_a_response_comes_back_when_the_place_where_it_counted_changes(
    corpus: tuple[Path, Truth], tmp_path: Path
) -> None:
    root, _ = corpus
    traces = tmp_path / "traces"
    traces.mkdir()
    for name in ("save2.jsonl", "save5.jsonl"):
        shutil.copy(root / "sessions" / name, traces / name)
    measure([traces], tmp_path / "ledger", ONE)
    (traces / "save5.jsonl").write_text(
        "".join((traces / "save5.jsonl").read_text().splitlines(True)[:3])
    )
    measure([traces], tmp_path / "ledger", ONE)
    measure([traces / "save2.jsonl"], tmp_path / "other", ONE)
    assert totals(tmp_path / "ledger") == totals(tmp_path / "other")
    assert_adds_up(tmp_path / "ledger")


def test_rows_of_a_source_that_is_gone_stay(corpus: tuple[Path, Truth], tmp_path: Path) -> None:
    root, truth = corpus
    shutil.copytree(root / "sessions", tmp_path / "sessions")
    measure([tmp_path / "sessions"], tmp_path / "ledger", ONE)
    for path in (tmp_path / "sessions").glob("save*.jsonl"):
        path.unlink()
    measure([tmp_path / "sessions"], tmp_path / "ledger", ONE)
    assert totals(tmp_path / "ledger") == truth.totals()


@pytest.fixture
def agent_in_two_files(tmp_path: Path) -> tuple[Path, Path, Truth]:
    """A session cut in two while a sub-agent worked: its lines, then its report."""
    truth = Truth()
    main = Session(random.Random(7), truth, "5e551011-eeee-4000-8000-000000000005")
    main.ask("Please look around.")
    main.work(1)
    main.delegate(inline=True)
    main.work(1)
    cut = next(i for i, line in enumerate(main.lines) if "toolUseResult" in line)
    save(tmp_path / "lines.jsonl", main.lines[:cut])
    save(tmp_path / "report.jsonl", main.lines[cut:])
    return tmp_path / "lines.jsonl", tmp_path / "report.jsonl", truth


def test_an_agent_whose_lines_and_report_stand_in_two_files_is_one_agent(
    agent_in_two_files: tuple[Path, Path, Truth], tmp_path: Path
) -> None:
    *files, truth = agent_in_two_files
    for order in (files, files[::-1]):
        ledger = tmp_path / order[0].stem
        for file in order:
            measure([file], ledger, ONE)
        assert totals(ledger) == truth.totals()
        agents = glob(ledger, "trajectories").filter(pl.col("parent_id").is_not_null())
        whole, rest = agents.sort("turns", descending=True).iter_rows(named=True)
        assert (whole["relation"], rest["relation"]) == ("sub-agent", "resumed")
        assert rest["continues_id"] == whole["trajectory_id"]
        assert agents["coverage"].to_list() == [None, None]
        summary = overview(ledger).results["glance"].summary
        assert (summary.agents.started.trajectories, summary.agents.lower_bounds) == (1, None)


def test_an_agent_known_only_by_its_report_is_a_lower_bound(
    agent_in_two_files: tuple[Path, Path, Truth], tmp_path: Path
) -> None:
    _, report, _ = agent_in_two_files
    measure([report], tmp_path / "ledger", ONE)
    [agent] = (
        glob(tmp_path / "ledger", "trajectories")
        .filter(pl.col("parent_id").is_not_null())
        .iter_rows(named=True)
    )
    assert (agent["turns"], agent["calls"], agent["coverage"]) == (1, 0, "lower_bound")
    assert agent["reported_calls"] > 0
    told = overview(tmp_path / "ledger", only=("glance",)).topics[0]
    assert any("cost at least" in term.text for term in told.terms)
    assert any("1 sub-agent known only in part" in note for note in told.notes)


def test_an_agent_that_made_no_call_is_known_whole_by_its_report(
    agent_in_two_files: tuple[Path, Path, Truth], tmp_path: Path
) -> None:
    _, report, _ = agent_in_two_files
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    lines[0]["toolUseResult"]["totalToolUseCount"] = 0
    _write(tmp_path / "none.jsonl", lines)
    measure([tmp_path / "none.jsonl"], tmp_path / "ledger", ONE)
    assert glob(tmp_path / "ledger", "trajectories")["coverage"].null_count() == 2


def _write(path: Path, records: list[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_two_equal_conversations_without_ids_stay_two(tmp_path: Path) -> None:
    same = chat(1) | {"task_id": None}
    _write(tmp_path / "t" / "a.jsonl", [same, same])
    _write(tmp_path / "t" / "b.jsonl", [same, chat(2)])
    measured = measure([tmp_path / "t"], tmp_path / "ledger", ONE)
    assert len(glob(tmp_path / "ledger", "trajectories")) == 4
    assert measured.repeats == 0


def test_a_copy_of_a_file_without_ids_is_the_same_file(tmp_path: Path) -> None:
    _write(tmp_path / "t" / "a.jsonl", [chat(1), chat(1), chat(2)])
    shutil.copy(tmp_path / "t" / "a.jsonl", tmp_path / "t" / "copy of a.jsonl")
    measured = measure([tmp_path / "t"], tmp_path / "ledger", ONE)
    assert len(glob(tmp_path / "ledger", "trajectories")) == 3
    assert measured.repeats == 6


def test_byte_equal_runs_are_repeats_unless_they_are_kept(tmp_path: Path) -> None:
    for run in ("run1", "run2", "run3"):
        _write(tmp_path / "t" / run / "out.jsonl", [chat(1), chat(2)])
    default, kept = tmp_path / "default", tmp_path / "kept"
    assert measure([tmp_path / "t"], default, ONE).repeats == 8
    assert "count each with --keep-equal" in " ".join(
        overview(default, only=("glance",)).topics[0].notes
    )
    keeping = structs.replace(ONE, keep_equal=True)
    assert measure([tmp_path / "t"], kept, keeping).repeats == 0
    assert len(glob(kept, "trajectories")) == 3 * len(glob(default, "trajectories"))
    # Measuring again with the same choice changes nothing.
    assert measure([tmp_path / "t"], kept, keeping).new_files == 0


def test_a_copy_without_request_ids_does_not_double_a_session(
    corpus: tuple[Path, Truth], tmp_path: Path
) -> None:
    root, truth = corpus
    for path in sorted((root / "sessions").rglob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for line in lines:
            line.pop("requestId", None)
            line.get("data", {}).get("message", {}).pop("requestId", None)
        _write(tmp_path / "stripped" / path.relative_to(root), lines)
    measure([root / "sessions", tmp_path / "stripped"], tmp_path / "ledger", ONE)
    assert totals(tmp_path / "ledger") == truth.totals()


def test_a_conversation_with_random_call_ids_is_known_again_as_it_grows(tmp_path: Path) -> None:
    text = json.dumps(chat(1, calls=4)).replace('"c', '"call_7Hq2Lw9Zx0Rt4')
    grown = json.loads(text)
    early = grown | {"messages": grown["messages"][:6]}
    _write(tmp_path / "t" / "a.jsonl", [early])
    _write(tmp_path / "t" / "b.jsonl", [chat(9), grown])
    measured = measure([tmp_path / "t"], tmp_path / "ledger", ONE)
    assert measured.repeats == 2
    assert glob(tmp_path / "ledger", "trajectories")["turns"].sort().to_list() == [2, 5]


def test_ids_that_a_server_counts_from_one_identify_nothing(tmp_path: Path) -> None:
    def call(answer: str, question: str) -> dict[str, object]:
        message = {"role": "assistant", "content": answer}
        response = {"id": "chatcmpl-1", "choices": [{"message": message}]}
        request = {"model": "m", "messages": [{"role": "user", "content": question}]}
        return {"request": request, "response": response}

    _write(tmp_path / "t" / "a.jsonl", [call("4", "2 + 2"), call("5", "2 + 3")])
    _write(tmp_path / "t" / "b.jsonl", [call("4", "2 + 2")])
    measured = measure([tmp_path / "t"], tmp_path / "ledger", ONE)
    assert (len(glob(tmp_path / "ledger", "turns")), measured.repeats) == (3, 0)


def test_a_trajectory_read_again_is_the_one_in_the_tables(sessions: Path) -> None:
    ledger = ReadableLedger(sessions)
    frames = {name: ledger.read(name).sort("trajectory_id") for name in COUNTED}
    rows = {r["trajectory_id"]: r for r in frames["trajectories"].iter_rows(named=True)}
    again = {t.trajectory_id: t for t in ledger.trajectories()}
    assert again.keys() == rows.keys()
    for name, trajectory in again.items():
        assert len(trajectory.turns) == rows[name]["turns"]
        mine = frames["turns"].filter(trajectory_id=name).sort("turn")
        assert mine["turn"].to_list() == list(range(len(trajectory.turns)))
        assert mine["response_id"].to_list() == [t.response_id for t in trajectory.turns]
        calls = frames["calls"].filter(trajectory_id=name).sort("turn", "call")
        assert calls.select("turn", "call_id").rows() == [
            (c.turn, c.call_id) for c in trajectory.calls
        ]
        parts = frames["parts"].filter(pl.col("trajectory_id") == name, pl.col("kind") != "unseen")
        for row in parts.iter_rows(named=True):
            part = trajectory.parts[row["part"]]
            found = (row["kind"], row["made"], row["enters"], row["leaves"])
            assert found == (part.kind, part.made, part.enters, part.leaves)
            assert (row["call"] is None) == (part.call is None)


def test_a_ledger_whose_measurement_was_killed_before_it_settled_counts_once_when_it_is_read(
    corpus: tuple[Path, Truth], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> int:
        raise KeyboardInterrupt

    root, truth = corpus
    with monkeypatch.context() as patched:
        patched.setattr("agentdyno.pipelines.measure.deduplicate_ledger", killed)
        with pytest.raises(KeyboardInterrupt):
            measure([root], tmp_path, ONE)
    assert not load(tmp_path).settled
    assert len(glob(tmp_path, "turns")) > len(truth.responses)

    turns = open_ledger(tmp_path).table("turns")

    assert len(turns) == len(truth.responses)
    assert Ledger(tmp_path).manifest.settled
    assert_adds_up(tmp_path)


def test_what_a_run_in_progress_has_not_settled_yet_is_said(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text(json.dumps(chat(1)) + "\n")
    ledger = tmp_path / "ledger"
    measure([trace], ledger, ONE)
    with LedgerWriter(ledger, {}) as writer:
        writer.drop(set())  # Changes the ledger, and has not settled it yet.
        with pytest.warns(UserWarning, match="is being measured"):
            assert len(open_ledger(ledger).table("turns")) == 2
    assert len(open_ledger(ledger).table("turns")) == 2


ONE_SESSION = Path(__file__).resolve().parents[1] / "data" / "one_session"
BY_WAYS = ("session.jsonl", "telemetry.jsonl", "proxy.jsonl", "bodies")
"""How the same two responses may come: as a session, telemetry, a proxy's log, raw bodies."""


@pytest.mark.parametrize(
    "order",
    mostly_slow([BY_WAYS, BY_WAYS[::-1], BY_WAYS[:2], BY_WAYS[1::-1]], [BY_WAYS, BY_WAYS[1::-1]]),
)
def test_a_response_that_comes_by_several_ways_is_one_turn(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    for name in order:
        measured = measure(
            [ONE_SESSION / name], tmp_path / "l", MeasureOptions(workers=1, costs_only=True)
        )
    ledger = Ledger(measured.ledger)
    turns, parts = ledger.read("turns"), ledger.read("parts")
    got = sorted(turns["identity"])
    assert got == ["msg_01Hq4TnWbX7cKvRz2LpYd9Fs", "msg_01Jr5UoXcY8dLwSa3MqZe0Gt"]
    # By hand, at $5, $6.25, $0.50 and $25 a million: 8 in, 1,100 written, 142 out; then 4 in, 1,100
    # read, 60 written, 61 out. The session file has a placeholder for the 142, and no price.
    assert (turns["decode_tokens"].sum(), set(turns["decode_source"])) == (142 + 61, {"reported"})
    assert turns["usd"].sum() == pytest.approx(0.010465 + 0.00247)
    assert turns["reported_usd"].sum() == pytest.approx(0.010465 + 0.00247)
    assert parts["usd"].sum() == pytest.approx(turns["usd"].sum())
    assert parts["pte"].sum() == pytest.approx(turns["pte"].sum())
    assert ledger.read("calls")["wait_seconds"].to_list() == pytest.approx([1.8])
    shown = set(parts.filter(pl.col("kind") == "schema")["name"])
    assert shown == ({"Bash", "Read", "Edit"} if "proxy.jsonl" in order else set())


def test_what_was_filled_in_goes_with_its_source(tmp_path: Path) -> None:
    session, telemetry = (Path(shutil.copy(ONE_SESSION / n, tmp_path)) for n in BY_WAYS[:2])
    first = "req_011CYa3KmP8sTvWxZbQd6Lf2"
    for record in (telemetry.read_text(), telemetry.read_text().replace(first, "req_unknown")):
        telemetry.write_text(record)
        measured = measure(
            [session, telemetry], tmp_path / "l", MeasureOptions(workers=1, costs_only=True)
        )
        turns = (
            Ledger(measured.ledger).read("turns").filter(pl.col("identity").str.starts_with("m"))
        )
        expected = 0.01156 if "req_unknown" in record else 0.012935
        assert (turns["usd"].sum(), len(turns)) == (pytest.approx(expected), 2)
