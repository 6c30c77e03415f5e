"""The weights of a reward, and the one number that they make of its parts.

    quality = 1 - parallelism*(1 - P) - validity*(1 - V) - cost*(1 - C)
    reward  = (1 - shaping) * outcome * quality + shaping * progress * V        always from 0 to 1

How work was done only counts in proportion to what it reached: fast, cheap and valid nothing is
nothing. Shaping is the one part that an attempt without a met goal can get; it takes steps that
were really done, without harm. A part that is None is left out of the sum, as if nothing could have
been better.

Worked with the bundled weights (0.2, 0.1, 0.1, 0.1): all goals met, one call a turn where half
the time would do (P 0.5), no error, a third dearer than the plan (C 0.75): quality = 1 - 0.1 - 0 -
0.025 = 0.875, reward = 0.9 * 1 * 0.875 + 0.1 * 1 * 1 = 0.8875. Half of the goals, perfectly:
0.9 * 0.5 * 1 + 0.1 * 0.5 * 1 = 0.5. All, and a flight booked that nobody wanted: 0.9 * 0.3 + 0.1 *
0.3 = 0.3.
"""

import tomllib
from importlib import resources
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno.records.cost_unit import CostUnit
from agentdyno_bench.shared.rewards.parts import Parts


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """How much each part counts."""

    parallelism: float = 0.2
    """What waiting for nothing costs at most."""
    validity: float = 0.1
    """What failing calls cost at most."""
    cost: float = 0.1
    """What being dearer than the plan costs at most."""
    shaping: float = 0.1
    """What progress without a met goal is worth at most."""
    cost_unit: CostUnit = "pte"
    """What cost is counted in."""

    def __post_init__(self) -> None:
        shares = (self.parallelism, self.validity, self.cost, self.shaping)
        if any(not 0 <= share <= 1 for share in shares) or sum(shares[:3]) >= 1:
            raise ValueError(
                "expected shares from 0 to 1, of which parallelism, validity and cost add up to "
                f"less than 1, found {', '.join(f'{share:g}' for share in shares)}"
            )


def read_weights(path: Path | None = None) -> Weights:
    """The weights of a file, or the bundled ones."""
    try:
        if path is None:
            text = resources.files(__package__).joinpath("weights.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), Weights)
    except OSError as error:
        raise InputError(f"{path}: expected a TOML file, found {error.strerror}.") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError(
            f"{path}: expected weights of a reward (parallelism, validity, cost, shaping, "
            f"cost_unit), found a problem: {printable(str(error), 200)}."
        ) from None


def reward(parts: Parts, weights: Weights) -> float:
    """One number from 0 to 1."""
    quality = 1.0
    for weight, part in (
        (weights.parallelism, parts.parallelism),
        (weights.validity, parts.validity),
        (weights.cost, parts.cost),
    ):
        quality -= 0.0 if part is None else weight * (1 - _clamp(part))
    reached = _clamp(parts.outcome) * quality
    if parts.progress is None:
        return reached
    valid = 1.0 if parts.validity is None else _clamp(parts.validity)
    return (1 - weights.shaping) * reached + weights.shaping * _clamp(parts.progress) * valid


def _clamp(part: float) -> float:
    return min(1.0, max(0.0, part))
