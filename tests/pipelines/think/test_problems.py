"""The built-in problems and those of files, and how they are put."""

import re

import pytest

from agentdyno.pipelines.think.problems import arithmetic, named_problems, read_problems
from agentdyno.pipelines.think.prompts import prompt_text
from agentdyno.records import InputError
from agentdyno.records.thinking import Problem


def test_the_first_problems_do_not_depend_on_how_many_there_are():
    assert arithmetic(40)[:10] == arithmetic(10) == named_problems("builtin", 10)
    assert len({problem.question for problem in arithmetic(40)}) == 40


def test_another_seed_gives_other_problems():
    assert arithmetic(10, seed=1) != arithmetic(10, seed=2)


def test_answers_of_the_plain_sums_are_right():
    """Worked again from the questions' own numbers."""
    plain = [p for p in arithmetic(80) if p.question.startswith("What is")]
    assert len(plain) >= 20
    for problem in plain:
        asked = re.fullmatch(r"What is ([\d+* -]+)\?", problem.question)
        assert asked is not None
        total = sum(eval_product(term) for term in asked[1].replace("- ", "+ -").split("+"))
        assert str(total) == problem.answer


def eval_product(term: str) -> int:
    product = 1
    for factor in term.split("*"):
        product *= int(factor.replace(" ", ""))
    return product


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


def test_braces_in_a_question_are_left_alone():
    assert "{x}" in prompt_text(Problem("a", "Solve {x}.", "2"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ('{"question": "?"}', "line 1"),
        ('{"problem_id": "a", "question": "?", "answer": "1"}\n' * 2, "line 2"),
        (
            '{"problem_id": "a", "question": "?", "answer": "C", "kind": "choice", '
            '"choices": ["x", "y"]}',
            "one of its 2 choices",
        ),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, text, said):
    file = tmp_path / "problems.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_problems(file)
