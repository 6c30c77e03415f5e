"""The analyses behind a report: a ledger in, `Analyses` out. One file per question."""

from agentdyno.pipelines.analyses.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.pipelines.analyses.by_turn import turn_series
from agentdyno.pipelines.analyses.conclusion import conclude
from agentdyno.pipelines.analyses.difficulty import difficulty
from agentdyno.pipelines.analyses.frames import Frames
from agentdyno.pipelines.analyses.hardware import hardware_ranks
from agentdyno.pipelines.analyses.latency import latency
from agentdyno.pipelines.analyses.levers import levers
from agentdyno.pipelines.analyses.mixing import mixing
from agentdyno.pipelines.analyses.outcomes import outcome_gaps
from agentdyno.pipelines.analyses.patterns import patterns
from agentdyno.pipelines.analyses.tradeoff import standings
from agentdyno.records.analyses import Analyses
from agentdyno.records.summary import Summary


def analyse(frames: Frames, summary: Summary) -> Analyses:
    """Asks every question."""
    rows, fronts = standings(frames)
    found = patterns(frames)
    changes = levers(frames, rows, found)
    return Analyses(
        conclusion=conclude(summary, rows, changes),
        levers=changes,
        standings=rows,
        fronts=fronts,
        turns=turn_series(frames),
        outcomes=outcome_gaps(frames),
        difficulty=difficulty(frames),
        hardware=hardware_ranks(frames, summary.hardware),
        latency=latency(frames),
        mixing=mixing(frames),
        patterns=found,
        kinds=kind_shares(frames),
        tools=tool_shares(frames),
        calls=expensive_calls(frames),
    )
