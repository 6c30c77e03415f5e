"""Samples of a model's answers, recorded so that every way of choosing among them replays.

A pool holds many responses to each of some problems: their texts, lengths, scores after some
prefixes, answers and whether these are right. Which sample would have been stopped, what that
would have cost and which answer wins are then computed without the model.
"""

from typing import Literal

from msgspec import Struct

ProblemKind = Literal["maths", "choice"]
"""The answer is an expression in a box · the letter of one of the choices."""

Rank = Literal[
    "dtr",
    "length",
    "reverse_length",
    "mean_log_prob",
    "neg_perplexity",
    "neg_entropy",
    "self_certainty",
]
"""What samples can be ranked by, the largest first. The two lengths are of whole responses; all
others are of a prefix."""


class Problem(Struct, frozen=True):
    """A question with a known answer."""

    problem_id: str
    """Its name, different from every other's."""
    question: str
    """What is asked, without instructions."""
    answer: str
    """The right answer: an expression, or the letter of a choice."""
    kind: ProblemKind = "maths"
    """How answers are found and compared."""
    choices: tuple[str, ...] = ()
    """The choices from A on; empty for maths."""


class PrefixScores(Struct, frozen=True):
    """Scores of a response after its first tokens; None without any tokens."""

    prefix: int | None
    """How many tokens were looked at; None for the whole response."""
    tokens: int
    """How many there were: fewer than the prefix where the response ended earlier."""
    dtr: float | None
    """Share of these tokens that are deep."""
    mean_log_prob: float | None
    """Mean natural logarithm of their probabilities."""
    entropy: float | None
    """Mean entropy of the distributions they were drawn from, in nats, at temperature 1."""
    self_certainty: float | None
    """Mean divergence of these distributions from the uniform one, in nats."""


class Sample(Struct, frozen=True):
    """One response to a problem."""

    text: str
    """What was generated, without special tokens."""
    tokens: int
    """How many tokens that took, an end token included."""
    ended: bool
    """Whether it wrote an end token before the limit."""
    scores: tuple[PrefixScores, ...]
    """By prefix, shortest first, the whole response last; of all tokens, thinking included."""
    answer: str | None = None
    """Its answer, in the words of the first sample of the problem with an equal one. None when it
    gives none, or when it was not graded."""
    correct: bool | None = None
    """Whether the answer is right; False without an answer, None when it was not graded."""
    thinking: str = ""
    """What was thought before the text, where a server gives that apart or between tags."""
    thinking_scores: PrefixScores | None = None
    """Of the thinking alone; None without any."""
    answer_scores: PrefixScores | None = None
    """Of what came after the thinking; None without any thinking."""


class ProblemPool(Struct, frozen=True):
    """A problem and its samples."""

    problem: Problem
    """The problem that the samples answer."""
    samples: tuple[Sample, ...]
    """The responses, in the order they were drawn."""


class PoolHead(Struct, frozen=True, kw_only=True):
    """How a pool was drawn."""

    pool: int = 1
    """Version of the layout."""
    model: str
    """The model that wrote the texts."""
    scorer: str
    """The model whose layers and confidences were read; mostly the same."""
    dtype: str
    """The type of its weights meanwhile."""
    samples: int
    """Samples of each problem."""
    temperature: float
    """What logits were divided by."""
    top_p: float
    """Share of the probability that was drawn from."""
    seed: int
    """Start of the random numbers."""
    max_tokens: int
    """Responses were cut here."""
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    prefixes: tuple[int, ...]
    """Where the scores were taken, besides at the end."""
    examples: int = 0
    """Worked examples that went before each problem."""


class Pool(Struct, frozen=True):
    """Samples of several problems."""

    head: PoolHead
    """How they were drawn."""
    problems: tuple[ProblemPool, ...]
    """The problems with their samples."""


class MethodResult(Struct, frozen=True, kw_only=True):
    """One way to an answer, over all problems and trials."""

    method: str
    """cons, mean, long, short, self_certainty, think, or the name of another rank."""
    n: int
    """Samples of each problem in a trial."""
    keep: float
    """Share of them that votes; 1 where all do."""
    prefix: int | None
    """Tokens after which the rest is stopped; None where nothing is, or not by prefix."""
    accuracy: float
    """Mean over problems and trials."""
    accuracy_low: float | None
    """Lower end of its interval, problems resampled. None when there is no spread."""
    accuracy_high: float | None
    """Upper end of the interval of the accuracy."""
    accuracy_sd: float | None
    """Standard deviation of the trials' accuracies; None with one trial."""
    cost_tokens: float
    """Generated tokens of a problem by the paper's accounting, mean over problems and trials."""
    cost_low: float | None
    """Lower end of its interval."""
    cost_high: float | None
    """Upper end of the interval of the cost."""
    generated_tokens: float
    """The same with stopped samples counted as long as they got, not as a whole prefix each."""
    cost_change: float
    """Cost over that of Cons@n, minus 1."""
    lead: float
    """Accuracy minus that of Cons@n on the same draws."""
    lead_low: float | None
    """Lower end of its interval, paired by problem."""
    lead_high: float | None
    """Upper end of the interval of the lead."""


class Thinking(Struct, frozen=True, kw_only=True):
    """Comparison of the methods on a pool."""

    model: str
    """The model that wrote the texts."""
    problems: int
    """Problems in the pool."""
    samples: int
    """Samples drawn for each problem."""
    trials: int
    """How often n samples were drawn from them."""
    pass_rate: float
    """Share of all samples that are right."""
    answered: float
    """Share of all samples that give an answer."""
    mean_tokens: float
    """Mean length of a sample."""
    methods: tuple[MethodResult, ...]
    """The methods with the chosen n, share and prefix."""
    by_n: tuple[MethodResult, ...]
    """Cons@n and the ranked method for other n."""
    by_keep: tuple[MethodResult, ...]
    """The ranked method for other shares."""
    by_prefix: tuple[MethodResult, ...]
    """The ranked method for other prefixes; None is the whole response."""
    notes: tuple[str, ...]
    """What to know before believing it."""


class ThinkAnswer(Struct, frozen=True, kw_only=True, rename={"selected": "kept"}):
    """A problem answered with the rejected samples really stopped."""

    problem_id: str
    answer: str | None
    """The answer that won; None when no selected sample gave one."""
    correct: bool
    """Whether it is right."""
    votes: int
    """Selected samples that gave it."""
    selected: int
    """Samples that were finished; stored as `kept`."""
    rejected: int
    """Samples that were stopped."""
    cost_tokens: int
    """By the paper's accounting."""
    generated_tokens: int
    """Tokens that were really generated."""
    thinking_dtr: float | None = None
    """Mean deep-thinking ratio of the selected samples' thinking; None where none stands apart."""
    answer_dtr: float | None = None
    """The same of what they wrote after it."""


class ThinkAnswers(Struct, frozen=True, kw_only=True):
    """Problems answered with early stopping."""

    model: str
    """The model that wrote the texts."""
    rank: Rank
    """What samples were ranked by."""
    n: int
    """Samples of each problem."""
    keep: float
    """Share of them that was finished."""
    prefix: int
    """Tokens after which the rest was stopped."""
    accuracy: float
    """Share of the problems whose answer is right."""
    cost_tokens: float
    """Mean cost of a problem by the paper's accounting."""
    generated_tokens: float
    """Mean of what was really generated."""
    answers: tuple[ThinkAnswer, ...]
    """One for each problem."""
