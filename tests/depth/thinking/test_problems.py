"""The built-in problems and those of files, and how they are put."""

import re

import pytest

from agentdyno.records import InputError
from agentdyno_depth.records.thinking import Problem
from agentdyno_depth.think.problems import arithmetic, load_problems, read_problems
from agentdyno_depth.think.prompts import EXAMPLES, prompt_text, prompt_turns
from tests.labelled import from_set


def test_the_first_problems_do_not_depend_on_how_many_there_are():
    assert arithmetic(40)[:10] == arithmetic(10) == load_problems("builtin", 10)
    assert len({problem.question for problem in arithmetic(40)}) == 40


def test_another_seed_gives_other_problems():
    assert arithmetic(10, seed=1) != arithmetic(10, seed=2)


def test_answers_follow_from_the_numbers_of_the_question():
    for problem in arithmetic(80):
        a, b = map(int, re.findall(r"\d+", problem.question))
        more = "more" in problem.question
        assert problem.answer == str(a + b if more else a * b)


def test_a_file_gives_maths_and_choices(tmp_path):
    file = tmp_path / "problems.jsonl"
    file.write_text(
        '{"problem_id": "a", "question": "1+1?", "answer": "2"}\n\n'
        '{"problem_id": "b", "question": "Which?", "answer": "(b)", "kind": "choice", '
        '"choices": ["x", "y"]}\n'
    )
    first, second = read_problems(file)
    assert first == Problem("a", "1+1?", "2")
    assert "1+1?" in prompt_text(first)
    assert "\\boxed{" in prompt_text(first)
    assert "A. x\nB. y" in prompt_text(second)


def test_worked_examples_go_before_a_maths_problem_as_turns_of_their_own():
    turns = prompt_turns(Problem("a", "1+1?", "2"), examples=2)
    assert [turn["role"] for turn in turns] == ["user", "assistant"] * 2 + ["user"]
    assert ["\\boxed{" in turn["content"] for turn in turns] == [True, True, False, True, False]
    assert turns[-1]["content"] == "1+1?"
    choice = Problem("b", "Which?", "A", "choice", ("x", "y"))
    assert len(prompt_turns(choice, examples=2)) == 1


@pytest.mark.parametrize(("question", "solution"), EXAMPLES)
def test_worked_examples_calculate_right(question, solution):
    calculated = re.findall(r"(\d+) ([+*-]) (\d+) = (\d+)", solution)
    assert len(calculated) == 1
    for left, sign, right, result in calculated:
        a, b = int(left), int(right)
        assert {"+": a + b, "-": a - b, "*": a * b}[sign] == int(result)
    assert f"\\boxed{{{calculated[-1][3]}}}" in solution


def test_braces_in_a_question_are_left_alone():
    assert "{x}" in prompt_text(Problem("a", "Solve {x}.", "2"))


@from_set("depth/thinking/problems", "text", "said")
def test_a_bad_file_is_named_with_its_line(tmp_path, text, said):
    file = tmp_path / "problems.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_problems(file)
