"""`agentdyno think`: many samples of each problem, and which way of choosing among them pays."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from agentdyno.records.thinking import MethodResult, ThinkAnswers, Thinking


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
    report: Annotated[
        Path | None, typer.Option(help="Write a page about it: .html, one file.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option(help="Folder to write the page's charts into, as PNG files.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Sample many answers, stop the unpromising ones early, vote; compare ways to choose."""
    from agentdyno.cli.counting import count_progress
    from agentdyno.cli.files import check_page
    from agentdyno.cli.output import console, print_json
    from agentdyno.pipelines.think.verb import Asked, think

    check_page(report)
    asked = Asked(
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
    with count_progress("problems") as progress:
        found: Any = think(asked, progress)
    if report is not None or png is not None:
        _write_topics(found, report, png)
    if json:
        print_json(found)
    elif answer:
        _print_answers(console(), found)
    else:
        _print_thinking(console(), found)
    return 0


def _write_topics(found: Any, report: Path | None, png: Path | None) -> None:
    from agentdyno.cli.files import write_topics
    from agentdyno.reports.topics.thinking import think_topics

    write_topics(f"choosing among samples of {found.model}", think_topics(found), report, png)


def _print_thinking(out: Any, found: "Thinking") -> None:
    from agentdyno.records import printable

    out.print(
        f"{printable(found.model)}: {found.problems} problems, {found.samples} samples each, "
        f"{found.trials} trials; {100 * found.pass_rate:.1f} % of the samples are right, "
        f"{100 * found.answered:.1f} % give an answer, {found.mean_tokens:.0f} tokens on average"
    )
    _print_rows(out, "method", found.methods)
    _print_rows(out, "by n", found.by_n)
    _print_rows(out, "by share kept", found.by_keep)
    _print_rows(out, "by prefix", found.by_prefix)
    out.print(
        "Accuracy, sd of the trials and lead over Cons@n in percent, with 95 % intervals. Cost is "
        "in tokens of a problem, by the paper's accounting; written is what was generated."
    )
    for note in found.notes:
        out.print(note)


def _print_rows(out: Any, title: str, rows: "tuple[MethodResult, ...]") -> None:
    from agentdyno.cli.output import table

    heads = ("n", "keep", "prefix", "accuracy", "sd", "cost", "change", "written", "lead")
    shown = table(title, *heads)
    for row in rows:
        shown.add_row(
            f"{row.method}@n",
            str(row.n),
            f"{100 * row.keep:.0f} %",
            "–" if row.prefix is None else str(row.prefix),
            f"{100 * row.accuracy:.1f}{_interval(row.accuracy_low, row.accuracy_high)}",
            "–" if row.accuracy_sd is None else f"{100 * row.accuracy_sd:.1f}",
            f"{row.cost_tokens:,.0f}",
            f"{100 * row.cost_change:+.0f} %",
            f"{row.generated_tokens:,.0f}",
            f"{100 * row.lead:+.1f}{_interval(row.lead_low, row.lead_high)}",
        )
    out.print(shown)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{100 * low:.0f}, {100 * high:.0f}]"


def _print_answers(out: Any, found: "ThinkAnswers") -> None:
    from agentdyno.cli.output import table
    from agentdyno.records import printable

    shown = table("problem", "answer", "right", "votes", "kept", "tokens")
    for answer in found.answers:
        shown.add_row(
            printable(answer.problem_id, 30),
            "–" if answer.answer is None else printable(answer.answer, 30),
            "yes" if answer.correct else "no",
            f"{answer.votes}/{answer.kept}",
            f"{answer.kept}/{answer.kept + answer.rejected}",
            f"{answer.generated_tokens:,}",
        )
    out.print(shown)
    out.print(
        f"{100 * found.accuracy:.1f} % right; {found.generated_tokens:,.0f} tokens a problem were "
        f"generated, {found.cost_tokens:,.0f} by the paper's accounting"
    )
