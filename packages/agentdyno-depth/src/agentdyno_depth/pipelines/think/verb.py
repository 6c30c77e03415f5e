"""Runs `agentdyno think`: a pool from a file or drawn now, graded and compared; or answers."""

from collections.abc import Callable
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.engines.smollm2 import cache_directory
from agentdyno_depth.probes.paid_samples import PaidSamples
from agentdyno_depth.records.depth import PAPER, Thresholds
from agentdyno_depth.records.thinking import Pool, Rank, ThinkAnswers, Thinking
from agentdyno_depth.studies.thinking.answers import grade_pool
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from agentdyno_depth.think.pool_files import read_pool, write_pool
from agentdyno_depth.think.problems import BUILTIN, BUILTIN_EXAMPLES, load_problems

if TYPE_CHECKING:
    from agentdyno_depth.pipelines.think.drawing import PoolOptions
    from agentdyno_depth.probes.served import Server

Progress = Callable[[int, int], None]


class ThinkRequest(Struct, frozen=True, kw_only=True):
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
    """Share of the samples that vote."""
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
    """Where the model runs: cpu or cuda."""
    dtype: str | None = None
    """Type of the weights."""
    server: str | None = None
    """Address of a server that writes the texts."""
    server_model: str | None = None
    """The model's name there."""


def think(request: ThinkRequest, progress: Progress | None = None) -> Thinking | ThinkAnswers:
    """The comparison of the methods over a pool, or answers with early stopping."""
    with ExitStack() as stack:  # Paid samples are kept until all is done with them.
        return _think(request, stack, progress)


def _think(
    request: ThinkRequest, stack: ExitStack, progress: Progress | None
) -> Thinking | ThinkAnswers:
    if request.answer:
        return _answer(request, stack, progress)
    if request.pool is not None:
        drawn = _limit(read_pool(request.pool), request.limit)
    else:
        drawn = _draw(request, stack, progress)
    pool = grade_pool(drawn)
    if request.record is not None:
        write_pool(request.record, pool)
    return compare_methods(pool, _options(request))


def work_ahead(request: ThinkRequest) -> str | None:
    """How much a model is about to write, in a line; None where a recorded pool is compared."""
    if request.pool is not None:
        return None
    problems = len(load_problems(request.problems, request.limit))
    samples = _samples(request)
    less = (
        "--limit or --n make it less"
        if request.answer
        else "--limit, --n or --samples make it less, --record FILE keeps what is done"
    )
    return (
        f"{problems * samples:,} samples ({samples:,} for each of {problems:,} problems) of up to "
        f"{request.max_tokens:,} tokens: {less}"
    )


def _samples(request: ThinkRequest) -> int:
    return request.n if request.answer else request.samples or 2 * request.n


def _options(request: ThinkRequest) -> ThinkOptions:
    return ThinkOptions(
        n=request.n,
        keep=request.keep,
        prefix=request.prefix or None,
        rank=request.rank,
        trials=request.trials,
        seed=request.seed,
    )


def _limit(pool: Pool, limit: int | None) -> Pool:
    return pool if limit is None else Pool(pool.head, pool.problems[:limit])


def _draw(request: ThinkRequest, stack: ExitStack, progress: Progress | None) -> Pool:
    from agentdyno_depth.pipelines.think.generating import draw_pool
    from agentdyno_depth.probes.loading import open_model

    problems = load_problems(request.problems, request.limit)
    options = _pool_options(request)
    if options.samples < request.n:
        raise InputError(
            f"--samples {options.samples}: expected at least --n {request.n}, which is drawn from "
            "them."
        )
    server = _server(request, stack)
    opened = open_model(request.model, request.dtype, request.device, request.readout)
    return draw_pool(
        opened, problems, options, request.record, server, request.server_model, progress
    )


def _answer(request: ThinkRequest, stack: ExitStack, progress: Progress | None) -> ThinkAnswers:
    from agentdyno_depth.pipelines.think.answering import AnswerOptions, answer_problems
    from agentdyno_depth.probes.loading import open_model

    if request.pool is not None:
        raise InputError("--answer: expected no --pool beside it: a pool's samples are finished.")
    if not 0 < request.prefix < request.max_tokens:
        raise InputError(
            f"--prefix {request.prefix}: expected between 1 and --max-tokens {request.max_tokens}."
        )
    problems = load_problems(request.problems, request.limit)
    options = AnswerOptions(_pool_options(request, only=request.prefix), request.keep, request.rank)
    server = _server(request, stack)
    opened = open_model(request.model, request.dtype, request.device, request.readout)
    return answer_problems(opened, problems, options, server, request.server_model, progress)


def _pool_options(request: ThinkRequest, only: int | None = None) -> "PoolOptions":
    from agentdyno_depth.pipelines.think.drawing import PoolOptions
    from agentdyno_depth.probes.generating import Sampling

    prefixes = (only,) if only else tuple(sorted({*_prefixes(request), *_list_chosen(request)}))
    return PoolOptions(
        samples=_samples(request),
        thresholds=Thresholds(request.g, request.rho),
        prefixes=prefixes,
        max_tokens=request.max_tokens,
        sampling=Sampling(request.temperature, request.top_p, request.seed),
        examples=_examples(request),
    )


def _examples(request: ThinkRequest) -> int:
    """The problems written here are for a small model, which needs to see how it is done."""
    if request.examples is not None:
        return request.examples
    return BUILTIN_EXAMPLES if request.problems == BUILTIN else 0


def _list_chosen(request: ThinkRequest) -> set[int]:
    return {request.prefix} if request.prefix else set()


def _prefixes(request: ThinkRequest) -> set[int]:
    parts = [part.strip() for part in request.prefixes.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InputError(
            f"--prefixes {request.prefixes}: expected token counts with commas between, such as "
            "50,100,200."
        )
    return {int(part) for part in parts}


def _server(request: ThinkRequest, stack: ExitStack) -> "Server | None":
    from agentdyno_depth.probes.served import Served, Server, ServerOptions

    if request.server is None:
        return None
    if not request.server_model:
        raise InputError("--server: expected --server-model NAME beside it, found none.")
    server_options = ServerOptions(
        request.server,
        request.server_model,
        request.temperature,
        request.top_p,
        request.seed,
        request.at_once,
    )
    paid = PaidSamples(_paid_file(request), Served)
    server = stack.enter_context(Server(server_options, paid=paid))
    server.require_reachable()  # Before a model is loaded for it.
    return server


def _paid_file(request: ThinkRequest) -> Path:
    """Beside the pool's file, else in the cache: an interrupt loses no sample either way."""
    if request.record is not None:
        return request.record.with_name(f"{request.record.name}.samples")
    folder = cache_directory() / "think"
    folder.mkdir(parents=True, exist_ok=True)
    identity = f"{request.server} {request.server_model} {request.problems}"
    return folder / f"{blake2b(identity.encode(), digest_size=8).hexdigest()}.samples"
