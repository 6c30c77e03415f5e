"""Recomputes every turn of a ledger under an edit. Never from shares: what a part costs is not
what leaving it out would save.

For a turn that stays, with the parts that an edit shortened or took away:

    context' = context - what was taken of the parts in its context
    decode'  = decode  - what was taken of the parts it decoded, plus turns merged into it
    new'     = new     - what was taken of the parts that entered with it (and was not decoded just
                         before), plus what turns that are gone had newly brought in

What no part accounts for (hidden prompts, chat templates, a scale on estimated sizes) stays as it
was recorded. Costs follow as in `measure`.

Worked: contexts 100 and 180, decodes 10 and 20, a result of 50 in the second context, gamma 0.01.
Recorded, evicted: 100 + 10 + 180 + 36 = 326. Without the result: 100 + 10 + 130 + 26 = 266.
"""

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Flags, Floats, Ints
from agentdyno.cost.gamma import gammas_by_turn
from agentdyno.cost.metering import Billed, list_bill, list_prices
from agentdyno.cost.physical import Serving
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.served import TurnColumns, serve
from agentdyno.measures.pte import reading, turn
from agentdyno.records import InputError
from agentdyno.studies.whatif.caching import Pauses, predict_cached, warm_turns
from agentdyno.studies.whatif.contexts import SUMMARY, shorten_cache
from agentdyno.studies.whatif.edit import Edit
from agentdyno.studies.whatif.losses import LONG_LIFE, Losses, find_losses
from agentdyno.studies.whatif.recorded import Recorded

# A longer lifetime turns a loss after a pause that it outlives into a read, and every token that
# is written costs the price of that lifetime. A shorter one loses what a longer pause had left in
# the cache: all of it, which is the most. A keep-alive reads the cache again before it is due to
# go, for so long after every answer of a main agent, the last one included: nobody knows which is
# the last.
#
# Worked: 42,000 tokens lost after 8 minutes with 5-minute writes at $6.25 and reads at $0.50 a
# million: $0.263 to write again, $0.021 to read. For an hour, writing costs $10: the pause saves
# $0.242, and every other token written costs $3.75 a million more.
MARGIN = 0.9
"""A keep-alive is sent after this share of the lifetime."""


class Relived(Struct, frozen=True):
    """The cache of every turn under another lifetime."""

    cached: Floats
    """Tokens read."""
    written: Floats
    """Tokens written."""
    hour: Floats
    """Those of them that are kept for an hour."""
    pings: Floats
    """Requests that keep the cache alive after the turn."""
    held: Floats
    """Tokens that each of them reads."""


def relive(
    r: Recorded,
    context: Floats,
    cached: Floats,
    written: Floats,
    lifetime: float | None,
    keep_alive: float | None,
) -> Relived:
    """What would be read and written. `cached` and `written` may already lack parts that another
    change takes away."""
    losses = find_losses(r)
    share = np.divide(r.hour, r.written, out=np.zeros(r.turns), where=r.written > 0)
    lives = losses.lifetime if lifetime is None else np.full(r.turns, lifetime)
    outlived = losses.outlivable & (losses.pause <= np.maximum(lives, keep_alive or 0.0))
    read = np.nan_to_num(cached)
    regained = np.where(outlived, np.clip(losses.lost, 0.0, context - read), 0.0)
    gone = _gone(losses, read, lives)
    cached = cached + regained - gone
    written = np.maximum(written - regained, 0.0) + gone
    by_hour = share if lifetime is None else np.full(r.turns, float(lifetime == LONG_LIFE))
    pings = np.zeros(r.turns) if keep_alive is None else _pings(r, losses, lives, keep_alive)
    cached_tokens = np.nan_to_num(cached) + np.nan_to_num(written)
    return Relived(cached, written, np.nan_to_num(written) * by_hour, pings, cached_tokens)


