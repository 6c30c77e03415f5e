"""Where every token of a context comes from, by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview
from agentdyno.studies.origins import Origin, Origins, sum_by_origin
from agentdyno_daily.origins.instruction_files import read_sections
from agentdyno_daily.origins.token_origins import CONSTANTS, Piece, count_classes, fit
from agentdyno_daily.origins.topic import ORIGINS
from tests.studies.test_cache import HAIKU, READ, SHORT, Talk

CALL = {"type": "tool_use", "id": "toolu_1", "name": "Skill", "input": {"skill": "review"}}


def _ask(ledger: Path) -> Any:
    return build_overview(ledger, only=("origins",), sections=(ORIGINS,)).results["origins"]


def _origins(talk: Talk, folder: Path, *others: dict[str, Any]) -> Origins:
    found = _ask(talk.measure(folder, *others))
    assert isinstance(found, Origins)
    assert found.usd == pytest.approx(sum(each.usd for each in found.rows))
    return found


def _by_name(found: Origins) -> dict[str, Any]:
    return {each.origin if each.name is None else f"{each.origin} {each.name}": each
            for each in found.rows}  # fmt: skip


def test_a_text_is_counted_by_class_of_character() -> None:
    text = "a" * 300 + "7" * 10 + "!" * 20
    assert count_classes(text) == (330, 10, 20)
    assert np.dot(count_classes(text), CONSTANTS[:3]) == pytest.approx(91.88)


def test_a_first_turn_is_the_client_the_installation_and_what_nothing_explains(
    tmp_path: Path,
) -> None:
    found = _by_name(_origins(Talk().turn(0, 0, 70_000), tmp_path))
    # The prompt "Go on, step 0." is 14 characters, 1 digit, 2 marks: 5.1 of 70,010 tokens.
    assert found["this task"].tokens == pytest.approx(5.08, abs=0.01)
    assert found["client and built-in tools"].tokens == 20_600
    rest = found["plugins, MCP servers, memory (not logged)"]
    assert (rest.tokens, rest.known_by) == (40_000, "difference")
    assert found["unexplained"].tokens == pytest.approx(70_010 - 5.08 - 60_600, abs=0.01)
    assert found["client and built-in tools"].usd == pytest.approx(20_600 * SHORT, rel=0.001)


def test_what_another_model_has_beyond_the_texts_is_its_own_installation(tmp_path: Path) -> None:
    talk = Talk().turn(0, 0, 20_000).turn(60, 0, 110_000, model=HAIKU)
    found = _by_name(_origins(talk.turn(60, 0, 20_300), tmp_path))
    rest = found["plugins, MCP servers, memory (not logged)"]
    # Haiku's turn has 90,000 more, less the answer and the prompt that came; Opus's next has not.
    assert rest.tokens == pytest.approx(90_000 - 140, abs=100)


def test_what_a_search_for_tools_brings_is_the_client_s(tmp_path: Path) -> None:
    tool = [{"type": "tool_reference", "tool_name": "WebFetch"}]
    came = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": tool}]
    talk = Talk().turn(0, 0, 30_000).turn(60, 30_000, 2_000, prompt=came)
    found = _by_name(_origins(talk, tmp_path))
    assert found["client and built-in tools"].tokens == 2 * 20_600 + 1_150


def test_what_was_cached_and_paid_again_is_an_origin_of_its_own(tmp_path: Path) -> None:
    talk = Talk().turn(0, 0, 40_000).turn(60, 40_000, 2_000).turn(480, 0, 43_000)
    found = _by_name(_origins(talk, tmp_path))
    assert found["lost cache paid again"].usd == pytest.approx(42_000 * SHORT)


def test_results_cleared_without_a_line_leave_the_context(tmp_path: Path) -> None:
    # The result has 10,800 tokens. Then 9,900 fewer are billed, where 143 came: 757 are left.
    found = _task_tokens(_read_long().turn(5, 30_000, 1_000), tmp_path)
    assert found == pytest.approx(10_800 + 757, rel=0.03)


def test_a_context_that_dips_for_one_turn_keeps_its_results(tmp_path: Path) -> None:
    talk = _read_long().turn(5, 30_000, 1_000).turn(5, 31_000, 10_400)
    assert _task_tokens(talk, tmp_path) > 2 * 10_800


def _read_long() -> Talk:
    call = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
    came = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "x" * 50_000}]
    talk = Talk().turn(0, 0, 30_000, answer={"content": [call]})
    return talk.turn(5, 30_000, 10_900, prompt=came)


def _task_tokens(talk: Talk, folder: Path) -> float:
    found = _by_name(_origins(talk, folder))
    return sum(each.tokens for name, each in found.items() if "task" in name)


def test_a_task_grows_old_with_the_prompts_after_it(tmp_path: Path) -> None:
    talk = Talk()
    for number in range(5):
        talk.turn(60, 30_000 + 800 * number, 100, prompt="x" * 1000 if number == 0 else "Go on.")
    found = _by_name(_origins(talk, tmp_path))
    # 1,000 letters are 216 tokens; every later prompt "Go on." comes with the answer before it,
    # "Done. " * 60. The first prompt is one or two prompts old at two turns, older at two; of the
    # four later ones, five turns see one that is one or two prompts old, and one an older one.
    later = 6 * 0.216 + 0.78 + 360 * 0.216 + 60 * 0.78
    for name, tokens in (
        ("this task", 216 + 4 * later),
        ("earlier tasks, 1 or 2 prompts ago", 2 * 216 + 5 * later),
        ("earlier tasks, 3 or more prompts ago", 2 * 216 + later),
    ):
        assert found[name].tokens == pytest.approx(tokens, rel=0.001)


def test_reasoning_without_its_text_is_what_was_generated_beyond_what_is_shown(
    tmp_path: Path,
) -> None:
    hidden = {"content": [{"type": "thinking", "thinking": "", "signature": "x" * 900},
                          {"type": "text", "text": "Done."}]}  # fmt: skip
    talk = Talk().turn(0, 0, 30_000, answer=hidden).turn(60, 30_000, 900)
    found = _by_name(_origins(talk, tmp_path))
    # 100 tokens were generated, "Done." is 1.9 of them; "Go on, step 0." is 5.1, then 1 prompt old.
    assert found["earlier tasks, 1 or 2 prompts ago"].tokens == pytest.approx(5.08, abs=0.01)
    assert found["this task"].tokens == pytest.approx(5.08 + 5.08 + 100, abs=0.01)


def test_what_a_compaction_puts_back_is_named(tmp_path: Path) -> None:
    talk = Talk().turn(0, 0, 30_000).turn(60, 30_000, 30_000)
    talk.turn(60, 10_000, 29_000, line={"isCompactSummary": True}).turn(60, 39_000, 500)
    found = _by_name(_origins(talk, tmp_path))
    # 30,010 tokens were hidden at first; 39,010 are billed after the summary, whose text is small.
    put_back = found["put back after compaction"]
    assert put_back.known_by == "difference"
    assert put_back.tokens == pytest.approx(2 * 9_000, rel=0.01)


def test_a_skill_s_text_counts_to_the_skill_and_to_its_call(tmp_path: Path) -> None:
    text = "Look at every line. " * 500
    talk = Talk().turn(0, 0, 30_000, answer={"content": [CALL]})
    result = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "Launching skill"}]
    talk.turn(5, 30_000, 4_000, prompt=result)
    added = talk.lines.pop()  # The answer comes behind the skill's text.
    talk._add("user", {"content": text}, 0, isMeta=True, sourceToolUseID="toolu_1")
    talk.lines.append(added | {"parentUuid": "u3", "uuid": "u4"})
    found = _by_name(_origins(talk, tmp_path))
    skill = found["skill review"]
    assert skill.tokens == pytest.approx(10_000 * 0.216 + 500 * 0.78, rel=0.01)
    spent = build_overview(tmp_path / "ledger", only=("spending",)).results["spending"]
    [row] = spent.kinds["skill"]
    assert row.usd > 0.8 * skill.usd


def test_a_session_that_goes_on_in_another_file_is_stitched(tmp_path: Path) -> None:
    first = Talk().turn(0, 0, 25_000).turn(60, 25_000, 9_000)
    for number in range(2):
        first.turn(30, 34_000 + number * 100, 100, prompt="y" * 40_000 if number == 0 else "Go.")
    second = Talk()
    second.at = first.at + 30
    second.turn(30, 44_000, 500, line={"parentUuid": "elsewhere"})
    for line in second.lines:
        line["uuid"] = f"b{line['uuid']}"
        if line["type"] == "assistant":
            line["message"]["id"] = "msg_01zzzzzzzzzzzzzzzzzzzzzz"
            line["parentUuid"] = "bu0"
    traces = tmp_path / "traces"
    first.measure(tmp_path / "a")
    second.measure(tmp_path / "b")
    traces.mkdir()
    for name in "ab":
        (traces / f"{name}.jsonl").write_bytes(
            (tmp_path / name / "traces" / "s1.jsonl").read_bytes()
        )
    ledger = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    found = _by_name(_ask(ledger))
    assert "earlier conversation in another file" not in found
    assert found["earlier tasks, 1 or 2 prompts ago"].tokens > 8_000


def test_all_skills_are_one_row_of_a_first_screen() -> None:
    row = {"known_by": "logged", "tokens": 10.0}
    found = Origins(10.0, 0.0, [
        Origin(origin="this task", name=None, usd=4.0, share=0.4, **row),
        Origin(origin="skill", name="a", usd=3.5, share=0.35, **row),
        Origin(origin="skill", name="b", usd=2.5, share=0.25, **row),
    ])  # fmt: skip
    assert [(each.origin, each.usd, each.share, each.tokens) for each in sum_by_origin(found)] == [
        ("skill", 6.0, pytest.approx(0.6), 20.0), ("this task", 4.0, 0.4, 10.0),
    ]  # fmt: skip


def test_instruction_files_are_read_by_section_where_the_project_is_on_this_machine(
    tmp_path: Path,
) -> None:
    whole = "Be kind.\n\n# Testing\nRun make test.\n### Slow ones\nNo.\n## Style ##\nPlain."
    (tmp_path / "CLAUDE.md").write_text(whole)
    inner = tmp_path / ".worktrees" / "one"
    inner.mkdir(parents=True)
    (inner / "CLAUDE.md").write_text(whole)
    (inner / "AGENTS.md").symlink_to("/etc/hostname")
    assert read_sections(str(inner)) == (
        ("CLAUDE.md", "Be kind.\n\n"),
        ("CLAUDE.md # Testing", "# Testing\nRun make test.\n### Slow ones\nNo.\n"),
        ("CLAUDE.md # Style", "## Style ##\nPlain."),
        ("CLAUDE.md, again from around the worktree", whole),
    )
    assert (
        read_sections("/no/such/folder") == read_sections("relative") == read_sections(None) == ()
    )


def test_an_estimator_of_a_trajectory_s_own_is_found_from_its_bills() -> None:
    random = np.random.default_rng(1)
    texts = random.integers(200, 4_000, (300, 3)) * np.array([1, 0.05, 0.1])
    features = np.hstack([texts, np.ones((300, 1)), np.zeros((300, 1)), np.ones((300, 1))])
    true = CONSTANTS * np.array([1.3, 1, 1, 1, 1, 1])
    pieces = [Piece(("this task", None), turn, 300, 0.0) for turn in range(300)]
    billed = 20_000 + np.cumsum(features @ true)
    assert fit(features, pieces, billed)[0] == pytest.approx(true[0], rel=0.05)
    few = [Piece(each.source, each.enters, 20, 0.0) for each in pieces[:20]]
    assert fit(features[:20], few, billed[:20]) is CONSTANTS


def test_a_price_follows_the_place_in_the_context(tmp_path: Path) -> None:
    talk = Talk().turn(0, 0, 30_000).turn(60, 30_000, 2_000)
    found = _by_name(_origins(talk, tmp_path))
    client = found["client and built-in tools"]
    assert client.usd == pytest.approx(20_600 * (SHORT + READ), rel=0.001)
