"""How many context tokens a sub-agent took, where only its last response is known.

Takes the context of the last response and the number of tool calls, which the result of the call
that started the agent reports; returns an estimate for all responses, and by how much it may be
off. Every response takes the whole context so far, and each call or batch of calls brings another
response, so the sum grows with the calls:

    tokens = last * factor * (calls + 1) ^ exponent

It was fitted to agents of which every response is known as well. One agent's estimate is off by
`spread`, which averages out over many; `bias` is shared by all, and does not. The sum's interval is
that of a log-normal with its mean and deviation:

    sd^2 = sum (spread * t)^2 + (bias * sum t)^2

Worked, with factor 1, exponent 0.8, spread 0.4 and bias 0.1: an agent with 40,000 tokens at the end
and 15 calls took about 40,000 * 16^0.8 = 367,600.
"""

import math
from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from agentdyno.cost.toml_files import read_bundled
from agentdyno.estimates.estimate import Estimate

WITHIN = 1.96


class AgentCalibration(Struct, frozen=True):
    """Fitted to agents known both ways: by all their responses, and by their caller's report."""

    factor: float
    """On the context of the last response."""
    exponent: float
    """Of the calls and one."""
    spread: float
    """Standard deviation of one agent's estimate, as a share of it."""
    bias: float
    """Standard error that all estimates share, as a share of their sum."""
    agents: int
    """How many agents it was fitted to."""
    sessions: int
    """In how many sessions these were."""
    as_of: str

    def tokens(self, last: float, calls: int) -> float:
        """Context tokens of all responses of one agent, the last one's included."""
        return max(last * self.factor * float((calls + 1) ** self.exponent), last)

    def total(self, agents: Sequence[tuple[float, int]]) -> Estimate:
        """The sum over agents, each by the context of its last response and its calls.

        No sum is below what the last responses had: that much is known.
        """
        estimates = [self.tokens(last, calls) for last, calls in agents]
        total, least = sum(estimates), sum(last for last, _ in agents)
        if not total:
            return Estimate(None, n=len(agents), reason="no agent's last response was counted")
        independent = sum((self.spread * tokens) ** 2 for tokens in estimates)
        deviation = math.sqrt(independent + (self.bias * total) ** 2) / total
        width = math.sqrt(math.log1p(deviation**2))
        middle = math.log(total) - width**2 / 2
        low, high = (math.exp(middle + sign * WITHIN * width) for sign in (-1, 1))
        method = f"calibrated on {self.agents} agents known by every response ({self.as_of})"
        return Estimate(total, max(low, least), high, n=len(agents), method=method)


@cache
def agent_calibration() -> AgentCalibration:
    return msgspec.convert(read_bundled("agent_calibration.toml")["claude_code"], AgentCalibration)
