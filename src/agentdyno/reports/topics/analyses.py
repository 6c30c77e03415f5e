"""The analyses behind a report: a ledger in, `Analyses` out. One file per question."""

from agentdyno.reports.topics.conclusion import conclude
from agentdyno.reports.topics.levers import levers
from agentdyno.studies.cost.attribution import expensive_calls, kind_shares, tool_shares
from agentdyno.studies.cost.by_turn import turn_series
from agentdyno.studies.cost.difficulty import difficulty
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.hardware import hardware_ranks
from agentdyno.studies.cost.latency import latency
from agentdyno.studies.cost.mixing import mixing
from agentdyno.studies.cost.outcomes import outcome_gaps
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.results import Analyses
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.cost.tradeoff import standings


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