def _gone(losses: Losses, read: Floats, lives: Floats) -> Floats:
    """Per turn: tokens that a shorter life would have lost and that were read."""
    too_late = (losses.pause > lives) & (losses.pause <= losses.lifetime) & losses.known
    return np.where(too_late, read, 0.0)


def _pings(r: Recorded, losses: Losses, lives: Floats, keep_alive: float) -> Floats:
    """Per turn: requests until the next turn, or for as long as the cache is kept alive."""
    until = np.full(r.turns, keep_alive)
    same = r.turn_trajectory[1:] == r.turn_trajectory[:-1]
    until[:-1][same] = np.minimum(np.nan_to_num(losses.pause[1:][same]), keep_alive)
    main = r.trajectories["parent_id"].is_null().to_numpy()[r.turn_trajectory]
    return np.where(main & losses.known, np.floor(until / (MARGIN * lives)), 0.0)


REQUEST = 100.0
"""Tokens that a call takes to write: 90 of frame, and a few to ask for the rest of a result."""
USUAL_LIFE_SECONDS = 300
"""How long a cache lives that is written at the usual price; a longer life may cost more."""


class Predicted(Struct, frozen=True):
    """Per trajectory; NaN where unknown."""

    pte: Floats
    """Cost in prefill-token equivalents."""
    pte_growth: Floats
    """The same with the growth term."""
    gpu_seconds: Floats
    """What it takes from the machine, replayed; NaN where nobody asked."""
    usd: Floats
    turns: Ints
    unsure: Flags
    """Whether recorded pauses do not tell if the cache was still there."""


class PredictedTurns(Struct, frozen=True):
    """Per turn; NaN where unknown."""

    alive: Flags
    """Whether it stays."""
    prefill: Floats
    """Tokens computed anew."""
    new: Floats
    """Tokens that a cache which held the turn before has not seen."""
    context: Floats
    """Tokens in context."""
    decode: Floats
    pte: Floats
    """Cost in prefill-token equivalents."""
    pte_growth: Floats
    """The same with the growth term."""
    usd: Floats
    unsure: Flags
    """Per trajectory: whether recorded pauses do not tell if the cache was still there."""


def predict(recorded: Recorded, edit: Edit) -> Predicted:
    """Costs of every trajectory under the edit."""
    predicted = predict_turns(recorded, edit)
    of = recorded.turn_trajectory[predicted.alive]

    def total(values: Floats) -> Floats:
        many = len(recorded.trajectories)
        return np.bincount(of, values[predicted.alive], many).astype(np.float64)

    gpu_seconds = _gpu_seconds(recorded, edit, predicted)
    turns = total(np.ones(recorded.turns)).astype(np.int64)
    pte, grown, usd = total(predicted.pte), total(predicted.pte_growth), total(predicted.usd)
    return Predicted(pte, grown, total(gpu_seconds), usd, turns, predicted.unsure)


def predict_turns(recorded: Recorded, edit: Edit) -> PredictedTurns:
    """Every turn under the edit, without the machines that serve several trajectories."""
    state = _State(recorded, edit)
    warm, unsure = _warmth(recorded, edit, state)
    cached, written = _cache(recorded, edit, state, warm)
    again = None
    if edit.lifetime is not None or edit.keep_alive is not None:
        again = relive(recorded, state.context, cached, written, edit.lifetime, edit.keep_alive)
        cached, written = again.cached, again.written
    prefill = _prefill(recorded, edit, state, cached, warm)
    models = edit.models or recorded.models
    gammas = {model: edit.engine(model).gamma for model in set(models)}
    by_turn = gammas_by_turn(models, gammas)
    pte = turn(prefill, state.context, state.decode, by_turn.effective(state.context))
    if again is not None:
        pte = pte + reading(again.held, again.pings, by_turn.effective(again.held))
    grown = pte + by_turn.growth(state.context, state.decode)
    usd = _money(recorded, edit, state, cached, written, again)
    return PredictedTurns(
        state.alive, prefill, state.new, state.context, state.decode, pte, grown, usd, unsure
    )


