"""Results of a ledger's verdicts about its calls, as values."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno_bench.shared.verdicts.results import VerdictSummary
from agentdyno_bench.utility.findings.results import Advice, Eta, Streaks, ThirdUtility, ToolUtility


class SettingUtility(Struct, frozen=True, kw_only=True):
    """All numbers of one setting."""

    setting: SettingName
    eta: Eta
    tools: list[ToolUtility]
    """By tool, the one with the most calls first."""
    thirds: list[ThirdUtility]
    """By place in the trajectory."""
    streaks: Streaks
    """Streaks of calls that did not help."""


class Agreement(Struct, frozen=True, kw_only=True):
    """How far several judges say the same."""

    judges: list[str]
    calls: int
    """Calls that at least two of them labelled."""
    alpha: Estimate
    """Krippendorff's alpha."""
    split: int
    """Calls on which they are evenly divided: these have no label."""


class JudgeValidation(Struct, frozen=True, kw_only=True):
    """One judge against rollouts, on the calls whose sign the rollouts settled."""

    judge: str
    calls: int
    agreement: Estimate
    """Share on which they say the same."""
    kappa: Estimate
    """Cohen's kappa."""
    missed: int
    """Useful by rollouts, not by the judge."""
    invented: int
    """Useful by the judge, not by rollouts."""


class UtilityReport(Struct, frozen=True, kw_only=True):
    """Report on a ledger's verdicts on calls."""

    ledger: str
    judges: list[str]
    """Who judged: names and models."""
    eta: Eta
    """Tool efficiency over all settings."""
    tools: list[ToolUtility]
    """By tool over all settings, the one with the most calls first."""
    thirds: list[ThirdUtility]
    """By place in the trajectory over all settings."""
    settings: list[SettingUtility]
    advice: list[Advice]
    """By tool, over all settings."""
    agreement: Agreement | None
    """Between judges; None with only one."""
    validation: list[JudgeValidation]
    """Judges against rollouts, where there are any."""
    notes: list[str]
    unit: CostUnit = "pte"


class Usefulness(Struct, frozen=True):
    """Judges' verdicts on calls and on whole trajectories."""

    report: UtilityReport | None
    """Whether calls helped; None where nobody judged that."""
    verdicts: list[VerdictSummary]
    """Verdicts on answers, completion and failures."""
