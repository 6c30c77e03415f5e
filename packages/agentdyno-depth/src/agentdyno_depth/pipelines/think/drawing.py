"""All samples of some problems: from a local model, or from a server and scored by a local model.

Takes a model and problems, returns the problems with their samples, not graded. Needs torch and
transformers; writes no files.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agentdyno_depth.engines.chat import decode_text
from agentdyno_depth.probes.generating import Sampling
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.many_samples import Sampled, SampleKey, sample_complete
from agentdyno_depth.probes.scoring import Scored, score_served
from agentdyno_depth.probes.served import Served, Server, ServerRequest
from agentdyno_depth.records.depth import PAPER, Thresholds
from agentdyno_depth.records.thinking import PoolHead, PrefixScores, Problem, ProblemPool, Sample
from agentdyno_depth.think.prompts import chat_of, prompt_ids, prompt_turns


class PoolOptions(Struct, frozen=True):
    """How a pool is drawn."""

    samples: int = 48
    """Samples of each problem."""
    prefixes: tuple[int, ...] = (50,)
    """Where scores are taken, besides at the end."""
    max_tokens: int = 256
    """Responses are cut here."""
    sampling: Sampling = Sampling(temperature=0.7)
    """How tokens are drawn."""
    thresholds: Thresholds = PAPER
    """When a token is deep."""
    examples: int = 0
    """Worked examples before each problem."""


def pool_head(opened: OpenModel, options: PoolOptions, model: str | None = None) -> PoolHead:
    """The first line of the pool's file."""
    return PoolHead(
        model=model or opened.name,
        scorer=opened.name,
        dtype=opened.dtype,
        samples=options.samples,
        temperature=options.sampling.temperature,
        top_p=options.sampling.top_p,
        seed=options.sampling.seed,
        max_tokens=options.max_tokens,
        g=options.thresholds.g,
        rho=options.thresholds.rho,
        prefixes=tuple(sorted(set(options.prefixes))),
        examples=options.examples,
    )


def draw_problems(
    opened: OpenModel, problems: Sequence[Problem], options: PoolOptions, at_once: int
) -> list[ProblemPool]:
    """All samples of the problems, many in one batch."""
    keys = [
        SampleKey(problem.problem_id, number)
        for problem in problems
        for number in range(options.samples)
    ]
    ids = {
        problem.problem_id: prompt_ids(opened.tokenizer, problem, options.examples)
        for problem in problems
    }
    sampled_all: list[Sampled] = []
    for start in range(0, len(keys), at_once):
        some = keys[start : start + at_once]
        sampled_all += sample_complete(
            opened,
            [ids[key.name] for key in some],
            some,
            options.sampling,
            options.max_tokens,
            options.prefixes,
            options.thresholds,
        )
    samples = [as_sample(opened, sampled) for sampled in sampled_all]
    size = options.samples
    return [
        ProblemPool(problem, tuple(samples[index * size : (index + 1) * size]))
        for index, problem in enumerate(problems)
    ]


def serve_problems(
    opened: OpenModel, server: Server, problems: Sequence[Problem], options: PoolOptions
) -> Iterator[ProblemPool]:
    """All samples of the problems from a server, each problem when its last sample is there.

    The requests of all problems stand in one queue, so that the server is busy while texts are
    scored here and while the last samples of a problem are long.
    """
    requests = [
        ServerRequest(problem.problem_id, number, options.max_tokens, _turns(problem, options))
        for problem in problems
        for number in range(options.samples)
    ]
    by_problem: list[dict[int, Served]] = [{} for _ in problems]
    for position, served in server.each(requests):
        index, number = divmod(position, options.samples)
        by_problem[index][number] = served
        if len(by_problem[index]) == options.samples:
            texts = [by_problem[index][n] for n in range(options.samples)]
            yield _score_problem(opened, problems[index], texts, options)


def _turns(problem: Problem, options: PoolOptions) -> tuple[dict[str, str], ...]:
    return tuple(prompt_turns(problem, options.examples))


def _score_problem(
    opened: OpenModel, problem: Problem, served: Sequence[Served], options: PoolOptions
) -> ProblemPool:
    prefixes = [*sorted(set(options.prefixes)), None]
    chat = (chat_of(problem, options.examples), ())
    scored = score_served(opened, chat, served, prefixes, options.thresholds)
    samples = [make_sample(reply, scores) for reply, scores in zip(served, scored, strict=True)]
    return ProblemPool(problem, tuple(samples))


def as_sample(opened: OpenModel, sampled: Sampled) -> Sample:
    """A response as it stands in a pool."""
    return Sample(
        text=decode_text(opened.tokenizer, sampled.response),
        tokens=len(sampled.response),
        ended=sampled.ended,
        scores=tuple(_round_scores(scores) for scores in sampled.scores),
    )


def make_sample(served: Served, scored: Scored) -> Sample:
    """A server's response as it stands in a pool; its tokens are the scoring model's."""
    return Sample(
        text=scored.split.answer,
        tokens=len(scored.sequence.response),
        ended=served.ended,
        scores=tuple(map(_round_scores, scored.scores)),
        thinking=scored.split.thinking,
        thinking_scores=None if scored.thinking is None else _round_scores(scored.thinking),
        answer_scores=None if scored.answer is None else _round_scores(scored.answer),
    )


def _round_scores(scores: PrefixScores) -> PrefixScores:
    """Six digits: what a file needs to rank by, and the same from the file as from the model."""
    values = [scores.dtr, scores.mean_log_prob, scores.entropy, scores.self_certainty]
    return PrefixScores(scores.prefix, scores.tokens, *map(_six_digits, values))


def _six_digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")
