"""The ledger tables of thinking depth: how hard a model thinks at each turn, and one picture of it.

The ledger keeps numbers, not texts; `layer_distances` is the exception, a stretch of one turn for
each setting, because a picture of thought without its words says nothing.
"""

from agentdyno.records.columns import Column

DEPTH: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "Its place in the trajectory, from 0."),
    Column("call", "whole", "Null for the whole turn; else the call whose tokens the row is of."),
    Column("depth_model", "text", "The model that read the turn; not always the one that wrote."),
    Column("g", "number", "Distance at which a layer has settled."),
    Column("rho", "number", "Share of the layers at which the deep ones begin."),
    Column("dtr", "number", "Share of deep tokens; null when the trace holds no text."),
    Column("depth_tokens", "whole", "Tokens of the reading model that the share is taken over."),
    Column("call_dtr", "number", "Share of deep tokens among those of calls; null without calls."),
    Column("call_tokens", "whole", "Tokens that share is taken over."),
    Column("mean_log_prob", "number", "Mean natural logarithm of the tokens' probabilities."),
    Column("entropy", "number", "Mean entropy of the last layer's distributions, in nats."),
    Column("self_certainty", "number", "Mean divergence of these from the uniform one, in nats."),
)

LAYER_DISTANCES: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn, from 0."),
    Column("depth_model", "text", "The model that read it."),
    Column("token", "whole", "The token's place among those the turn generated, from 0."),
    Column("text", "text", "The token's text."),
    Column("layer", "whole", "The layer, from 1."),
    Column("distance", "number", "Divergence of its prediction from the last layer's, 0 to 1."),
)
