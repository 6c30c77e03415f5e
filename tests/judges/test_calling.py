"""Verdicts: parsed, repaired once, cached by content, and never without the judge's name."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agentdyno.judges.cache import VerdictCache, digest
from agentdyno.judges.calling import Judge, Message, Question, judge_all, judge_one
from agentdyno.judges.ensemble import majority
from agentdyno.judges.failures import FRAMINGS, failure_judge, rubric
from agentdyno.judges.forms import Form
from agentdyno.judges.parsing import Parsed, parse_answer
from agentdyno.records.verdicts import VERDICTS, Verdict

LABELS = ("correct", "tool_skip")
JUDGE = Judge("tree:m", "m", "failure", "the rubric")
QUESTION = Question("t#1", "the prompt", LABELS)


class Scripted:
    """Gives its replies one after the other and remembers what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[list[Message]] = []

    async def __call__(self, messages: Sequence[Message]) -> str:
        self.asked.append(list(messages))
        return self.replies.pop(0)


def _judged(model: Scripted, cache: VerdictCache | None = None, judge: Judge = JUDGE) -> Verdict:
    return asyncio.run(judge_one(judge, QUESTION, model, cache))


GOOD = '{"label": "tool_skip", "confidence": 0.8, "rationale": "nothing was called"}'


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Let me see. {{not json}} Here: {GOOD}",
        GOOD.replace("tool_skip", " TOOL_SKIP "),
    ],
)
def test_replies_with_words_and_fences_around_are_read(reply: str) -> None:
    assert parse_answer(reply, Form(LABELS)) == Parsed("tool_skip", 0.8, "nothing was called")


@pytest.mark.parametrize(
    "reply", ["", "tool_skip", '{"label": "maybe"}', '{"label": 3}', "[1]", '{"label": "correct"']
)
def test_other_replies_are_not(reply: str) -> None:
    assert parse_answer(reply, Form(LABELS)).label is None


@given(st.text(max_size=200))
def test_no_reply_is_an_error(reply: str) -> None:
    parse_answer(reply, Form(LABELS))
    parse_answer('{"label": ' + reply + "}", Form(LABELS))


def test_a_bad_reply_is_repaired_once() -> None:
    model = Scripted("I think it skipped.", GOOD)
    verdict = _judged(model)
    assert (verdict.label, verdict.attempts, verdict.judge) == ("tool_skip", 2, "tree:m")
    assert [m.role for m in model.asked[1]] == ["system", "user", "assistant", "user"]
    assert "prose without an object" in model.asked[1][-1].text


def test_two_bad_replies_are_no_label_and_are_not_cached(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    verdict = _judged(Scripted("?", "!"), cache)
    assert verdict.label is None
    assert verdict.problem == "prose without an object"
    assert _judged(Scripted(GOOD), cache).label == "tool_skip"


def test_a_judge_that_cannot_be_reached_gives_no_label() -> None:
    verdict = _judged(Scripted())
    assert verdict.label is None
    assert "the judge failed: IndexError" in (verdict.problem or "")


def test_a_second_run_asks_nobody(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    first = _judged(Scripted(GOOD), cache)
    silent = Scripted()
    again = _judged(silent, cache)
    assert silent.asked == []
    assert again == replace(first, cached=True)


def test_another_rubric_prompt_model_or_judge_is_asked_anew(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    _judged(Scripted(GOOD), cache)
    for change in ({"rubric": "other"}, {"model": "n"}, {"name": "other:m"}):
        model = Scripted(GOOD)
        verdict = _judged(model, cache, replace(JUDGE, **change))
        assert len(model.asked) == 1, change
        assert not verdict.cached
    model = Scripted(GOOD)
    other = replace(QUESTION, prompt="another trace")
    asyncio.run(judge_one(JUDGE, other, model, cache))
    assert len(model.asked) == 1


def test_the_same_content_elsewhere_is_read_from_the_cache_under_its_own_name(
    tmp_path: Path,
) -> None:
    cache = VerdictCache(tmp_path)
    _judged(Scripted(GOOD), cache)
    moved = replace(QUESTION, trajectory_id="t#9", turn=2, call=0)
    verdict = asyncio.run(judge_one(JUDGE, moved, Scripted(), cache))
    assert (verdict.trajectory_id, verdict.turn, verdict.call) == ("t#9", 2, 0)


def test_a_damaged_or_swapped_cache_file_is_as_good_as_none(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    _judged(Scripted(GOOD), cache)
    (file,) = tmp_path.rglob("*.json")
    text = file.read_text()
    file.write_text(text[: len(text) // 2])
    assert _judged(Scripted(GOOD), cache).cached is False
    file.write_text(text.replace('"digest":"', '"digest":"0'))
    assert _judged(Scripted(GOOD), cache).cached is False


def test_digests_know_borders() -> None:
    assert digest("ab", "c") != digest("a", "bc")


def test_questions_keep_their_order() -> None:
    questions = [replace(QUESTION, trajectory_id=f"t#{n}", prompt=str(n)) for n in range(30)]
    verdicts = asyncio.run(judge_all(JUDGE, questions, Scripted(*[GOOD] * 30), concurrency=4))
    assert [v.trajectory_id for v in verdicts] == [q.trajectory_id for q in questions]


@pytest.mark.parametrize(
    ("rule", "judges", "label", "voters", "tied"),
    [
        ("result_ignore", {"a": "correct", "b": "correct"}, "correct", 3, False),
        ("result_ignore", {"a": "correct", "b": "tool_skip"}, "result_ignore", 3, True),
        ("result_ignore", {"a": "correct", "b": None}, "result_ignore", 2, True),
        ("correct", {"a": None, "b": None}, "correct", 1, False),
        ("correct", {"a": "tool_skip", "b": "tool_skip", "c": "correct"}, "correct", 4, True),
    ],
)
def test_majority_with_ties_to_the_rule(
    rule: str, judges: dict[str, str | None], label: str, voters: int, tied: bool
) -> None:
    vote = majority(rule, judges)
    assert (vote.label, vote.voters, vote.tied) == (label, voters, tied)
    assert vote.overruled == (label != rule)


def test_the_two_framings_share_the_rubric_and_differ_in_the_way() -> None:
    first, second = (rubric(framing) for framing in FRAMINGS)
    shared = "What the labels mean."
    assert shared in first
    assert shared in second
    assert first != second
    assert failure_judge("decision_tree", "m").name != failure_judge("evidence_first", "m").name


def test_the_ledger_table_has_a_column_for_every_field_of_a_verdict() -> None:
    assert {column.name for column in VERDICTS} == set(Verdict.__struct_fields__)
