"""A text of one's own in place of a prompt: read, filled, and under a judge's question."""

from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.pte.tir.problems import Problem
from agentdyno_bench.pte.tir.prompts import judge_prompt
from agentdyno_bench.pte.tir.task import tir_task
from agentdyno_bench.shared.judges.forms import Form, Prompt
from agentdyno_bench.shared.prompts import fill, read_prompts, replace_instructions
from agentdyno_bench.tps.run.solving import question


def test_prompts_are_read_by_name_and_judges_may_have_several(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("\nDo it.\n")
    options = [f"system={file}", f"judge={file}", f"judge={file}"]
    assert read_prompts(options, ["system", "judge"]) == {
        "system": ("Do it.",), "judge": ("Do it.", "Do it.")
    }  # fmt: skip


@pytest.mark.parametrize("option", ["system", "other=a.md", "=a.md", "system=nowhere.md"])
def test_a_prompt_that_nobody_knows_or_finds_is_named(option: str) -> None:
    with pytest.raises(InputError, match="--prompt"):
        read_prompts([option], ["system"])


def test_an_empty_prompt_and_one_given_twice_are_refused(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty.md", tmp_path / "full.md"
    empty.write_text(" \n")
    full.write_text("x")
    with pytest.raises(InputError, match="found 2 characters"):
        read_prompts([f"system={empty}"], ["system"])
    with pytest.raises(InputError, match="found it twice"):
        read_prompts([f"system={full}", f"system={full}"], ["system"])


def test_a_template_is_filled_and_what_has_no_place_stands_behind_it() -> None:
    assert fill("Pick from {a} {x}.", {"a": "1 {b}"}) == "Pick from 1 {b} {x}."
    assert fill("Pick.", {"tools": "t"}) == "Pick.\n\ntools:\nt"


def test_a_judge_is_asked_in_other_words_and_for_the_same_form() -> None:
    prompt = Prompt("Ours.", "The evidence.", Form(("yes", "no")))
    other = replace_instructions(prompt, "Theirs.")
    assert other.user == "The evidence."
    assert other.system.startswith("Theirs.")
    assert '"enum":["yes","no"]' in other.system
    assert "Ours." not in other.system


def test_benchmarks_use_the_texts() -> None:
    task = tir_task("math_500", prompts={"system": "Be brief."})
    assert task.dataset[0].input[0].text == "Be brief."  # type: ignore[union-attr]
    problem = Problem("1", "Two and two?", "4")
    assert judge_prompt(problem, "5", "{expected} or {given}?").startswith("4 or 5?")
    assert question("Do it.", [], 3, "{prompt} Name {most} of {tools}!") == "Do it. Name 3 of !"
