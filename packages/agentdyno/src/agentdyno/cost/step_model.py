"""How long one step of a serving engine takes, as parameters.

Takes tokens in a step; returns seconds. It knows nothing of models, machines or schedules: by
theory the parameters come from `steps`, by measurement from `calibration`.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats


class Efficiency(Struct, frozen=True, forbid_unknown_fields=True):
    """The share of its data sheet that a machine reaches, and the fixed costs of a step.

    The defaults were fitted to vLLM 0.20.2 on three H200 machines: bursts and 87 workloads of seven
    shapes (dense, mixture, windows, 8 bits; `docs/log/cost-and-serving.md`, the first three runs).
    Those of blocks come from the fourth and the fifth, that of large experts from the fifth.
    """

    flops: float = 0.635
    """Share of the dense peak that dense matrix products of a prefill reach."""
    eight_bit_flops: float = 0.565
    """The same for products in 8 bits, of the peak in 8 bits."""
    block_flops: float = 0.44
    """The same where weights have a scale for each block."""
    expert_flops: float = 0.35
    """The same for the products of small routed experts, as in Qwen3-30B-A3B."""
    large_expert_flops: float = 0.515
    """The same for large ones, as in Mixtral 8x7B."""
    passed_numbers: float = 8.0
    """How often a layer of a prefill passes over its hidden numbers between the products (norms,
    rotations, sums), at the card's bandwidth: what makes narrow models slower than their FLOPs."""
    bandwidth: float = 0.86
    """Share of the memory bandwidth at which weights are read."""
    eight_bit_bandwidth: float = 0.7
    """The same for weights in 8 bits, in steps of more than `FEW_TOKENS`."""
    block_bandwidth: float = 0.52
    """The same where weights have a scale for each block, in any step."""
    cache_bandwidth: float = 0.89
    """Share of it at which decoding reads the cache."""
    attention_flops: float = 0.64
    """Share of the dense peak that attention reaches in a prefill."""
    step_seconds: float = 0.00015
    """Scheduling and sampling of one step."""
    layer_seconds: float = 0.000043
    """Launches and waits of one layer in one step."""
    eight_bit_layer_seconds: float = 0.000008
    """Converting activations to 8 bits, per layer and step."""
    block_layer_seconds: float = 0.000034
    """The same where weights have a scale for each block, without DeepGEMM."""
    request_seconds: float = 0.0027
    """Wait of a request outside of any step."""
    send_seconds: float = 0.00055
    """Time that the server's one thread spends on accepting a request."""
    send_token_seconds: float = 4.2e-7
    """The same for each token of its prompt."""
    expert_layer_seconds: float = 0.0000175
    """Routing, per layer of a mixture and step."""
    seat_seconds: float = 3.8e-6
    """Bookkeeping and sampling of one sequence in one step."""
    cache_group_seconds: float = 4.3e-6
    """The same for each group of layers whose cache is kept apart."""
    prefill_seconds: float = 0.0032
    """The least that a step with a prefill takes, before its layers."""
    prefill_layer_seconds: float = 0.0002
    """The least that one layer takes in such a step, where the engine recorded it."""
    recorded_tokens: int = 512
    """The most tokens of a step that the engine recorded; larger ones are launched one by one."""
    launched_layer_seconds: float = 0.00076
    """The least that one layer takes in a larger step."""
    launched_expert_seconds: float = 0.00062
    """Added by routing in a mixture."""
    join_seconds: float = 0.000012
    """Fixed cost of a sum over several cards: not measured here, of the order that
    NVIDIA's collective library is known for inside one machine."""


class StepModel(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of the physical cost for one model on one machine."""

    tokens: tuple[float, ...]
    """Tokens in a step, increasing: where the curve was measured or computed."""
    seconds: tuple[float, ...]
    """Duration of such a step before it reads any cache."""
    read_seconds: float
    """Seconds for each cached number that a decoded token reads."""
    attend_seconds: float
    """Seconds for each FLOP of attention in a prefill."""
    request_seconds: float
    """Wait of a request outside of any step: on its way in and back."""
    send_seconds: float = 0.0
    """Time that the server's one thread spends on accepting a request, before the next one."""
    send_token_seconds: float = 0.0
    """The same for each token of its prompt, cached or not: decoding, hashing."""
    mixed_tokens: tuple[float, ...] = ()
    """Tokens of a step that prefills some of them; empty: such a step takes what others take."""
    mixed_seconds: tuple[float, ...] = ()
    """Duration of such a step: engines replay whole recorded steps for decoding alone."""
    sequence_seconds: float | None = None
    """Added by each decoding sequence to a step that prefills; None: as `seat_seconds` has it."""

    @property
    def seat_seconds(self) -> float:
        """Added by one more decoding sequence to a step whose weights are all read: sampling,
        bookkeeping. The end of the decoding curve shows it; a step that prefills pays it too."""
        if self.sequence_seconds is not None:
            return self.sequence_seconds
        if not self.mixed_tokens or len(self.tokens) < 2:
            return 0.0
        rise, run = self.seconds[-1] - self.seconds[-2], self.tokens[-1] - self.tokens[-2]
        return max(rise / run, 0.0)

    def decoding(self, tokens: Floats) -> Floats:
        """Seconds of steps that decode this many tokens each, cache apart; nothing for none."""
        return _along(self.tokens, self.seconds, tokens)

    def mixed(self, tokens: Floats) -> Floats:
        """Seconds of steps over this many tokens, some of them prefilled, attention apart."""
        if not self.mixed_tokens:
            return self.decoding(tokens)
        return _along(self.mixed_tokens, self.mixed_seconds, tokens)


def _along(points: Sequence[float], seconds: Sequence[float], tokens: Floats) -> Floats:
    """Linear between the points, level before the first, with the last slope beyond the last."""
    inside = np.interp(tokens, points, seconds)
    slope = 0.0
    if len(points) > 1:
        slope = max((seconds[-1] - seconds[-2]) / (points[-1] - points[-2]), 0.0)
    beyond = seconds[-1] + slope * (tokens - points[-1])
    interpolated: Floats = np.where(tokens > points[-1], beyond, inside)
    return np.where(tokens <= 0, 0.0, interpolated)
