"""Think@n for real: n samples to a prefix, the worst stopped, the others finished and voted on.

Takes a model and problems, returns answers with what they cost. From a local model the kept samples
go on from their caches; from a server they are sent back as text to be continued. Samples are
ranked by what their prefix says; ranked by a length, that is the length of the prefix.
"""

from collections.abc import Callable, Sequence
from statistics import fmean

from msgspec import Struct

from agentdyno.measures.depth import (
    best_first,
    count_generated,
    count_selected,
    majority,
    prefix_cost,
)
from agentdyno.records import InputError
from agentdyno_depth.pipelines.think.drawing import PoolOptions, as_sample, make_sample
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.many_samples import SampleKey, sample_stopped
from agentdyno_depth.probes.scoring import score_served
from agentdyno_depth.probes.served import Served, Server, ServerRequest
from agentdyno_depth.records.thinking import (
    PrefixScores,
    Problem,
    ProblemPool,
    Rank,
    Sample,
    ThinkAnswer,
    ThinkAnswers,
)
from agentdyno_depth.studies.thinking.answers import grade_problem
from agentdyno_depth.think.choosing import is_right, prefix_score
from agentdyno_depth.think.prompts import chat_of, prompt_ids, render_prompt


class AnswerOptions(Struct, frozen=True):
    """How samples are chosen."""

    pool: PoolOptions
    """How they are drawn; the first of its prefixes is where they are stopped."""
    keep: float = 0.5
    """Share that is finished."""
    rank: Rank = "dtr"
    """What they are ranked by."""

    @property
    def prefix(self) -> int:
        """Where samples are stopped."""
        return self.pool.prefixes[0]

    def choose(self, scores: Sequence[PrefixScores]) -> list[int]:
        """Places of the samples to finish, best first."""
        order = best_first([prefix_score(prefix_scores, self.rank) for prefix_scores in scores])
        return order[: count_selected(len(scores), self.keep)]


def answer_problems(
    opened: OpenModel,
    problems: Sequence[Problem],
    options: AnswerOptions,
    server: Server | None = None,
    model: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ThinkAnswers:
    if options.rank in ("length", "reverse_length"):
        raise InputError(
            f"--rank {options.rank}: expected a score of a prefix to stop samples by; lengths are "
            "known at the end. Leave --answer out to compare them over a pool."
        )
    answers = []
    for problem in problems:
        if server is None:
            answers.append(answer_locally(opened, problem, options))
        else:
            answers.append(answer_served(opened, server, problem, options))
        if progress:
            progress(len(answers), len(problems))
    return ThinkAnswers(
        model=model or opened.name,
        rank=options.rank,
        n=options.pool.samples,
        keep=options.keep,
        prefix=options.prefix,
        accuracy=fmean(float(answer.correct is True) for answer in answers),
        cost_tokens=fmean(answer.cost_tokens for answer in answers),
        generated_tokens=fmean(answer.generated_tokens for answer in answers),
        answers=tuple(answers),
    )


def answer_locally(opened: OpenModel, problem: Problem, options: AnswerOptions) -> ThinkAnswer:
    """The kept samples are finished from their caches."""
    n = options.pool.samples
    stopped = sample_stopped(
        opened,
        [prompt_ids(opened.tokenizer, problem, options.pool.examples)] * n,
        [SampleKey(problem.problem_id, number) for number in range(n)],
        options.pool.sampling,
        options.pool.max_tokens,
        options.prefix,
        options.choose,
        options.pool.thresholds,
    )
    samples = [as_sample(opened, sampled) for sampled in stopped.samples]
    return _answer(problem, samples, stopped.selected, options)


def answer_served(
    opened: OpenModel, server: Server, problem: Problem, options: AnswerOptions
) -> ThinkAnswer:
    """The kept samples are sent back as text, all at once; those that had ended are done."""
    pool_options = options.pool
    prompt = render_prompt(opened.tokenizer, problem, pool_options.examples)
    chat = (chat_of(problem, pool_options.examples), ())
    name = problem.problem_id
    served = server.all(
        [ServerRequest(name, n, options.prefix, prompt=prompt) for n in range(pool_options.samples)]
    )
    begun = score_served(opened, chat, served, [options.prefix], pool_options.thresholds)
    selected = options.choose([scored.scores[0] for scored in begun])
    budget = pool_options.max_tokens - options.prefix
    unfinished = [index for index in selected if not served[index].ended and budget > 0]
    texts = {index: prompt + served[index].text for index in unfinished}
    more = server.all(
        [ServerRequest(name, pool_options.samples + p, budget, prompt=texts[p]) for p in unfinished]
    )
    for index, continuation in zip(unfinished, more, strict=True):
        served[index] = Served(served[index].text + continuation.text, continuation.ended)
    # The whole of what was kept, thinking and answer apart; the rejected stay as they were.
    final_scores = score_served(
        opened, chat, [served[p] for p in selected], [None], pool_options.thresholds
    )
    final = dict(zip(selected, final_scores, strict=True))
    samples = [make_sample(scored, final.get(p, begun[p])) for p, scored in enumerate(served)]
    return _answer(problem, samples, selected, options)


def _answer(
    problem: Problem, samples: Sequence[Sample], selected: Sequence[int], options: AnswerOptions
) -> ThinkAnswer:
    """The vote of the kept samples, best first; what the stopped ones said does not count."""
    voters = grade_problem(
        ProblemPool(problem, tuple(samples[index] for index in selected))
    ).samples
    winner = majority([voter.answer for voter in voters])
    lengths = [sample.tokens for sample in samples]
    return ThinkAnswer(
        problem_id=problem.problem_id,
        answer=winner,
        correct=is_right(winner, voters),
        votes=sum(voter.answer == winner for voter in voters) if winner is not None else 0,
        selected=len(selected),
        rejected=len(samples) - len(selected),
        cost_tokens=prefix_cost(lengths, selected, options.prefix),
        generated_tokens=count_generated(lengths, selected, options.prefix),
        thinking_dtr=_mean_dtr([sample.thinking_scores for sample in voters]),
        answer_dtr=_mean_dtr([sample.answer_scores for sample in voters]),
    )


def _mean_dtr(scores: Sequence[PrefixScores | None]) -> float | None:
    ratios = [scored.dtr for scored in scores if scored is not None and scored.dtr is not None]
    return fmean(ratios) if ratios else None
