"""Grades an answer: by its tag, as words, as mathematics, and by a judge where these cannot tell.

no tag                       wrong: the answer was to stand in it
the same words               right
formulas, compared           right or wrong                          math-verify
otherwise                    what the judge says                     model role `grader`
no judge, or an unclear one  not graded: the score is no number, and the ledger has null
"""

import math
import re
import unicodedata
from typing import Any

from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState
from msgspec import Struct

from agentdyno_bench.pte.tir.benchmarks import Grading
from agentdyno_bench.pte.tir.problems import Problem
from agentdyno_bench.pte.tir.prompts import judge_prompt
from agentdyno_bench.pte.tir.verifying import verifier

JUDGE_ROLE = "grader"
_VERDICT = re.compile(r"VERDICT:\s*\**\s*(SAME|DIFFERENT)\b", re.IGNORECASE)
_MATHEMATICAL = ("integer", "float", "percentage", "expression", "fraction", "matrix", "list")
"""Answer types of WebInstruct-verified that are formulas."""


class Grade(Struct, frozen=True):
    """A grade, and which rule or judge gave it."""

    correct: bool | None
    """None when the answer could not be graded."""
    by: str
    """`tag`, `box, … inside`, `words`, `math-verify`, `judge` or `nobody`."""
    why: str = ""
    """The judge's words, or what was missing."""


@scorer(metrics=[])
def answer_grader(grading: Grading, prompt: str | None = None) -> Scorer:
    """The scorer; what it leaves in the score's metadata says how it was decided."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = tagged_answer(state.output.completion)
        problem = _problem(state, target)
        grade = await grade_answer(problem, answer, grading, _judge(), prompt)
        if answer is None and (boxed := boxed_answer(state.output.completion)) is not None:
            answer, grade = boxed, await _grade_untagged(problem, boxed, grading)
        value = math.nan if grade.correct is None else float(grade.correct)
        about = {"graded_by": grade.by}
        return Score(value=value, answer=answer, explanation=grade.why or None, metadata=about)

    return score


async def _grade_untagged(problem: Problem, boxed: str, grading: Grading) -> Grade:
    """An answer in a box and not between the asked tags is not solved, but is no wrong answer
    either: it is counted by `graded_by`, with what the box would have been worth."""
    inside = await grade_answer(problem, boxed, grading, None)
    worth = {True: "right", False: "wrong", None: "ungraded"}[inside.correct]
    why = f"the answer stands in a box, not between <ANSWER> and </ANSWER>; inside it is {worth}"
    return Grade(False, f"box, {worth} inside", why)


def _problem(state: TaskState, target: Target) -> Problem:
    kind = state.metadata.get("answer_type")
    return Problem(str(state.sample_id), state.input_text, target.text, answer_type=kind)


def _judge() -> Model | None:
    from inspect_ai.model import model_roles

    return get_model(role=JUDGE_ROLE) if JUDGE_ROLE in model_roles() else None


async def grade_answer(
    problem: Problem,
    answer: str | None,
    grading: Grading,
    judge: Model | None,
    prompt: str | None = None,
) -> Grade:
    """Grade the answer by tag, box, words, formula or judge."""
    if answer is None:
        return Grade(False, "tag", "no answer between <ANSWER> and </ANSWER>")
    if _is_formula(problem, answer, grading):
        is_equal = await verifier().equal(problem.answer, answer)
        if is_equal is not None:
            return Grade(is_equal, "math-verify")
    if same_words(problem.answer, answer):
        return Grade(True, "words")
    if judge is None:
        return Grade(None, "nobody", "this answer needs a judge, and there is none")
    return await _ask_judge(judge, judge_prompt(problem, answer, prompt))


def _is_formula(problem: Problem, answer: str, grading: Grading) -> bool:
    if grading == "math":
        return True
    if grading == "typed":
        return (problem.answer_type or "").casefold().startswith(_MATHEMATICAL)
    # Dates and names have digits in them too; only a number against a number is arithmetic.
    return is_number(problem.answer) and is_number(answer)


async def _ask_judge(judge: Model, prompt: str) -> Grade:
    config = GenerateConfig(temperature=0.0, max_tokens=1024)
    output = await judge.generate(prompt, config=config)
    verdicts: list[Any] = _VERDICT.findall(output.completion)
    if not verdicts:
        return Grade(None, "nobody", f"the judge was unclear: {output.completion[:200]}")
    return Grade(verdicts[-1].upper() == "SAME", "judge", output.completion[:500])


# Answers as texts: found in their tag, and compared as words.

_TAG = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_FORMULA = re.compile(r"[\[\](){}\\^*/=<>|]")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NOT_WORD = re.compile(r"[^\w%.+-]+")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?")
MAX_CHARACTERS = 4000
"""Longer answers are no answers."""


def tagged_answer(text: str) -> str | None:
    """The text in the last answer tag; None without one, or with an empty one."""
    matches: list[str] = _TAG.findall(text)
    answer = matches[-1].strip() if matches else ""
    return answer if 0 < len(answer) <= MAX_CHARACTERS else None


def boxed_answer(text: str) -> str | None:
    """The text in the last `\\boxed{…}`, braces matched; None without one."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 1, start + len("\\boxed{")
    for index in range(begin, min(len(text), begin + MAX_CHARACTERS)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return text[begin:index].strip() or None
    return None


def same_words(text: str, other: str) -> bool:
    """Compare two texts, ignoring case, punctuation, accents and articles.

    "The Eiffel Tower." and "eiffel tower" are; "12 May 1901" and "May 1901" are not. In formulas
    every sign counts: "[1,2)" and "(1,2)" are not.
    """
    if _FORMULA.search(text + other):
        return "".join(text.split()) == "".join(other.split()) != ""
    return _plain_words(text) == _plain_words(other) != ""


def _plain_words(text: str) -> str:
    """A text as its words: no case, punctuation, accents or articles."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = _NOT_WORD.sub(" ", _ARTICLE.sub(" ", bare.casefold())).split()
    return " ".join(word.strip(".") for word in words)


def is_number(text: str) -> bool:
    """True for one plain number and nothing else."""
    return _NUMBER.fullmatch(text.strip()) is not None
