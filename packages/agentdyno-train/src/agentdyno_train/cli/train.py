"""`agentdyno train`: an agent in our world, with our rewards."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options

if TYPE_CHECKING:
    from agentdyno_train.runs import Trained

PRINTED = ("loss", "reward", "world/completion", "world/solved", "world/signal", "world/turns")


class Stage(StrEnum):
    """Training stage."""

    sft = "sft"
    grpo = "grpo"


class Tune(StrEnum):
    """Parameters that are trained."""

    lora = "lora"
    full = "full"


_DATA, _TRAINING = "What it learns from", "The training"


class Options(Struct, frozen=True, kw_only=True):
    stage: Stage
    """sft: what reference plans say; grpo: attempts in the world."""
    out: Annotated[Path, typer.Option(rich_help_panel=opt.RUN)] = Path("training")
    """Folder of the training."""
    model: Annotated[str | None, typer.Option(rich_help_panel=opt.MODEL)] = None
    """smollm2 or a Hugging Face folder."""
    start: Annotated[Path | None, typer.Option(rich_help_panel=opt.MODEL)] = None
    """An adapter to go on from."""
    tune: Annotated[Tune | None, typer.Option(rich_help_panel=opt.MODEL)] = None
    """An adapter or all weights."""
    recipe: Annotated[str | None, typer.Option(rich_help_panel=_TRAINING)] = None
    """sft, sft_more, grpo, paper or a TOML file."""
    rewards: Annotated[Path | None, typer.Option(rich_help_panel=_TRAINING)] = None
    """A TOML file with weights of the reward."""
    steps: Annotated[int | None, typer.Option(min=1, rich_help_panel=_TRAINING)] = None
    """Optimizer steps."""
    batch: Annotated[int | None, typer.Option(min=1, rich_help_panel=_TRAINING)] = None
    """Conversations or attempts a step."""
    group: Annotated[int | None, typer.Option(min=2, rich_help_panel=_TRAINING)] = None
    """Attempts at one task."""
    rate: Annotated[float | None, typer.Option(rich_help_panel=_TRAINING)] = None
    """Learning rate."""
    seed: Annotated[int | None, typer.Option(rich_help_panel=_TRAINING)] = None
    """Decides everything random."""
    minutes: Annotated[float | None, typer.Option(rich_help_panel=_TRAINING)] = None
    """Stop after so long, with a checkpoint."""
    worlds: Annotated[int | None, typer.Option(min=0, rich_help_panel=_DATA)] = None
    """Further worlds that tasks are made for."""
    drills: Annotated[int | None, typer.Option(min=0, rich_help_panel=_DATA)] = None
    """Synthetic dialogues besides."""
    most_steps: Annotated[int | None, typer.Option(min=1, rich_help_panel=_DATA)] = None
    """Steps of a plan at most."""
    lessons: Annotated[Path | None, typer.Option(rich_help_panel=_DATA)] = None
    """Training tasks written before."""
    write_lessons: Annotated[Path | None, typer.Option(rich_help_panel=_DATA)] = None
    """Only write the training tasks to this file."""
    json: opt.Json = False


@takes_options
def command(args: Options) -> int:
    """Train an agent in the planning world: a warm-up on reference plans, then reinforcement by
    what attempts really reached, how long they waited and what they cost."""
    from agentdyno_train.options import read_recipe, read_reward_weights

    changed = {
        "stage": args.stage.value, "model": args.model, "steps": args.steps,
        "start": None if args.start is None else str(args.start), "batch": args.batch,
        "tune": None if args.tune is None else args.tune.value, "group": args.group,
        "learning_rate": args.rate, "seed": args.seed, "worlds": args.worlds,
        "drills": args.drills, "most_steps": args.most_steps,
    }  # fmt: skip
    settings = read_recipe(args.recipe or args.stage.value, changed)
    weights = read_reward_weights(settings, args.rewards)
    if args.write_lessons is not None:
        from agentdyno_train.runs import write_data

        count = write_data(settings, args.write_lessons)
        return _show_written(args.write_lessons, count, args.json)
    from agentdyno_train.runs import train

    seconds = None if args.minutes is None else args.minutes * 60
    trained = train(settings, weights, args.out, args.lessons, seconds, _print_step)
    return _show(trained, args.json)


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


def _show(trained: "Trained", as_json: bool) -> int:
    from agentdyno.cli.output import print_json

    if as_json:
        print_json(trained)
        return 0
    begun = f", begun at {trained.resumed_at}" if trained.resumed_at else ""
    print(f"{trained.folder}: {trained.steps} steps{begun}, {trained.seconds:,.0f} s")
    print(f"recipe: {trained.recipe}")
    return 0
