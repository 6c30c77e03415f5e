"""`agentdyno think`: many samples of each problem, and which way of choosing among them pays."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    pass


class RankBy(StrEnum):
    """What samples are ranked by, the largest first."""

    dtr = "dtr"
    length = "length"
    reverse_length = "reverse_length"
    mean_log_prob = "mean_log_prob"
    neg_perplexity = "neg_perplexity"
    neg_entropy = "neg_entropy"
    self_certainty = "self_certainty"


def command(
    model: Annotated[
        str, typer.Option(help="smollm2, a GGUF file, a folder, or a name on the hub.")
    ] = "smollm2",
    problems: Annotated[
        str, typer.Option(help="builtin, or a JSONL file with problem_id, question and answer.")
    ] = "builtin",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    n: Annotated[
        int, typer.Option(min=1, help="Samples of each problem that are chosen from.")
    ] = 48,
    keep: Annotated[float, typer.Option(min=0, max=1, help="Share of them that votes.")] = 0.5,
    prefix: Annotated[
        int, typer.Option(min=0, help="Tokens after which the rest is stopped; 0: whole samples.")
    ] = 50,
    rank: Annotated[RankBy, typer.Option(help="What samples are ranked by.")] = RankBy.dtr,
    trials: Annotated[int, typer.Option(min=1, help="Draws of n samples from the pool.")] = 10,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples of each problem in the pool; twice n.")
    ] = None,
    prefixes: Annotated[
        str, typer.Option(help="Where scores are recorded besides: token counts with commas.")
    ] = "10,25,50,100,200",
    pool: Annotated[
        Path | None, typer.Option(help="Compare over this recorded pool; no model is needed.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write the pool here; what it holds is not drawn again.")
    ] = None,
    answer: Annotated[
        bool, typer.Option("--answer", help="Stop the rejected samples and only answer.")
    ] = False,
    temperature: Annotated[float, typer.Option(min=0, help="0 always takes the likeliest.")] = 0.7,
    top_p: Annotated[float, typer.Option(min=0, max=1, help="Nucleus that is drawn from.")] = 1.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Responses are cut here.")] = 256,
    seed: Annotated[int, typer.Option(min=0, help="Start of all random numbers.")] = 0,
    examples: Annotated[
        int | None, typer.Option(min=0, max=3, help="Worked examples; 3 with builtin, else none.")
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cpu or cuda; by default what is there.")
    ] = None,
    dtype: Annotated[str | None, typer.Option(help="float32, bfloat16 or float16.")] = None,
    g: Annotated[float, typer.Option(min=0, help="Distance at which a layer has settled.")] = 0.5,
    rho: Annotated[float, typer.Option(help="Share of layers where deep ones begin.")] = 0.85,
    readout: Annotated[
        str | None,
        typer.Option(help="Declare a family: decoder=PATH,layers=PATH,norm=PATH,scale=1."),
    ] = None,
    server: Annotated[
        str | None, typer.Option(help="Texts from this OpenAI-compatible address; --model scores.")
    ] = None,
    at_once: Annotated[
        int, typer.Option(min=1, help="Requests to the server under way together.")
    ] = 64,
    server_model: Annotated[str | None, typer.Option(help="The model's name there.")] = None,
    report: opt.Page = None,
    png: opt.Png = None,
    json: opt.Json = False,
) -> int:
    """Sample many answers to each problem, stop the unpromising ones early and let the rest vote;
    compare ways to choose."""
    from agentdyno.cli.files import check_page
    from agentdyno.cli.output import note, print_found, print_json
    from agentdyno.cli.progress_bars import count_progress
    from agentdyno_depth.pipelines.think.verb import ThinkRequest, think, work_ahead
    from agentdyno_depth.reports.thinking import think_topics

    check_page(report)
    request = ThinkRequest(
        model=model,
        problems=problems,
        limit=limit,
        n=n,
        keep=keep,
        prefix=prefix,
        rank=rank.value,
        trials=trials,
        samples=samples,
        prefixes=prefixes,
        pool=pool,
        record=record,
        answer=answer,
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        seed=seed,
        examples=examples,
        device=device,
        dtype=dtype,
        g=g,
        rho=rho,
        readout=readout,
        at_once=at_once,
        server=server,
        server_model=server_model,
    )
    if ahead := work_ahead(request):
        note(ahead)
    with count_progress("problems") as progress:
        found: Any = think(request, progress)
    if report is not None or png is not None:
        _write_topics(found, report, png)
    if json:
        print_json(found)
    else:
        print_found(think_topics(found))
    return 0


def _write_topics(found: Any, report: Path | None, png: Path | None) -> None:
    from agentdyno.cli.files import write_topics
    from agentdyno_depth.reports.thinking import think_topics

    write_topics(f"choosing among samples of {found.model}", think_topics(found), report, png)
