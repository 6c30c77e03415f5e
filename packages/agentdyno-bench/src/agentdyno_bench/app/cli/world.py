"""`agentdyno world`: the fifteen MCP servers, and the tasks over them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.records import InputError
from agentdyno_bench.app.cli.bench_output import Latency, TpsAnswers, TpsLevel

if TYPE_CHECKING:
    from agentdyno_bench.tps.goal_judging import GoalJudge

app = typer.Typer(
    help="Serve the MCP servers of the planning benchmark to any client, and prove or make tasks.",
    no_args_is_help=True,
)


_SEED = 7


@app.command("list")
def list_servers(
    json: opt.Json = False,
) -> None:
    """Show every server and how many tools it has; with --json every tool."""
    from agentdyno.cli.output import console, print_json, table
    from agentdyno_bench.tps.housekeeping import list_world

    listed = list_world()
    count = sum(len(server.tools) for server in listed)
    if json:
        print_json({"servers": listed, "server_count": len(listed), "tool_count": count})
        return
    rows_table = table("server", "tools", "what for")
    for server in listed:
        rows_table.add_row(server.name, str(len(server.tools)), server.about)
    console().print(rows_table)
    console().print(f"{len(listed)} servers, {count} tools")


@app.command("serve")
def serve(
    server: Annotated[
        str | None, typer.Argument(help="Name of a server (see `world list`), or --task.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="Id of a task: all servers and `submit`, as one server.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="With --task: the file to which every call is added.")
    ] = None,
    tasks: Annotated[str, typer.Option(help="`bundled` or a task file.")] = "bundled",
    tool: Annotated[
        list[str] | None, typer.Option(help="With --task: only these tools, such as 'mail_*'.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides all data; a task has its own.")] = _SEED,
    latency: Annotated[
        Latency, typer.Option(help="virtual: reported only; real: services take their time.")
    ] = Latency.virtual,
    http: Annotated[
        int | None, typer.Option(help="Port for streamable HTTP; stdio when left out.")
    ] = None,
) -> None:
    """Serve one server, or a whole task, to any MCP client, over stdio or HTTP (at /mcp)."""
    from agentdyno_bench.tps.housekeeping import serve_task, serve_world

    if server is not None and task is None and record is None:
        serve_world(server, seed, latency.value, http)
    elif server is None and task is not None and record is not None:
        serve_task(task, tasks, record, tool or [], latency.value, http)
    else:
        raise InputError(
            "expected the name of a server, or --task ID with --record FILE, found "
            f"{'both' if server else 'one without the other' if task or record else 'neither'}."
        )


@app.command("validate")
def validate(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Task files; the bundled tasks by default.")
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Over live MCP servers instead of in this process.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N tasks.")] = None,
    json: opt.Json = False,
) -> int:
    """Prove that tasks can be solved: run every reference plan and mark it."""
    from agentdyno.cli.output import console, print_json
    from agentdyno_bench.tps.housekeeping import validate_tasks

    result = validate_tasks(files or [], live, limit)
    if json:
        print_json(result)
    else:
        where = "over live servers" if result.live else "in this process"
        console().print(
            f"{result.tasks - len(result.unsolved)} of {result.tasks} tasks solved {where} "
            f"({result.subtasks} subtasks)"
        )
        for task in result.unsolved:
            console().print(f"{task.task_id}: not completed: {', '.join(task.missing)}")
    return 1 if result.unsolved else 0


@app.command("submit")
def submit(
    task: Annotated[str, typer.Argument(help="Id of a task, such as hard-001.")],
    tasks: Annotated[str, typer.Option(help="`bundled` or a task file.")] = "bundled",
) -> int:
    """Print the JSON schemas of what a task wants submitted, one for each message of the user."""
    from agentdyno.cli.output import print_json
    from agentdyno_bench.tps.graded_runs import find_seeded_task
    from agentdyno_bench.tps.outcomes.submission import submit_schemas

    print_json(submit_schemas(find_seeded_task(tasks, task)[0]))
    return 0


@app.command("prompt")
def prompt(
    task: Annotated[str, typer.Argument(help="Id of a task, such as hard-001.")],
    tasks: Annotated[str, typer.Option(help="`bundled` or a task file.")] = "bundled",
) -> int:
    """Print what an agent is told of a task, to be piped into it."""
    from agentdyno_bench.tps.briefs import write_prompt
    from agentdyno_bench.tps.graded_runs import find_seeded_task

    typer.echo(write_prompt(find_seeded_task(tasks, task)[0].prompt))
    return 0


@app.command("mark")
def mark(
    runs: Annotated[
        Path,
        typer.Option(
            help="JSONL: task_id, calls (tool, arguments, ran), answer; or a log of serve."
        ),
    ],
    tasks: Annotated[str, typer.Option(help="`bundled` or a task file.")] = "bundled",
    answers: Annotated[
        TpsAnswers, typer.Option(help="submit: typed fields; prose: texts, read by the judge.")
    ] = TpsAnswers.submit,
    judge: Annotated[str | None, typer.Option(help="A model that reads answers in prose.")] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="Where its service is.")] = None,
    judge_argument: Annotated[
        list[str] | None, typer.Option("-J", help="KEY=VALUE for the judge's provider.")
    ] = None,
    max_usd: opt.MaxUsd = None,
    prices: opt.Prices = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> int:
    """Mark transcripts of any agent by replaying their calls in a fresh world."""
    from agentdyno.cli.output import console, print_json, table
    from agentdyno_bench.tps.graded_runs import mark_runs

    judging = None
    if judge is not None:
        judging = _goal_judge(judge, judge_base_url, judge_argument, runs, max_usd, prices)
    result = mark_runs(tasks, runs, answers.value, judging.decide if judging else None)
    if json:
        print_json(result)
    else:
        rows_table = table("line", "task", "goals", "harm", "score")
        for run in result.runs:
            goals = f"{len(run.marks.done)} of {len(run.marks.goals)}"
            harm = str(len(run.marks.harms))
            rows_table.add_row(str(run.line), run.marks.task_id, goals, harm, f"{run.score:.2f}")
        console().print(rows_table)
        if result.completion is not None:
            console().print(
                f"{len(result.runs)} runs: completion {result.completion:.1%}, score "
                f"{result.score:.1%}, {result.solved} solved, {result.harmful} did harm"
            )
            if result.unclear:
                console().print(
                    f"{result.unclear} goals were decided by no judge and count as not met; "
                    f"completion is {result.completion_high:.1%} if all were met"
                )
        for line in result.unread:
            console().print(f"{runs}:{line.line}: {line.problem}; this line was skipped")
    return 2 if not result.runs else 0


def _goal_judge(
    name: str,
    base_url: str | None,
    arguments: list[str] | None,
    runs: Path,
    max_usd: float | None,
    prices: Path | None,
) -> "GoalJudge":
    from agentdyno_bench.shared.judges.questions import AskOptions
    from agentdyno_bench.shared.judging import ANSWERS, JudgeOptions
    from agentdyno_bench.shared.judging.command import open_client
    from agentdyno_bench.tps.goal_judging import GoalJudge

    options = JudgeOptions(ask=AskOptions(max_usd=max_usd), prices=prices)
    judge = GoalJudge(open_client(name, base_url, arguments or []), runs.parent / ANSWERS, options)
    judge.refuse_unknown_prices()
    return judge


@app.command("tasks")
def tasks(
    out: Annotated[Path, typer.Option(help="File to write: .json or .json.gz.")],
    level: Annotated[TpsLevel, typer.Option(help="Which kind.")] = TpsLevel.easy,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the drawing.")] = 1,
    world_seed: Annotated[int, typer.Option(help="Of the world.")] = _SEED,
    json: opt.Json = False,
) -> int:
    """Make tasks of your own from a seed."""
    from agentdyno.cli.output import console, print_json
    from agentdyno_bench.tps.housekeeping import make_task_file

    result = make_task_file(out, level.value, count, seed, world_seed)
    if json:
        print_json(result)
    else:
        console().print(f"{result.tasks} tasks in {result.file}")
    return 0 if result.tasks == count else 1
