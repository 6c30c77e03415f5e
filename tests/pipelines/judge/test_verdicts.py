"""Verdicts in a ledger: each once, and the latest of a judge on a thing is in force."""

from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.judge.verdicts import add_verdicts, volumes_of
from agentdyno.records.verdicts import VERDICTS, Verdict
from agentdyno.studies.verdicts.in_force import verdicts_of
from tests.pipelines.judge.worlds import chat, chat_ledger


def _verdict(place: str, label: str, digest: str, model: str = "m") -> Verdict:
    return Verdict(
        kind="failure",
        trajectory_id=place,
        judge="decision_tree",
        model=model,
        label=label,
        rubric=digest,
        digest=digest,
    )


def test_the_table_has_a_column_for_every_field_of_a_verdict() -> None:
    assert {column.name for column in VERDICTS} == set(Verdict.__struct_fields__)


def test_what_a_judge_says_now_is_in_force_also_when_it_said_so_before(tmp_path: Path) -> None:
    folder = chat_ledger(tmp_path, chat("t", "What?", "That."))
    ((place, volume),) = volumes_of(Ledger(folder)).items()
    first, second = _verdict(place, "correct", "one"), _verdict(place, "tool_skip", "two")
    other = _verdict(place, "correct", "one", model="n")
    assert add_verdicts(folder, [(volume, first), (volume, other)]) == 2
    assert add_verdicts(folder, [(volume, first)]) == 0
    assert add_verdicts(folder, [(volume, second)]) == 1
    assert add_verdicts(folder, [(volume, first)]) == 1
    found = verdicts_of(Ledger(folder), "failure").select("model", "label")
    assert sorted(found.iter_rows()) == [("m", "correct"), ("n", "correct")]


def test_of_two_verdicts_that_come_at_once_the_later_is_kept(tmp_path: Path) -> None:
    folder = chat_ledger(tmp_path, chat("t", "What?", "That."))
    ((place, volume),) = volumes_of(Ledger(folder)).items()
    both = [(volume, _verdict(place, label, label)) for label in ("correct", "tool_skip")]
    assert add_verdicts(folder, both) == 1
    assert add_verdicts(folder, both) == 0
    assert verdicts_of(Ledger(folder), "failure")["label"].to_list() == ["tool_skip"]
