"""`agentdyno think`: many samples of each problem, and which way of choosing among them pays."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import copy_options, takes_options


class RankBy(StrEnum):
    """Scores to rank samples by, the largest first."""

    dtr = "dtr"
    length = "length"
    reverse_length = "reverse_length"
    mean_log_prob = "mean_log_prob"
    neg_perplexity = "neg_perplexity"
    neg_entropy = "neg_entropy"
    self_certainty = "self_certainty"


class Options(Struct, frozen=True, kw_only=True):
    model: str = "smollm2"
    """smollm2, a GGUF file, a folder, or a name on the hub."""
    problems: str = "builtin"
    """builtin, or a JSONL file with problem_id, question and answer."""
    limit: Annotated[int | None, typer.Option(min=1)] = None
    """Only the first so many."""
    n: Annotated[int, typer.Option(min=1)] = 48
    """Samples of each problem that are chosen from."""
    keep: Annotated[float, typer.Option(min=0, max=1)] = 0.5
    """Share of them that votes."""
    prefix: Annotated[int, typer.Option(min=0)] = 50
    """Tokens after which the rest is stopped; 0: whole samples."""
    rank: RankBy = RankBy.dtr
    """What samples are ranked by."""
    trials: Annotated[int, typer.Option(min=1)] = 10
    """Draws of n samples from the pool."""
    samples: Annotated[int | None, typer.Option(min=1)] = None
    """Samples of each problem in the pool; twice n."""
    prefixes: str = "10,25,50,100,200"
    """Where scores are recorded besides: token counts with commas."""
    pool: Path | None = None
    """Compare over this recorded pool; no model is needed."""
    record: Path | None = None
    """Write the pool here; what it holds is not drawn again."""
    answer: bool = False
    """Stop the rejected samples and only answer."""
    temperature: Annotated[float, typer.Option(min=0)] = 0.7
    """0 always takes the likeliest."""
    top_p: Annotated[float, typer.Option(min=0, max=1)] = 1.0
    """Nucleus that is drawn from."""
    max_tokens: Annotated[int, typer.Option(min=1)] = 256
    """Responses are cut here."""
    seed: Annotated[int, typer.Option(min=0)] = 0
    """Start of all random numbers."""
    examples: Annotated[int | None, typer.Option(min=0, max=3)] = None
    """Worked examples; 3 with builtin, else none."""
    device: str | None = None
    """cpu or cuda; by default what is there."""
    dtype: str | None = None
    """float32, bfloat16 or float16."""
    g: Annotated[float, typer.Option(min=0)] = 0.5
    """Distance at which a layer has settled."""
    rho: float = 0.85
    """Share of layers where deep ones begin."""
    readout: str | None = None
    """Declare a family: decoder=PATH,layers=PATH,norm=PATH,scale=1."""
    server: str | None = None
    """Texts from this OpenAI-compatible address; --model scores."""
    at_once: Annotated[int, typer.Option(min=1)] = 64
    """Requests to the server under way together."""
    server_model: str | None = None
    """The model's name there."""
    report: opt.Page = None
    png: opt.Png = None
    json: opt.Json = False


@takes_options
def command(args: Options) -> int:
    """Sample many answers to each problem, stop the unpromising ones early and let the rest vote;
    compare ways to choose."""
    from agentdyno.cli.files import check_page
    from agentdyno.cli.output import note, print_found, print_json
    from agentdyno.cli.progress_bars import progress_bar
    from agentdyno_depth.pipelines.think.verb import ThinkRequest, think, work_ahead
    from agentdyno_depth.reports.thinking import think_topics

    check_page(args.report)
    request = copy_options(args, ThinkRequest)
    if ahead := work_ahead(request):
        note(ahead)
    with progress_bar("problems") as progress:
        result: Any = think(request, progress)
    if args.report is not None or args.png is not None:
        _write_topics(result, args.report, args.png)
    if args.json:
        print_json(result)
    else:
        print_found(think_topics(result))
    return 0


def _write_topics(result: Any, report: Path | None, png: Path | None) -> None:
    from agentdyno.cli.files import write_topics
    from agentdyno_depth.reports.thinking import think_topics

    write_topics(f"choosing among samples of {result.model}", think_topics(result), report, png)
