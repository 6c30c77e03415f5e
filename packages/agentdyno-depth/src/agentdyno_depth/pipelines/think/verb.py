"""What `agentdyno think` does: a pool from a file or drawn now, graded and compared; or answers."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.records.depth import PAPER, Thresholds
from agentdyno_depth.records.thinking import Pool, Rank, ThinkAnswers, Thinking
from agentdyno_depth.studies.thinking.answers import graded
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from agentdyno_depth.think.pool_files import read_pool, write_pool
from agentdyno_depth.think.problems import BUILTIN, BUILTIN_EXAMPLES, named_problems

if TYPE_CHECKING:
    from agentdyno_depth.pipelines.think.drawing import PoolOptions
    from agentdyno_depth.probes.served import Server

Progress = Callable[[int, int], None]


class Asked(Struct, frozen=True, kw_only=True):
    """The options of the verb, as the command line gives them."""

    model: str = "smollm2"
    """The local model: it writes the texts, or scores those of a server."""
    problems: str = "builtin"
    """`builtin`, or a file."""
    limit: int | None = None
    """Only the first so many problems."""
    n: int = 48
    """Samples that are chosen from."""
    keep: float = 0.5
    """Share that votes."""
    prefix: int = 50
    """Tokens after which the rest is stopped; 0 for whole samples."""
    rank: Rank = "dtr"
    """What samples are ranked by."""
    trials: int = 10
    """Draws of n samples."""
    samples: int | None = None
    """Samples in the pool; None for twice n, so that trials are not all the same draw."""
    prefixes: str = "10,25,50,100,200"
    """Further prefixes, with commas."""
    pool: Path | None = None
    """A recorded pool to compare over."""
    record: Path | None = None
    """Where the pool goes."""
    answer: bool = False
    """Stop for real, and only answer."""
    temperature: float = 0.7
    """What logits are divided by."""
    top_p: float = 1.0
    """Nucleus that is drawn from."""
    max_tokens: int = 256
    """Where responses are cut."""
    seed: int = 0
    """Start of all random numbers."""
    examples: int | None = None
    """Worked examples before each problem; None for those that the problems come with."""
    g: float = PAPER.g
    """Distance at which a layer has settled."""
    rho: float = PAPER.rho
    """Share of the layers at which the deep ones begin."""
    readout: str | None = None
    """A family that is declared by hand."""
    at_once: int = 64
    """Requests to a server under way together."""
    device: str | None = None
    """cpu or cuda."""
    dtype: str | None = None
    """Type of the weights."""
    server: str | None = None
    """Address of a server that writes the texts."""
    server_model: str | None = None
    """The model's name there."""


def think(asked: Asked, progress: Progress | None = None) -> Thinking | ThinkAnswers:
    """The comparison of the methods over a pool, or answers with early stopping."""
    if asked.answer:
        return _answered(asked, progress)
    if asked.pool is not None:
        drawn = _limited(read_pool(asked.pool), asked.limit)
    else:
        drawn = _drawn(asked, progress)
    pool = graded(drawn)
    if asked.record is not None:
        write_pool(asked.record, pool)
    return compare_methods(pool, _options(asked))


def work_ahead(asked: Asked) -> str | None:
    """How much a model is about to write, in a line; None where a recorded pool is compared."""
    if asked.pool is not None:
        return None
    problems = len(named_problems(asked.problems, asked.limit))
    samples = _samples(asked)
    less = (
        "--limit or --n make it less"
        if asked.answer
        else "--limit, --n or --samples make it less, --record FILE keeps what is done"
    )
    return (
        f"{problems * samples:,} samples ({samples:,} for each of {problems:,} problems) of up to "
        f"{asked.max_tokens:,} tokens: {less}"
    )


def _samples(asked: Asked) -> int:
    return asked.n if asked.answer else asked.samples or 2 * asked.n


def _options(asked: Asked) -> ThinkOptions:
    return ThinkOptions(
        n=asked.n,
        keep=asked.keep,
        prefix=asked.prefix or None,
        rank=asked.rank,
        trials=asked.trials,
        seed=asked.seed,
    )


def _limited(pool: Pool, limit: int | None) -> Pool:
    return pool if limit is None else Pool(pool.head, pool.problems[:limit])


def _drawn(asked: Asked, progress: Progress | None) -> Pool:
    from agentdyno_depth.pipelines.think.generating import draw_pool
    from agentdyno_depth.probes.loading import open_model

    problems = named_problems(asked.problems, asked.limit)
    options = _pool_options(asked)
    if options.samples < asked.n:
        raise InputError(
            f"--samples {options.samples}: expected at least --n {asked.n}, which is drawn from it."
        )
    with ExitStack() as stack:
        server = _server(asked, stack)
        opened = open_model(asked.model, asked.dtype, asked.device, asked.readout)
        return draw_pool(
            opened, problems, options, asked.record, server, asked.server_model, progress
        )


def _answered(asked: Asked, progress: Progress | None) -> ThinkAnswers:
    from agentdyno_depth.pipelines.think.answering import AnswerOptions, answer_problems
    from agentdyno_depth.probes.loading import open_model

    if asked.pool is not None:
        raise InputError("--answer: expected no --pool beside it: a pool's samples are finished.")
    if not 0 < asked.prefix < asked.max_tokens:
        raise InputError(
            f"--prefix {asked.prefix}: expected between 1 and --max-tokens {asked.max_tokens}."
        )
    problems = named_problems(asked.problems, asked.limit)
    options = AnswerOptions(_pool_options(asked, only=asked.prefix), asked.keep, asked.rank)
    with ExitStack() as stack:
        server = _server(asked, stack)
        opened = open_model(asked.model, asked.dtype, asked.device, asked.readout)
        return answer_problems(opened, problems, options, server, asked.server_model, progress)


def _pool_options(asked: Asked, only: int | None = None) -> "PoolOptions":
    from agentdyno_depth.pipelines.think.drawing import PoolOptions
    from agentdyno_depth.probes.generating import Sampling

    prefixes = (only,) if only else tuple(sorted({*_prefixes(asked), *_chosen(asked)}))
    return PoolOptions(
        samples=_samples(asked),
        thresholds=Thresholds(asked.g, asked.rho),
        prefixes=prefixes,
        max_tokens=asked.max_tokens,
        sampling=Sampling(asked.temperature, asked.top_p, asked.seed),
        examples=_examples(asked),
    )


def _examples(asked: Asked) -> int:
    """The problems written here are for a small model, which needs to see how it is done."""
    if asked.examples is not None:
        return asked.examples
    return BUILTIN_EXAMPLES if asked.problems == BUILTIN else 0


def _chosen(asked: Asked) -> set[int]:
    return {asked.prefix} if asked.prefix else set()


def _prefixes(asked: Asked) -> set[int]:
    parts = [part.strip() for part in asked.prefixes.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InputError(
            f"--prefixes {asked.prefixes}: expected token counts with commas between, such as "
            "50,100,200."
        )
    return {int(part) for part in parts}


def _server(asked: Asked, stack: ExitStack) -> "Server | None":
    from agentdyno_depth.probes.served import Server, ServerOptions

    if asked.server is None:
        return None
    if not asked.server_model:
        raise InputError("--server: expected --server-model NAME beside it, found none.")
    own = ServerOptions(
        asked.server,
        asked.server_model,
        asked.temperature,
        asked.top_p,
        asked.seed,
        asked.at_once,
    )
    server = stack.enter_context(Server(own))
    server.require_reachable()  # Before a model is loaded for it.
    return server
