"""ATIF: steps, copied context, pieces of a run, sub-agents, and the trial around the file."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.atif import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, TokenCount, Trajectory
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "atif"
TRIAL = DATA / "trial" / "agent" / "trajectory.json"
TERMINUS = DATA / "terminus"


def read(path: Path) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name)))


def one(path: Path) -> Trajectory:
    (item,) = read(path)
    assert isinstance(item, Trajectory), item
    return item


def run_of(folder: Path, steps: list[dict[str, Any]], **fields: Any) -> Path:
    """A file with these steps."""
    path = folder / "trajectory.json"
    agent = {"name": "a", "version": "1", "model_name": "m"}
    numbered = [{"step_id": i, **step} for i, step in enumerate(steps, 1)]
    whole = {"schema_version": "ATIF-v1.7", "agent": agent, "steps": numbered, **fields}
    path.write_text(json.dumps(whole))
    return path


def act(message: str = "Go", **fields: Any) -> dict[str, Any]:
    return {"source": "agent", "message": message, **fields}


def call(call_id: str, name: str = "bash") -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": name, "arguments": {}}


def seen(*results: dict[str, Any]) -> dict[str, Any]:
    return {"results": list(results)}


@pytest.fixture(scope="module")
def main() -> Trajectory:
    return one(TRIAL)


def test_prompt_tokens_hold_the_cached_ones(main: Trajectory):
    turn = main.turns[0]
    assert turn.prefill == TokenCount(520, "reported")
    assert turn.decode == TokenCount(80, "reported")
    assert (turn.cached_tokens, turn.cache_write_tokens) == (200, 64)
    assert (turn.reasoning_tokens, turn.reported_usd) == (12, 0.00045)


def test_more_cached_than_sent_means_that_they_were_left_out(tmp_path: Path):
    metrics = {"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 500}
    (turn,) = one(run_of(tmp_path, [act(metrics=metrics)])).turns
    assert (turn.prefill, turn.cached_tokens) == (TokenCount(510, "reported"), 500)


def test_zero_metrics_mean_unknown(main: Trajectory):
    assert (main.turns[1].prefill, main.turns[1].decode) == (None, None)


def test_a_result_without_its_call_id_goes_to_the_call_still_waiting(main: Trajectory):
    listing, reading, _ = main.calls
    assert main.parts[listing.result or 0].text == "README"
    assert main.parts[reading.result or 0].text.startswith("cat: x")


def test_results_without_ids_fall_back_to_order(tmp_path: Path):
    step = act(
        tool_calls=[call("a"), call("b")], observation=seen({"content": "1"}, {"content": "2"})
    )
    trajectory = one(run_of(tmp_path, [step]))
    assert [trajectory.parts[c.result or 0].text for c in trajectory.calls] == ["1", "2"]


def test_an_earlier_call_without_a_result_takes_none_of_a_later_step(tmp_path: Path):
    steps = [
        act(tool_calls=[call("a")]),
        act(tool_calls=[call("b")], observation=seen({"content": "late"})),
    ]
    first, second = one(run_of(tmp_path, steps)).calls
    assert (first.result, first.executed) == (None, False)
    assert second.executed


def test_one_screen_for_several_commands_means_that_all_were_run():
    first, second = one(TERMINUS / "trajectory.cont-1.json").calls
    assert first.executed
    assert second.executed
    assert first.result is not None
    assert second.result is None


def test_results_beyond_the_calls_are_text_given_to_the_model(tmp_path: Path):
    step = act(
        tool_calls=[call("a")], observation=seen({"content": "1"}, {"content": "Mind the time."})
    )
    trajectory = one(run_of(tmp_path, [step, act()]))
    assert [p.text for p in trajectory.parts if p.kind == "user"] == ["Mind the time."]


def test_errors_are_read_from_extra_and_from_exit_codes(main: Trajectory, tmp_path: Path):
    assert main.calls[1].error == "exit code 1"
    flags: list[tuple[dict[str, Any], str]] = [
        ({"is_error": True}, "no such file"),
        ({"error": "Timed out\nafter 5 s"}, "Timed out"),
        ({"exit_code": 2}, "exit code 2"),
        ({"status": "failed"}, "no such file"),
    ]
    for extra, error in flags:
        result = {"source_call_id": "a", "content": "no such file", "extra": extra}
        step = act(tool_calls=[call("a")], observation=seen(result))
        assert one(run_of(tmp_path, [step])).calls[0].error == error


def test_a_call_without_a_result_was_not_seen_to_run(main: Trajectory):
    assert (main.calls[2].tool, main.calls[2].executed) == ("finish", False)


def test_an_observation_without_calls_is_text_given_to_the_model():
    trajectory = one(TERMINUS / "trajectory.json")
    assert trajectory.calls == ()
    assert [p.kind for p in trajectory.parts] == ["user", "text", "user"]
    assert trajectory.parts[2].text == "$ ls\nREADME"


def test_reasoning_is_paid_once(main: Trajectory):
    thought = next(part for part in main.parts if part.kind == "reasoning")
    assert (thought.text, thought.made, thought.enters, thought.tokens) == (
        "First look.",
        0,
        None,
        12,
    )


def test_offered_tools_and_models_are_kept(main: Trajectory, tmp_path: Path):
    assert [part.name for part in main.parts if part.kind == "schema"] == ["bash"]
    assert main.model == "openai/gpt-4o"
    other = one(run_of(tmp_path, [act(model_name="small"), act()]))
    assert [turn.model for turn in other.turns] == ["small", "m"]


def test_the_stamps_of_steps_give_no_latency(main: Trajectory):
    assert main.turns[0].latency_seconds is None


# The trial around the file ----------------------------------------------------------------------


def test_outcome_task_and_benchmark_come_from_the_trials_result(main: Trajectory):
    assert (main.task_id, main.benchmark) == ("hello-world", "terminal-bench")
    assert (main.score, main.correct) == (1.0, True)


@from_set("intake/formats/atif", "name", "text", "score")
def test_outcome_comes_from_the_verifiers_file(
    tmp_path: Path, name: str, text: str, score: float | None
):
    (tmp_path / "verifier").mkdir()
    (tmp_path / "verifier" / name).write_text(text)
    assert one(run_of(tmp_path, [act()])).score == score


def test_several_marks_without_a_main_one_are_no_outcome(tmp_path: Path):
    marks = {"verifier_result": {"rewards": {"speed": 1.0, "style": 0.5}}}
    (tmp_path / "result.json").write_text(json.dumps(marks))
    assert one(run_of(tmp_path, [act()])).score is None


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"verifier_result": 3}', '{"n_trials": 2}'])
def test_a_result_file_of_another_kind_is_no_outcome(tmp_path: Path, content: str):
    (tmp_path / "result.json").write_text(content)
    trajectory = one(run_of(tmp_path, [act()]))
    assert (trajectory.score, trajectory.task_id) == (None, None)


# Pieces and sub-agents --------------------------------------------------------------------------


def test_copied_steps_are_context_and_no_turns():
    piece = one(TERMINUS / "trajectory.cont-1.json")
    assert [turn.prefill and turn.prefill.tokens for turn in piece.turns] == [170, 260]
    assert len(piece.calls) == 2
    copied = piece.parts[:2]
    assert [(p.kind, p.made, p.enters) for p in copied] == [("user", None, 0), ("text", None, 0)]


def test_pieces_of_a_run_do_not_double_count():
    pieces = [one(TERMINUS / name) for name in ("trajectory.json", "trajectory.cont-1.json")]
    assert [len(piece.turns) for piece in pieces] == [1, 2]
    assert [piece.parent_id for piece in pieces] == [None, None]


def test_only_the_last_piece_of_a_run_has_the_marks(tmp_path: Path):
    shutil.copytree(TERMINUS, tmp_path / "run")
    shutil.copy(DATA / "trial" / "result.json", tmp_path / "run")
    found = {path.name: one(path) for path in (tmp_path / "run").glob("trajectory*.json")}
    assert {name: piece.correct for name, piece in found.items()} == {
        "trajectory.json": None,
        "trajectory.cont-1.json": True,
        "trajectory.summarization-1-summary.json": None,
    }
    assert {piece.task_id for piece in found.values()} == {"hello-world"}


def test_a_summarising_sub_agent_is_a_trajectory_of_its_own_with_its_parent():
    path = TERMINUS / "trajectory.summarization-1-summary.json"
    (item,) = FORMAT.read(Source(path, f"runs/{path.name}"))
    assert isinstance(item, Trajectory)
    assert item.parent_id == "runs/trajectory.json#0"
    assert (len(item.turns), len(item.calls)) == (1, 0)
    assert [p.kind for p in item.parts] == ["user", "text", "request", "result", "user", "text"]


def test_a_sub_agents_file_is_found_by_the_reference_beside_it(tmp_path: Path):
    ref = [{"trajectory_path": "agents/helper.json"}]
    step = act(tool_calls=[call("a")], observation=seen({"subagent_trajectory_ref": ref}))
    helper = run_of(tmp_path, [act()]).rename(tmp_path / "helper.json")
    run_of(tmp_path, [step])
    assert one(helper).parent_id == "trajectory.json#0"
    assert one(tmp_path / "trajectory.json").parent_id is None


def test_without_the_parents_file_the_session_tells_a_sub_agent(tmp_path: Path):
    path = tmp_path / "alone.json"
    shutil.copy(TERMINUS / "trajectory.summarization-1-summary.json", path)
    assert one(path).parent_id == "run-2"


def test_a_summary_retires_what_was_before_it_but_the_first_prompt(tmp_path: Path):
    ref = {"subagent_trajectory_ref": [{"trajectory_path": "trajectory.summarization-1-x.json"}]}
    steps = [
        {"source": "user", "message": "Task"},
        act("Old", observation=seen({"content": "Old screen"})),
        act("Older"),
        {"source": "system", "message": "Performed", "observation": seen(ref)},
        {"source": "user", "message": "Go on"},
        act("New"),
    ]
    parts = {part.text: part for part in one(run_of(tmp_path, steps)).parts}
    assert (parts["Task"].enters, parts["Task"].leaves) == (0, None)
    assert parts["Old"].leaves == parts["Old screen"].leaves == 2
    assert parts["Older"].enters is None
    assert "Performed" not in parts


def test_embedded_sub_agents_are_trajectories_of_their_own():
    root, helper, inner = read(DATA / "embedded.json")
    assert isinstance(root, Trajectory)
    assert isinstance(helper, Trajectory)
    assert isinstance(inner, Trajectory)
    assert (root.trajectory_id, root.parent_id, root.model) == ("embedded.json#0", None, "big")
    assert helper.trajectory_id == "embedded.json#0/0"
    assert (helper.parent_id, helper.model) == (root.trajectory_id, "small")
    assert (helper.parent_call_id, inner.parent_call_id) == ("d2", None)
    assert inner.trajectory_id == "embedded.json#0/0/0"
    assert inner.parent_id == helper.trajectory_id
    assert [len(t.turns) for t in (root, helper, inner)] == [4, 1, 1]


# Version 1.7 ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def root() -> Trajectory:
    item = read(DATA / "embedded.json")[0]
    assert isinstance(item, Trajectory)
    return item


def test_a_step_of_several_model_calls_is_as_many_turns_with_the_same_sum(root: Trajectory):
    # 100 prompt tokens over 3 calls: 33, 33 and 34; 10 decoded: 3, 3 and 4.
    assert [turn.prefill for turn in root.turns[:3]] == [
        TokenCount(33, "scaled"),
        TokenCount(33, "scaled"),
        TokenCount(34, "scaled"),
    ]
    assert [turn.decode and turn.decode.tokens for turn in root.turns[:3]] == [3, 3, 4]
    assert sum(turn.reported_usd or 0 for turn in root.turns) == pytest.approx(0.03)
    assert root.calls[0].turn == 2


def test_a_step_without_a_model_call_is_context(root: Trajectory):
    assert [c.tool for c in root.calls] == ["ask_helper"]
    loaded = [(p.kind, p.text, p.enters) for p in root.parts if p.made is None][1:3]
    assert loaded == [("request", 'load {"path":"a.png"}', 0), ("result", "loaded", 0)]


def test_a_result_that_only_refers_to_a_sub_agent_is_still_a_result(root: Trajectory):
    (asked,) = root.calls
    assert asked.executed
    assert asked.error == "error"
    assert root.parts[asked.result or 0].text == ""


def test_a_replacing_boundary_retires_all_that_was_before(root: Trajectory):
    context = [
        p.text for p in root.parts if p.enters is not None and p.enters <= 3 and not p.leaves
    ]
    assert context == ["Summary: the file is x."]


def test_images_are_left_out_of_the_text(root: Trajectory):
    assert root.parts[0].text == "What is in the picture?"


@pytest.mark.parametrize("count", [-1, 1001, 10**30])
def test_an_impossible_number_of_model_calls_is_a_bad_record(tmp_path: Path, count: int):
    bad, good = read(run_of(tmp_path, [act(llm_call_count=count), act()]))
    assert isinstance(bad, BadRecord)
    assert bad.place == "steps[0]"
    assert isinstance(good, Trajectory)
    assert len(good.turns) == 1


# Files ------------------------------------------------------------------------------------------


def test_a_bad_step_costs_only_itself(tmp_path: Path):
    bad, good = read(run_of(tmp_path, [act(), {"source": "agent", "message": 5}, act()]))
    assert isinstance(bad, BadRecord)
    assert bad.place == "steps[1]"
    assert isinstance(good, Trajectory)
    assert len(good.turns) == 2


def test_an_unknown_source_is_a_bad_record(tmp_path: Path):
    bad, _ = read(run_of(tmp_path, [{"source": "judge", "message": "x"}, act()]))
    assert isinstance(bad, BadRecord)
    assert bad.found == "'judge'"


def test_a_damaged_agent_is_told_and_the_steps_are_read(tmp_path: Path):
    bad, good = read(run_of(tmp_path, [act()], agent={"model_name": 4}))
    assert isinstance(bad, BadRecord)
    assert bad.place == "agent"
    assert isinstance(good, Trajectory)
    assert good.model is None


def test_a_file_without_an_answer_is_a_bad_record(tmp_path: Path):
    (item,) = read(run_of(tmp_path, [{"source": "user", "message": "Hi"}]))
    assert isinstance(item, BadRecord)
    assert (item.place, item.expected) == ("file", "at least one step in which a model answered")


def test_lines_and_lists_of_trajectories_are_read(tmp_path: Path):
    whole = json.loads((DATA / "embedded.json").read_bytes())
    lines, listed = tmp_path / "runs.jsonl", tmp_path / "runs.json"
    lines.write_text(json.dumps(whole) + "\n" + json.dumps(whole) + "\n")
    listed.write_text(json.dumps([whole, whole], indent=1))
    for path, first in ((lines, 1), (listed, 0)):
        assert FORMAT.detect(Head(path)) > 0.9
        ids = [item.trajectory_id for item in read(path) if isinstance(item, Trajectory)]
        assert ids == [
            f"{path.name}#{n}{rest}" for n in (first, first + 1) for rest in ("", "/0", "/0/0")
        ]


def test_sub_agents_nested_too_deep_are_a_bad_record(tmp_path: Path):
    inner: dict[str, Any] = {"schema_version": "ATIF-v1.7", "steps": [act()]}
    for _ in range(30):
        inner = {"schema_version": "ATIF-v1.7", "steps": [act()], "subagent_trajectories": [inner]}
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(inner))
    *trajectories, last = read(path)
    assert len(trajectories) == 17
    assert isinstance(last, BadRecord)
    assert last.expected == "at most 16 levels of sub-agents"


def test_the_training_export_is_not_atif():
    assert FORMAT.detect(Head(TERMINUS / "hello.traces.json")) == 0


def test_text_that_quotes_atif_is_not_atif(tmp_path: Path):
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"role": "user", "content": '"schema_version": "ATIF-v1.5"'}))
    assert FORMAT.detect(Head(path)) == 0


def test_steps_under_another_schema_are_not_atif(tmp_path: Path):
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"schema_version": "2.1.0", "agent": {}, "steps": []}))
    assert FORMAT.detect(Head(path)) == 0
