"""Small trajectories for the tests of cost, and a naive computation of the same numbers."""

from agentdyno.cost.gamma import Gamma
from agentdyno.cost.metering import Engine, Meter
from agentdyno.cost.pte import CacheAssumption
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory, read_reported

GAMMA = 0.01


def meter(cache: CacheAssumption = "evicted", exact: bool = False, gamma: float = GAMMA) -> Meter:
    """A meter on which one character is one token and every model has the same gamma."""
    engine = Engine("test", Gamma(gamma, "user"), None)
    return Meter(
        lambda _: engine, lambda _, texts: list(map(len, texts)), lambda _: "counted", cache, exact
    )


def weather() -> Trajectory:
    """Two turns: a call with its result, then the answer. Nothing reported."""
    b = TrajectoryBuilder()
    b.offer([("weather", "s" * 40), ("unused", "u" * 60)])
    b.system("y" * 100)
    b.user("q" * 20)
    b.turn("m")
    b.reasoning("r" * 30, resent=False)
    index = b.call("weather", "a" * 2, "c1")
    b.result("R" * 50, "c1")
    b.turn("m")
    b.text("t" * 25)
    assert index == 0
    return b.build("f#0", "f", "test", model="m", task_id="1", correct=True)


def with_usage(
    prefill: list[int], decode: list[int], cached: list[int] | None = None
) -> Trajectory:
    """A conversation of user and assistant texts with reported totals."""
    b = TrajectoryBuilder()
    b.system("y" * 400)
    for i, (p, d) in enumerate(zip(prefill, decode, strict=True)):
        b.user("q" * 40)
        b.turn(
            "m",
            prefill=read_reported(p),
            decode=read_reported(d),
            cached_tokens=cached[i] if cached else None,
        )
        b.text("t" * 44)
    return b.build("f#1", "f", "test", model="m")
