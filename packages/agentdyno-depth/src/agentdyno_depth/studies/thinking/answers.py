"""Extracts a response's answer and grades it.

Takes problems with samples, returns the same samples with their answers. Maths: the content of the
last \\boxed{}; without a box the number after the last "answer is"; without that, and only of a
response that ended by itself, the last number. Compared by math-verify, which knows that 0.5 is
\\frac{1}{2}. Choices: the letter in the last box, or after the last "answer is". Equal answers of a
problem get one spelling, so that they vote together. Texts are parsed as expressions, never run.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from agentdyno.records import InputError
from agentdyno_depth.records.thinking import Pool, Problem, ProblemPool

INSTALL = 'pip install "agentdyno[bench]"'
MAX_ANSWER = 200
"""Longer contents of a box are no answer."""

_STATED = re.compile(r"answer(?:\s+is|\s*:)\s*[:=]?\s*([^\n]{1,80})", re.IGNORECASE)
# A sign after a digit is an operation, not a sign.
_NUMBER = re.compile(r"(?:(?<![\d)])[-+])?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?")
_LETTER = re.compile(r"\(?\b([A-Z])\b\)?")

Same = Callable[[str, str], bool]


def grade_pool(pool: Pool) -> Pool:
    """The pool with every sample's answer; samples that have one already keep it."""
    return Pool(pool.head, tuple(map(grade_problem, pool.problems)))


def grade_problem(item: ProblemPool) -> ProblemPool:
    """A problem whose samples have answers and marks."""
    if all(sample.correct is not None for sample in item.samples):
        return item
    answers = [extract(item.problem, sample.text, sample.ended) for sample in item.samples]
    spelled = _unify_spelling(answers, same_for(item.problem))
    right = {text: is_correct(item.problem, text) for text in set(spelled) if text is not None}
    samples = [
        replace(sample, answer=answer, correct=answer is not None and right[answer])
        for sample, answer in zip(item.samples, spelled, strict=True)
    ]
    return ProblemPool(item.problem, tuple(samples))


def extract(problem: Problem, text: str, ended: bool = True) -> str | None:
    """The answer as it is written; None where there is none."""
    boxes = find_boxes(text)
    answers = [match[1] for match in _STATED.finditer(text)]
    if problem.kind == "choice":
        return _letter(boxes[-1:] or answers[-1:], len(problem.choices))
    if boxes:
        content = boxes[-1].strip()
        return content if 0 < len(content) <= MAX_ANSWER else None
    numbers = _NUMBER.findall(answers[-1].replace("*", ""))[:1] if answers else []
    if not numbers and ended:
        numbers = _NUMBER.findall(text)
    return numbers[-1].replace("$", "").replace(",", "") if numbers else None


def find_boxes(text: str) -> list[str]:
    """The contents of every \\boxed{} whose braces close."""
    boxes = []
    for match in re.finditer(r"\\boxed\s*\{", text):
        depth = 1
        for index in range(match.end(), min(len(text), match.end() + 4 * MAX_ANSWER)):
            depth += {"{": 1, "}": -1}.get(text[index], 0)
            if depth == 0:
                boxes.append(text[match.end() : index])
                break
    return boxes


def is_correct(problem: Problem, answer: str) -> bool:
    """Compare an extracted answer with the right one."""
    return same_for(problem)(problem.answer, answer)


def same_for(problem: Problem) -> Same:
    """How two answers of the problem are compared."""
    return _same_letter if problem.kind == "choice" else same_expression


@lru_cache(65536)
def same_expression(gold: str, answer: str) -> bool:
    """Compare two expressions; what cannot be parsed equals only itself."""
    if gold.strip() == answer.strip():
        return True
    try:
        import math_verify
    except ImportError:
        raise InputError(
            f"answers in maths need the package math-verify, missing here. Install: {INSTALL}"
        ) from None
    left, right = _parse(gold), _parse(answer)
    return bool(left and right and math_verify.verify(list(left), list(right)))


@lru_cache(65536)
def _parse(text: str) -> tuple[object, ...]:
    import logging

    from math_verify import parse

    logging.getLogger("math_verify").setLevel(logging.CRITICAL)
    return tuple(parse(f"${text}$", fallback_mode="no_fallback"))


def _same_letter(gold: str, answer: str) -> bool:
    return gold.strip().strip("().").upper() == answer.strip().upper()


def _letter(texts: Sequence[str], choices: int) -> str | None:
    allowed = {chr(65 + index) for index in range(choices or 26)}
    for text in texts:
        bare = re.sub(r"\\text\s*\{([^}]*)\}", r"\1", text)
        letters = [match[1] for match in _LETTER.finditer(bare.upper()) if match[1] in allowed]
        if letters:
            return letters[0]
    return None


def _unify_spelling(answers: Sequence[str | None], same: Same) -> list[str | None]:
    """Each answer in the words of the first that equals it."""
    firsts: list[str] = []
    spelled: list[str | None] = []
    for answer in answers:
        equal = None if answer is None else next((t for t in firsts if same(t, answer)), None)
        if answer is not None and equal is None:
            firsts.append(answer)
        spelled.append(answer if equal is None else equal)
    return spelled
