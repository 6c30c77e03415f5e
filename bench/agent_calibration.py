"""Fits what a sub-agent took by its last response and its calls, and says how far off that is.

    python bench/agent_calibration.py TRACES… [--toml]

Uses agents of Claude Code that are known both ways: the call that started them reports the last
usage and the number of calls, and all their responses are in the traces (with as many calls).
Sessions are dealt into two halves by a digest of their id. One half is fitted; the error and how
many intervals hold the truth are those of the other. `--toml` prints the row for
the data file `agent_calibration.toml`, fitted to the first half alone, so that
what was measured on the second stays true of it.
"""

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import numpy as np
from msgspec import Struct

from agentdyno.cost.agent_calibration import AgentCalibration
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.intake.identity import identify
from agentdyno.records import Trajectory, Turn

RESAMPLINGS = 2000
FEWEST = 20


class Agent(Struct):
    """What all files together say of one agent."""

    session: str
    contexts: dict[str, int]
    """Of every response, by its identity."""
    calls: set[str]
    reported_calls: int | None = None
    last: int | None = None
    """Context of the last response, as the caller reports it."""

    @property
    def is_known_both_ways(self) -> bool:
        """Whether every response is there, and a report as well."""
        others = len(self.contexts) > 1
        return bool(others and self.last and self.reported_calls == len(self.calls))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("traces", nargs="+", type=Path)
    parser.add_argument("--toml", action="store_true")
    options = parser.parse_args()
    found = [agent for agent in agents(options.traces).values() if agent.is_known_both_ways]
    fitted, withheld = ([a for a in found if half(a.session) == part] for part in (0, 1))
    if len(fitted) < FEWEST:
        sys.exit(f"expected at least {FEWEST} agents to fit, found {len(fitted)} of {len(found)}")
    calibration = fit(fitted)
    print(_toml(calibration) if options.toml else _said(calibration, found, fitted, withheld))


def agents(paths: list[Path]) -> dict[tuple[str, str], Agent]:
    """Every sub-agent by its session and its id."""
    found: dict[tuple[str, str], Agent] = {}
    for trajectory in _trajectories(paths):
        if trajectory.agent_id and trajectory.session_id:
            key = trajectory.session_id, trajectory.agent_id
            _note(found.setdefault(key, Agent(key[0], {}, set())), trajectory)
    return found


def _trajectories(paths: list[Path]) -> Iterator[Trajectory]:
    formats = load_formats()
    for found in discover(paths, {"claude_code": formats["claude_code"]}):
        for source in pieces_of(found) if isinstance(found, Found) else ():
            for item in formats[found.format].read(source):
                if isinstance(item, Trajectory):
                    yield identify(item, source)


def _note(agent: Agent, trajectory: Trajectory) -> None:
    if trajectory.reported_calls is not None:
        agent.reported_calls = trajectory.reported_calls
    agent.calls.update(call.call_id for call in trajectory.calls if call.call_id)
    whole = {turn.stands_for for turn in trajectory.turns if not _is_report(turn)}
    for turn in trajectory.turns:
        context = turn.prefill.tokens if turn.prefill else 0
        if _is_report(turn):
            agent.last = context
        if turn.identity and not (_is_report(turn) and turn.stands_for in whole):
            agent.contexts[turn.identity] = context


def _is_report(turn: Turn) -> bool:
    return turn.stands_for is not None and turn.stands_for == turn.identity


def half(session: str) -> int:
    """Which half of the sessions it is dealt into."""
    return blake2b(session.encode(), digest_size=1).digest()[0] % 2


def fit(rows: list[Agent]) -> AgentCalibration:
    """Least squares of logarithms; the factor is such that sums come out right on average."""
    last, calls, truth = _columns(rows)
    sessions = np.unique([agent.session for agent in rows], return_inverse=True)[1]
    factor, exponent = _curve(last, calls, truth)
    estimate = last * factor * (calls + 1) ** exponent
    # Of a log-normal, as intervals are: a few agents took far less than others.
    middle = np.log(truth / estimate) - np.log(truth / estimate).mean()
    spread = float(np.sqrt(np.expm1((middle**2).sum() / (len(rows) - 2))))
    rng, ratios = np.random.default_rng(0), []
    groups = [np.flatnonzero(sessions == each) for each in range(sessions.max() + 1)]
    for _ in range(RESAMPLINGS):
        drawn = np.concatenate([groups[i] for i in rng.integers(0, len(groups), len(groups))])
        f, e = _curve(last[drawn], calls[drawn], truth[drawn])
        ratios.append((last * f * (calls + 1) ** e).sum() / estimate.sum())
    bias = float(np.std(ratios))
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    return AgentCalibration(factor, exponent, spread, bias, len(rows), len(groups), today)


def _columns(rows: list[Agent]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    last = np.array([agent.last for agent in rows], dtype=float)
    calls = np.array([agent.reported_calls for agent in rows], dtype=float)
    truth = np.array([sum(agent.contexts.values()) for agent in rows], dtype=float)
    return last, calls, truth


def _curve(last: np.ndarray, calls: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    grown = np.log(truth / last)
    design = np.column_stack([np.ones(len(last)), np.log(calls + 1)])
    (start, exponent), *_ = np.linalg.lstsq(design, grown, rcond=None)
    smear = np.exp(grown - design @ [start, exponent]).mean()
    return float(np.exp(start) * smear), float(exponent)


def _said(
    found: AgentCalibration, everyone: list[Agent], fitted: list[Agent], withheld: list[Agent]
) -> str:
    lines = [
        f"{len(everyone)} agents known both ways, {len(fitted)} fitted ({found.sessions} sessions)",
        f"tokens = last * {found.factor:.3f} * (calls + 1) ^ {found.exponent:.3f}",
        f"one agent within {100 * found.spread:.0f} % (sd), shared {100 * found.bias:.0f} %",
        _error("fitted", found, fitted),
        _error("withheld", found, withheld),
        _error("all", found, everyone),
    ]
    return "\n".join(lines)


def _error(name: str, found: AgentCalibration, rows: list[Agent]) -> str:
    last, calls, truth = _columns(rows)
    pairs = [(float(tokens), int(many)) for tokens, many in zip(last, calls, strict=True)]
    total = found.total(pairs)
    ones = [found.total([pair]) for pair in pairs]
    held = np.mean([one.low <= true <= one.high for one, true in zip(ones, truth, strict=True)])
    return (
        f"{name}: {len(rows)} agents, last responses {last.sum() / 1e6:.1f}M, all "
        f"{truth.sum() / 1e6:.1f}M, estimated {total.value / 1e6:.1f}M "
        f"({total.low / 1e6:.1f}M to {total.high / 1e6:.1f}M); "
        f"{100 * held:.0f} % of single intervals hold the truth"
    )


def _toml(found: AgentCalibration) -> str:
    numbers = {name: getattr(found, name) for name in ("factor", "exponent", "spread", "bias")}
    rows = ["[claude_code]", *[f"{name} = {value:.3f}" for name, value in numbers.items()]]
    rows += [f"agents = {found.agents}", f"sessions = {found.sessions}"]
    return "\n".join([*rows, f'as_of = "{found.as_of}"'])


if __name__ == "__main__":
    main()
