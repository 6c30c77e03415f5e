"""`agentdyno train`: an agent in our world, with our rewards."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agentdyno.cli import options as opt

if TYPE_CHECKING:
    from agentdyno_train.runs import Trained

PRINTED = ("loss", "reward", "world/completion", "world/solved", "world/signal", "world/turns")


class Stage(StrEnum):
    """What is trained by."""

    sft = "sft"
    grpo = "grpo"


class Tune(StrEnum):
    """What is changed."""

    lora = "lora"
    full = "full"


_DATA, _TRAINING = "What it learns from", "The training"


def command(
    stage: Annotated[
        Stage, typer.Option(help="sft: what reference plans say; grpo: attempts in the world.")
    ],
    out: Annotated[
        Path, typer.Option(help="Folder of the training.", rich_help_panel=opt.RUN)
    ] = Path("training"),
    model: Annotated[
        str | None,
        typer.Option(help="smollm2 or a Hugging Face folder.", rich_help_panel=opt.MODEL),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(help="An adapter to go on from.", rich_help_panel=opt.MODEL)
    ] = None,
    tune: Annotated[
        Tune | None, typer.Option(help="An adapter or all weights.", rich_help_panel=opt.MODEL)
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="sft, sft_more, sft_styles, grpo, grpo_styles, paper or a TOML file.",
            rich_help_panel=_TRAINING,
        ),
    ] = None,
    rewards: Annotated[
        Path | None,
        typer.Option(help="A TOML file with weights of the reward.", rich_help_panel=_TRAINING),
    ] = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Optimizer steps.", rich_help_panel=_TRAINING)
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(min=1, help="Conversations or attempts a step.", rich_help_panel=_TRAINING),
    ] = None,
    group: Annotated[
        int | None, typer.Option(min=2, help="Attempts at one task.", rich_help_panel=_TRAINING)
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Learning rate.", rich_help_panel=_TRAINING)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Decides everything random.", rich_help_panel=_TRAINING)
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Stop after so long, with a checkpoint.", rich_help_panel=_TRAINING),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(min=0, help="Further worlds that tasks are made for.", rich_help_panel=_DATA),
    ] = None,
    drills: Annotated[
        int | None,
        typer.Option(min=0, help="Synthetic dialogues besides.", rich_help_panel=_DATA),
    ] = None,
    most_steps: Annotated[
        int | None, typer.Option(min=1, help="Steps of a plan at most.", rich_help_panel=_DATA)
    ] = None,
    lessons: Annotated[
        Path | None, typer.Option(help="Training tasks written before.", rich_help_panel=_DATA)
    ] = None,
    write_lessons: Annotated[
        Path | None,
        typer.Option(help="Only write the training tasks to this file.", rich_help_panel=_DATA),
    ] = None,
    verl: Annotated[
        Path | None,
        typer.Option(help="Only write a veRL configuration here.", rich_help_panel=opt.RUN),
    ] = None,
    json: opt.Json = False,
) -> int:
    """Train an agent in the planning world: a warm-up on reference plans, then reinforcement by
    what attempts really reached, how long they waited and what they cost."""
    from agentdyno_train.options import read_recipe, read_reward_weights

    changed = {
        "stage": stage.value, "model": model, "start": None if start is None else str(start),
        "tune": None if tune is None else tune.value, "steps": steps, "batch": batch,
        "group": group, "learning_rate": rate, "seed": seed, "worlds": worlds,
        "drills": drills, "most_steps": most_steps,
    }  # fmt: skip
    settings = read_recipe(recipe or stage.value, changed)
    weights = read_reward_weights(settings, rewards)
    if write_lessons is not None:
        from agentdyno_train.runs import write_data

        return _show_written(write_lessons, write_data(settings, write_lessons), json)
    if verl is not None:
        from agentdyno_train.verl import write_verl

        return _show_written(verl, write_verl(settings, weights, verl, lessons), json)
    from agentdyno_train.runs import train

    seconds = None if minutes is None else minutes * 60
    return _show(train(settings, weights, out, lessons, seconds, _print_step), json)


def _print_step(step: int, numbers: dict[str, Any]) -> None:
    import sys

    numbers_text = [
        f"{name.rpartition('/')[2]} {numbers[name]:.4g}" for name in PRINTED if name in numbers
    ]
    if numbers_text:
        print(f"step {step}: {', '.join(numbers_text)}", file=sys.stderr, flush=True)


def _show_written(path: Path, count: int, as_json: bool) -> int:
    from agentdyno.cli.output import print_json

    if as_json:
        print_json({"written": str(path), "lessons": count})
    else:
        print(f"{path}: {count:,} training tasks")
    return 0


def _show(done: "Trained", as_json: bool) -> int:
    from agentdyno.cli.output import print_json

    if as_json:
        print_json(done)
        return 0
    begun = f", begun at {done.resumed_at}" if done.resumed_at else ""
    print(f"{done.folder}: {done.steps} steps{begun}, {done.seconds:,.0f} s")
    print(f"recipe: {done.recipe}")
    return 0
