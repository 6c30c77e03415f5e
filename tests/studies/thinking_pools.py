"""Pools by hand."""

from agentdyno_depth.records.thinking import (
    Pool,
    PoolHead,
    PrefixScores,
    Problem,
    ProblemPool,
    Sample,
)


def sample(
    answer: str | None,
    tokens: int = 100,
    dtr: float = 0.0,
    certainty: float = 0.0,
    log_prob: float = -1.0,
    entropy: float = 1.0,
    right: str = "7",
    whole: float | None = None,
) -> Sample:
    """A sample whose scores at prefix 50 are given; `whole` is the ratio of all its tokens."""
    early = PrefixScores(50, min(50, tokens), dtr, log_prob, entropy, certainty)
    late = PrefixScores(None, tokens, dtr if whole is None else whole, log_prob, entropy, certainty)
    text = "no idea" if answer is None else f"so \\boxed{{{answer}}}"
    return Sample(text, tokens, True, (early, late), answer, answer == right)


def ungraded(each: Sample) -> Sample:
    return Sample(each.text, each.tokens, each.ended, each.scores)


def pool(*problems: list[Sample], right: str = "7") -> Pool:
    """Problems p0, p1, … with these samples."""
    head = PoolHead(
        model="by hand",
        scorer="by hand",
        dtype="float32",
        samples=min(map(len, problems)),
        temperature=0.7,
        top_p=1.0,
        seed=0,
        max_tokens=256,
        g=0.5,
        rho=0.85,
        prefixes=(50,),
    )
    items = [
        ProblemPool(Problem(f"p{place}", "?", right), tuple(samples))
        for place, samples in enumerate(problems)
    ]
    return Pool(head, tuple(items))
