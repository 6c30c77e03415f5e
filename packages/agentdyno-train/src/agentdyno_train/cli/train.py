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
    """What is trained by."""

    sft = "sft"
    grpo = "grpo"


class Tune(StrEnum):
    """What is changed."""

    lora = "lora"
    full = "full"


_DATA, _TRAINING = "What it learns from", "The training"


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

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
def command(given: Options) -> int:
    """Train an agent in the planning world: a warm-up on reference plans, then reinforcement by
    what attempts really reached, how long they waited and what they cost."""
    from agentdyno_train.options import read_recipe, read_reward_weights

    changed = {
        "stage": given.stage.value, "model": given.model, "steps": given.steps,
        "start": None if given.start is None else str(given.start), "batch": given.batch,
        "tune": None if given.tune is None else given.tune.value, "group": given.group,
        "learning_rate": given.rate, "seed": given.seed, "worlds": given.worlds,
        "drills": given.drills, "most_steps": given.most_steps,
    }  # fmt: skip
    settings = read_recipe(given.recipe or given.stage.value, changed)
    weights = read_reward_weights(settings, given.rewards)
    if given.write_lessons is not None:
        from agentdyno_train.runs import write_data

        count = write_data(settings, given.write_lessons)
        return _show_written(given.write_lessons, count, given.json)
    from agentdyno_train.runs import train

    seconds = None if given.minutes is None else given.minutes * 60
    done = train(settings, weights, given.out, given.lessons, seconds, _print_step)
    return _show(done, given.json)


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