class _State:
    """Tokens of every turn after the edit."""

    def __init__(self, r: Recorded, edit: Edit) -> None:
        turns = np.arange(r.turns)
        self.alive: Flags = edit.into == turns
        self.next: Ints = _next_alive(self.alive, r.turn_trajectory)
        vanished = (r.made != NEVER) & (edit.into[np.maximum(r.made, 0)] == NEVER)
        self.kept: Floats = np.where(vanished, 0.0, edit.kept)
        removed = r.tokens - self.kept
        self.context = np.maximum(r.context - _in_context(r, removed), 0.0)
        if edit.shortened is not None:
            self.context = np.maximum(self.context - edit.shortened.gone, 0.0)
        self.decode = _decode(r, removed, edit.into)
        self.new = np.clip(_count_entering(r, self.kept, self.next), 0.0, self.context)


def _next_alive(alive: Flags, trajectory: Ints) -> Ints:
    """Per turn: itself or the first later one of its trajectory that stays; NEVER without one."""
    many = len(alive)
    places = np.where(alive, np.arange(many), many)
    following = np.minimum.accumulate(places[::-1])[::-1]
    inside = following < many
    same = trajectory[np.where(inside, following, 0)] == trajectory if many else inside
    return np.where(inside & same, following, NEVER)


def _in_context(r: Recorded, amounts: Floats) -> Floats:
    """Per turn: the summed amounts of the parts in its context."""
    inside = r.enters != NEVER
    change = np.bincount(r.enters[inside], amounts[inside], r.turns + 1)
    change -= np.bincount(r.leaves[inside], amounts[inside], r.turns + 1)
    return np.cumsum(change)[:-1].astype(np.float64)


def _decode(r: Recorded, removed: Floats, into: Ints) -> Floats:
    has_part = r.made != NEVER
    decoded = np.maximum(r.decode - np.bincount(r.made[has_part], removed[has_part], r.turns), 0.0)
    stays = into != NEVER
    return np.bincount(into[stays], decoded[stays], r.turns).astype(np.float64)


def _count_entering(r: Recorded, shares: Floats, following: Ints) -> Floats:
    """Per turn: what is new to a cache that held the turn before."""
    fresh = (r.enters != NEVER) & ((r.made == NEVER) | (r.made != r.enters - 1))
    unaccounted = r.new - np.bincount(r.enters[fresh], r.tokens[fresh], r.turns)
    goes_on = following != NEVER
    new = np.bincount(following[goes_on], unaccounted[goes_on], r.turns)
    turn = following[r.enters[fresh]]
    is_present = (turn != NEVER) & (turn < r.leaves[fresh])
    entered: Floats = np.bincount(turn[is_present], shares[fresh][is_present], r.turns).astype(
        np.float64
    )
    return new + entered


def _warmth(r: Recorded, edit: Edit, state: _State) -> tuple[Flags, Flags]:
    if edit.keep_cache_seconds is None:
        return np.zeros(r.turns, dtype=bool), np.zeros(len(r.trajectories), dtype=bool)
    return warm_turns(Pauses(r), state.alive, state.next, edit.keep_cache_seconds)


def _cache(r: Recorded, edit: Edit, state: _State, warm: Flags) -> tuple[Floats, Floats]:
    """Tokens read from the cache, and tokens written to it, for money."""
    if edit.keep_cache_seconds is not None:
        cached = np.where(warm, state.context - state.new, 0.0)
        return cached, state.context - cached
    cached, written = predict_cached(r, state.kept)
    if edit.shortened is not None:
        cached, written = shorten_cache(r, edit.shortened, state.context, cached, written)
    after_a_gap = state.alive & np.concatenate([[False], ~state.alive[:-1]])
    # What a turn that is gone had put into the cache is new to the next one.
    most = np.where(after_a_gap, state.context - state.new, np.inf)
    return np.minimum(cached, most), written


