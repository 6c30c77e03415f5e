"""Summaries of the verdicts of one kind."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.settings import SettingName
from agentdyno_bench.shared.records.verdicts import VerdictKind


class LabelCount(Struct, frozen=True):
    """How often one label was given."""

    label: str
    count: int
    """Verdicts with it."""
    share: Estimate
    """The same over verdicts with any label, clustered by task."""


class JudgeSummary(Struct, frozen=True, kw_only=True):
    """One judge's verdicts on one setting."""

    setting: SettingName
    judge: str
    model: str
    verdicts: int
    """Verdicts, with a label or without."""
    labelled: int
    """Verdicts with a label."""
    repaired: int
    """Verdicts with a label that took a second answer."""
    labels: list[LabelCount]
    """The most frequent first."""
    score: Estimate | None
    """Mean score, clustered by task; None where no verdict has one."""
    problems: dict[str, int]
    """Why verdicts have no label, the most frequent first."""


class JudgesAgree(Struct, frozen=True, kw_only=True):
    """How far several judges say the same."""

    judges: list[str]
    units: int
    """Trajectories that at least two of them labelled."""
    alpha: Estimate
    """Krippendorff's alpha."""


class VerdictSummary(Struct, frozen=True, kw_only=True):
    """Summary of the verdicts of one kind."""

    kind: VerdictKind
    judges: list[JudgeSummary]
    """By setting and judge."""
    agreement: JudgesAgree | None
    """Between judges; None with only one."""
    as_recorded: Estimate | None
    """Share of `right` and `wrong` that the traces' own marks confirm; None for other kinds, or
    where no trace is marked."""
