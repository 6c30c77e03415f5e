"""The settings of a training, as one value that is written beside its result: the recipe.

Takes a bundled recipe's name or a TOML file, and what the user changes; returns `TrainSettings`.
"""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.rewards import Weights, read_weights

Stage = Literal["sft", "grpo"]
Tune = Literal["lora", "full"]
RECIPES = ("sft", "sft_more", "grpo", "paper")
"""All but `paper` are for the embedded model; `paper` has what the planning paper says of
its own."""
STORED = {"synthetic_dialogues": "drills"}
"""Fields whose key in recipes is another."""


class TrainSettings(Struct, frozen=True, forbid_unknown_fields=True, rename=STORED):
    """Everything that decides what comes out."""

    stage: Stage
    """`sft`: conversations of reference plans; `grpo`: attempts in the live world."""
    model: str = "smollm2"
    """The embedded model, or a Hugging Face folder."""
    start: str | None = None
    """An adapter to go on from; None begins anew."""
    tune: Tune = "lora"
    """A low-rank adapter, or all weights but the embeddings."""
    rank: int = 16
    """Rank of the adapter: 9.8 MB in half precision on the embedded model."""
    alpha: int = 32
    """Scale of the adapter, divided by its rank."""
    learning_rate: float = 1e-3
    """Highest learning rate of the schedule."""
    steps: int = 400
    """Number of optimizer steps."""
    batch: int = 16
    """Conversations of a step, or attempts (a multiple of `group`)."""
    accumulate: int = 1
    """Parts that a step is cut into, for memory."""
    window: int = 4096
    """Tokens of a conversation at most."""
    seed: int = 1
    """Seed of everything random."""
    bundled: bool = True
    """Whether the bundled training tasks are used."""
    worlds: int = 0
    """Further worlds for which tasks are made, seeds from 1001."""
    per_world: int = 100
    """Tasks made for each further world."""
    most_tools: int = 40
    """Tools on offer at most."""
    most_steps: int = 50
    """Steps of a task's plan at most."""
    slips: float = 0.08
    """Share of conversations with a refused call and its correction."""
    synthetic_dialogues: int = 0
    """Synthetic dialogues that a warm-up has besides, or tasks made of their exercises that
    reinforcement has, in worlds from 2001; those of more than `most_steps` are dropped."""
    aliases: float = 0.0
    """Share of a warm-up's conversations whose tools go by other names."""
    apart: float = 0.0
    """Share of the training scenes that a warm-up leaves out and reinforcement is drawn from."""
    group: int = 8
    """Attempts at one task that are compared."""
    updates: int = 1
    """Optimizer steps with the attempts of one round, each with a batch of them."""
    turns: int = 12
    """Model calls of an attempt at most."""
    turn_tokens: int = 512
    """Tokens of one model call at most."""
    temperature: float = 1.0
    """Sampling temperature of attempts."""
    beta: float = 0.0
    """Weight of the distance to where training began."""
    epsilon: float = 0.2
    """Clipping of the probability ratio."""
    scaled: bool = True
    """Whether a group's rewards are divided by their spread, so that a group that hardly differs
    pulls as hard as one that differs by a goal."""
    faults: float = 0.0
    """Share of calls that fail for no reason."""
    reward: dict[str, float] = {}
    """Weights of the reward that differ from the usual ones, by name."""
    steered: bool = True
    """Whether tasks are drawn by their share of groups with signal."""
    save_every: int = 50
    """Number of steps between checkpoints."""

    def __post_init__(self) -> None:
        if min(self.batch, self.steps, self.accumulate, self.updates) < 1 or self.group < 2:
            raise ValueError(
                "expected steps, batch, accumulate and updates of 1 or more, and a group of 2 "
                "or more"
            )
        if self.batch % self.accumulate or (self.stage == "grpo" and self.batch % self.group):
            raise ValueError(
                "expected a batch that is a multiple of accumulate and, for grpo, of group, found "
                f"{self.batch}, {self.accumulate} and {self.group}"
            )


def read_recipe(name: str, changed: dict[str, Any] | None = None) -> TrainSettings:
    """A bundled recipe or a TOML file, with what the user changes."""
    try:
        if name in RECIPES:
            file = resources.files(__package__).joinpath("recipes", f"{name}.toml")
            text = file.read_text("utf-8")
        else:
            text = Path(name).read_text("utf-8")
        changes = {k: v for k, v in (changed or {}).items() if v is not None}
        return msgspec.convert(tomllib.loads(text) | changes, TrainSettings)
    except OSError as error:
        raise InputError(
            f"--recipe {printable(name)}: expected {', '.join(RECIPES)} or a TOML file, found "
            f"{error.strerror}."
        ) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError(
            f"recipe {printable(name)}: expected settings of a training, found a problem: "
            f"{printable(str(error), 200)}."
        ) from None


def read_reward_weights(settings: TrainSettings, path: Path | None = None) -> Weights:
    """The weights of a file; without one the usual weights, changed as the recipe says."""
    if path is not None or not settings.reward:
        return read_weights(path)
    try:
        usual = msgspec.to_builtins(read_weights())
        return msgspec.convert(usual | settings.reward, Weights)
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError(
            "recipe: expected weights under [reward] (parallelism, validity, cost, shaping), found "
            f"a problem: {printable(str(error), 200)}."
        ) from None