def _prefill(r: Recorded, edit: Edit, state: _State, cached: Floats, warm: Flags) -> Floats:
    assumption: CacheAssumption = edit.cache
    if edit.keep_cache_seconds is not None:
        return np.where(warm, state.new, state.context)
    if assumption in ("observed", "reported"):
        hits: Floats = np.nan_to_num(cached) if assumption == "observed" else cached
        return np.maximum(state.context - hits, 0.0)
    return state.new if assumption == "kept" else state.context


def _gpu_seconds(r: Recorded, edit: Edit, predicted: PredictedTurns) -> Floats:
    """Every turn that stays, replayed with the others of its model."""
    if edit.serving is None:
        return np.full(r.turns, np.nan)
    is_served = r.origin is not None and edit.keep_cache_seconds is None
    columns = TurnColumns(
        r.turn_trajectory, predicted.prefill, predicted.context, predicted.decode,
        r.started, r.ended, r.shared,
        predicted.context - predicted.new if is_served else None, r.origin if is_served else None,
    )  # fmt: skip
    models = np.array([model or "" for model in r.models])
    groups = [(model, models == (model or "")) for model in set(r.models)]
    return replay_alive(columns, groups, predicted.alive, edit.serving)


def replay_alive(
    columns: TurnColumns,
    models: list[tuple[str | None, Flags]],
    alive: Flags,
    serving_of: Callable[[str | None], Serving],
) -> Floats:
    """Per turn that stays: what it takes from the server of its model. `models`: each with the
    turns that are its own."""
    seconds = np.full(len(alive), np.nan)
    for model, is_of_model in models:
        serving = serving_of(model)
        if serving.too_small:
            raise InputError(f"{serving.too_small}. Use more cards with --gpus.")
        of = is_of_model & alive
        seconds[of] = serve(serving, columns.only(of)).seconds.total
    return seconds


def _money(
    r: Recorded, edit: Edit, state: _State, cached: Floats, written: Floats, again: Relived | None
) -> Floats:
    models = edit.models or r.models
    engines = {model: edit.engine(model) for model in set(models)}
    hits, writes = np.nan_to_num(cached), np.nan_to_num(written)
    hours = _hours(r, edit, writes) if again is None else again.hour
    billed = Billed(hits, writes, hours, r.tiers, r.searches, r.billed_at)
    usd: Floats = list_bill(models, engines, billed, state.context, state.decode).total
    price = list_prices(models, engines, billed, state.context)
    if again is not None and again.pings.any():
        reads = np.where(again.held > 0, again.held * price.read, 0.0)
        usd = usd + np.where(again.pings > 0, again.pings * (reads + price.decoded), 0.0)
    if edit.again is not None and edit.again_tokens is not None:
        once = state.context * price.read + REQUEST * price.decoded
        share = np.divide(hours, writes, out=np.zeros(r.turns), where=writes > 0)
        twice = edit.again * once + edit.again_tokens * (price.write + share * price.hour)
        usd = usd + np.where(edit.again > 0, twice, 0.0)
    if edit.shortened is not None and edit.shortened.compacts:
        before = np.concatenate([[0.0], state.context[:-1]])
        summary = before * price.read + SUMMARY * price.decoded
        usd = usd + np.where(edit.shortened.restarts, summary, 0.0)
    return usd


def _hours(r: Recorded, edit: Edit, writes: Floats) -> Floats:
    """Tokens written to be kept for an hour: as large a share as was recorded; all of them where
    the edit keeps the cache longer than what is written at the usual price lives. For ever is for
    sale nowhere, and stays at the usual price: a bound."""
    if edit.keep_cache_seconds is not None:
        longer = USUAL_LIFE_SECONDS < edit.keep_cache_seconds < math.inf
        return writes if longer else np.zeros(r.turns)
    share = np.divide(r.hour, r.written, out=np.zeros(r.turns), where=r.written > 0)
    return writes * share
