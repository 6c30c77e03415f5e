"""The five benchmarks: where their questions are published, in which columns, with which tools.

Tool sets and sample sizes are those of the study that defined prefill-token equivalents: Python
for mathematics, search and page visits for facts, all three for mixed questions; whole sets, but
500 questions drawn from the two largest.
"""

from typing import Literal

from msgspec import Struct

from agentdyno.records import InputError, printable

Grading = Literal["math", "fact", "typed"]
"""How answers are compared: as mathematics, as facts in words, or by the question's own type."""


class Benchmark(Struct, frozen=True):
    """One question set."""

    name: str
    """What the user calls it, and the ledger."""
    title: str
    """What its authors call it."""
    repository: str
    """The dataset on the Hugging Face hub."""
    files: tuple[str, ...]
    """Which of the repository's files hold the questions."""
    tools: tuple[str, ...]
    """The tools that are offered."""
    grading: Grading
    question: tuple[str, ...]
    """Names of the question's column, the first that is there."""
    answer: tuple[str, ...]
    """Names of the answer's column."""
    identity: tuple[str, ...] = ()
    """Names of the id's column; without any, questions are numbered."""
    level: tuple[str, ...] = ()
    """Names of the difficulty's column."""
    drawn: int | None = None
    """How many questions are drawn with the seed; None takes all."""


BENCHMARKS = {
    b.name: b
    for b in (
        Benchmark(
            "math_500", "MATH-500", "HuggingFaceH4/MATH-500", ("test.jsonl",), ("python",), "math",
            ("problem",), ("answer",), ("unique_id",), ("level",),
        ),
        Benchmark(
            "aime_2024", "AIME 2024", "HuggingFaceH4/aime_2024", ("data/*.parquet",), ("python",),
            "math", ("problem", "Problem", "question"), ("answer", "Answer"), ("id", "ID"),
            ("level",),
        ),
        Benchmark(
            "aime_2025", "AIME 2025", "math-ai/aime25", ("*.jsonl",), ("python",), "math",
            ("problem", "Problem", "question"), ("answer", "Answer"), ("id", "ID"), ("level",),
        ),
        Benchmark(
            "simpleqa", "SimpleQA", "basicv8vc/SimpleQA", ("*.csv",), ("search", "visit"), "fact",
            ("problem", "question"), ("answer",), drawn=500,
        ),
        Benchmark(
            "webinstruct", "WebInstruct-verified", "TIGER-Lab/WebInstruct-verified",
            ("data/test*.parquet",), ("search", "visit", "python"), "typed", ("question",),
            ("answer",), ("id",), ("difficulty",), drawn=500,
        ),
    )
}  # fmt: skip


def find_benchmark(name: str) -> Benchmark:
    """The benchmark of that name."""
    if name not in BENCHMARKS:
        raise InputError(
            f"expected a benchmark out of {', '.join(BENCHMARKS)}, found {printable(name)!r}."
        )
    return BENCHMARKS[name]
