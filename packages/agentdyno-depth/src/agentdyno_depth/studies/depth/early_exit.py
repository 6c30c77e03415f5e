"""What early exit would save on a ledger's own turns, in GPU-seconds, and what it would change.

Takes what the layers of a reading model would choose, the ledger's turns and their server; returns
a row for each rule. A step of a batch ends with its deepest token, so the more requests run at
once, the less is saved; every check multiplies with the output head. Prefill is untouched. Two
things are given for free, so the savings are upper bounds: the keys and values of skipped layers,
and the seats of tokens that left a batch early. The served model is taken to settle at the same
share of its layers as the model that read.
"""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.physical import Serving
from agentdyno.cost.served import serve
from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.records import InputError
from agentdyno.studies.cost.seconds import read_turns, servings_of, turn_columns, turns_by_model
from agentdyno.studies.tables import Tables
from agentdyno_depth.metrics.early_exit import (
    ExitRule,
    agreement,
    count_readouts,
    exit_depths,
    largest_depths,
)
from agentdyno_depth.records.layer_choices import Ints, LayerChoices

AT_ONCE = (1, 8, 64)
"""Requests in progress: alone, a small server, a busy one."""


class ExitRow(Struct, frozen=True):
    """One rule."""

    rule: ExitRule
    """When a token leaves."""
    layers_saved: float
    """Mean share of the layers that a token skips."""
    agreement: float
    """Share of tokens whose choice is that of the whole model."""
    seconds_saved: dict[int, float]
    """By requests at once, the share of the GPU-seconds saved; below 0 where checks cost more."""


class EarlyExit(Struct, frozen=True):
    """Early exit on a ledger."""

    model: str
    """The model that read, whose layers were looked at."""
    tokens: int
    """Response tokens that were looked at."""
    layers: int
    """Layers of the model that read."""
    architectures: list[str]
    """What serves the ledger's turns."""
    gpu_seconds: dict[int, float]
    """By requests at once, what the turns take without early exit."""
    rows: list[ExitRow]
    """The rules, the oracle last."""


def default_rules(layers: int) -> list[ExitRule]:
    """Sure or in agreement, looked at after every layer or after every sixth of them."""
    sixth = max(1, layers // 6)
    rules = [
        ExitRule(signal, least, sixth)  # type: ignore[arg-type]
        for signal, least in (
            ("probability", 0.5), ("probability", 0.9), ("probability", 0.99),
            ("margin", 0.5), ("margin", 0.9), ("agreement", 2), ("agreement", 3),
        )
    ]  # fmt: skip
    every = [ExitRule("probability", 0.9, 1), ExitRule("agreement", 4, 1)]
    return [*rules, *every, ExitRule("oracle", 1, sixth)]


def study_early_exit(tables: Tables, model: str, found: LayerChoices) -> EarlyExit:
    """Every rule over the ledger's turns, replayed alone and in batches."""
    servings = servings_of(tables.options)
    turns = read_turns(tables, "kept")
    if servings is None or not len(turns):
        raise InputError("expected a ledger with turns and hardware that is known here.")
    columns = turn_columns(turns, "kept")
    parts = [(servings.of(of), columns.only(own)) for of, own in turns_by_model(turns)]
    served = [part for part in parts if not part[0].too_small]

    def seconds(depths: Ints | None, rule: ExitRule | None, at_once: int) -> float:
        total = 0.0
        for serving, own in served:
            steps = serving.steps
            if depths is not None and rule is not None:
                steps = shorten_steps(serving, depths, rule, found.layers)
            one = serve(replace(serving, steps=steps, concurrency=at_once), own)
            total += float(np.nansum(one.seconds.total))
        return total

    whole = {n: seconds(None, None, n) for n in AT_ONCE}
    rows = []
    for rule in default_rules(found.layers):
        depths = exit_depths(found, rule)
        saved = {n: 1 - seconds(depths, rule, n) / whole[n] for n in AT_ONCE}
        share = 1 - float(depths.mean()) / found.layers
        rows.append(ExitRow(rule, share, agreement(found, depths), saved))
    names = sorted({serving.architecture.name for serving, _ in served})
    return EarlyExit(model, found.tokens.shape[1], found.layers, names, whole, rows)


def shorten_steps(serving: Serving, depths: Ints, rule: ExitRule, layers: int) -> StepModel:
    """The same server when tokens leave at these depths.

    A decoding step of T tokens loses the layers above its deepest token and gains the checks; a
    step that prefills runs all layers. A token reads the cache of the layers that it passes.
    """
    steps, shape, checks = serving.steps, serving.architecture, rule.checks(layers)
    curve = []
    for tokens, seconds in zip(steps.tokens, steps.seconds, strict=True):
        largest = largest_depths(depths, layers, tokens)
        kept = float(np.dot(np.arange(1, layers + 1), largest)) / layers
        readouts = count_readouts(layers, checks, largest)
        fixed = min(seconds, Efficiency().step_seconds + steps.seat_seconds * tokens)
        head = (seconds - fixed) * shape.head_params / shape.step_params(tokens)
        rest = seconds - fixed - head
        curve.append(fixed + rest * kept + head * readouts)
    mean = float(depths.mean()) / layers
    heights = np.maximum.accumulate(curve)
    return replace(
        steps,
        seconds=tuple(float(height) for height in heights),
        read_seconds=steps.read_seconds * mean,
        sequence_seconds=steps.seat_seconds,
    )
