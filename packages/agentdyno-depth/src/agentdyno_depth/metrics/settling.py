"""Settling depths and deep-thinking ratios of a recorded profile, for any thresholds.

Takes distances (tokens x layers), returns depths and ratios. Needs no model.

    settling depth c[t] = the first layer l whose distance D[t, l] is at most g
    token t is deep      when c[t] >= ceil(rho * L)
    DTR                  = deep tokens / tokens

The running minimum of equation 3 changes nothing in this: the first layer whose running minimum
is at most g is the first layer whose distance is. Source: "Think Deep, Not Just Long", equations
3 to 6; its Algorithm 1 prints (1 - rho) L, which equation 5 and Figure 3 contradict.

Worked (Figure 3 of the paper): ten layers with distances 0.96 0.93 0.85 0.86 0.82 0.78 0.76 0.36
0.08 0 and g = 0.5 settle at layer 8; with rho = 0.8 the deep layers begin at 8, so it is deep.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agentdyno_depth.records.depth import DepthProfile, Distance, Numbers, Thresholds, deep_tokens


def find_settling_depths(distances: Numbers, g: float) -> npt.NDArray[np.int64]:
    """The layer at which each token settles, from 1; distances are tokens x layers."""
    if distances.shape[1] == 0:
        raise ValueError("expected at least one layer, got none")
    is_near = distances.astype(np.float64) <= g  # g in float32 could cross a distance.
    is_near[:, -1] = True  # The last layer's distance from itself is 0 by definition.
    depths: npt.NDArray[np.int64] = is_near.argmax(1).astype(np.int64) + 1
    return depths


def deep_thinking_ratio(labels: npt.NDArray[np.bool_]) -> float | None:
    """Share of the tokens that are deep; None for a response without tokens."""
    return float(labels.mean()) if labels.size else None


def sweep(
    profile: DepthProfile, grid: Sequence[Thresholds], distance: Distance = "jsd"
) -> dict[Thresholds, float | None]:
    """The ratio under every pair of thresholds."""
    distances = profile.distances[distance]
    return {pair: deep_thinking_ratio(deep_tokens(distances, pair)) for pair in grid}
