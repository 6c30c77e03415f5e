"""Summarizes a ledger's verdicts: numbers by setting and tool, and advice.

calls       ledger and verdicts -> judged calls            utility.judged_calls
numbers     by setting                                     metrics.utility
advice      with what dropping a tool would save           utility.advising, savings
agreement   between judges, and against rollouts           utility.agreement
"""

from collections import defaultdict

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records import InputError
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Tables, Texts
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.shared.verdicts.current import utility_verdicts
from agentdyno_bench.shared.verdicts.summary import summarise_verdicts
from agentdyno_bench.utility.findings.eta import measure_eta
from agentdyno_bench.utility.findings.places import measure_thirds
from agentdyno_bench.utility.findings.streaks import measure_streaks
from agentdyno_bench.utility.findings.tools import measure_tools
from agentdyno_bench.utility.studies.advising import advise_on
from agentdyno_bench.utility.studies.agreement import agreement, judge_names, validation
from agentdyno_bench.utility.studies.judged_calls import Traits, list_judged_calls, read_traits
from agentdyno_bench.utility.studies.results import SettingUtility, Usefulness, UtilityReport

Setting = tuple[str | None, str | None, str | None]


def study_utility(context: ReportContext) -> Usefulness | None:
    """None where nobody judged anything."""
    tables = context.tables
    kinds = sorted(set(tables.read("verdicts")["kind"].drop_nulls()) - {"utility"})
    summaries = [summarise_verdicts(tables, kind) for kind in kinds]
    other_verdicts = [summary for summary in summaries if summary is not None]
    is_judged = not utility_verdicts(tables).is_empty()
    report = report_utility(tables, context.rules) if is_judged else None
    return Usefulness(report, other_verdicts) if report or other_verdicts else None


def report_utility(ledger: Texts, rules: LogicalTools | None = None) -> UtilityReport:
    """Everything that the verdicts of a ledger say."""
    rules = rules or LogicalTools()
    verdicts = utility_verdicts(ledger)
    if verdicts.is_empty():
        raise InputError(
            f"{ledger.name}: expected utility verdicts, found none. Add some with "
            "`agentdyno judge LEDGER --kind utility --model M`, or with --import FILE."
        )
    traits = read_traits(ledger, rules)
    costs = costs_of(ledger)
    calls = list_judged_calls(ledger, verdicts, traits, costs=costs)
    return UtilityReport(
        ledger=ledger.name,
        judges=judge_names(verdicts),
        eta=measure_eta(calls, len(ledger.read("trajectories"))),
        tools=measure_tools(calls),
        thirds=measure_thirds(calls),
        settings=_settings(ledger, calls),
        advice=advise_on(ledger, calls, traits, rules, costs),
        agreement=agreement(verdicts),
        validation=validation(ledger, verdicts),
        notes=_notes(calls, traits),
        unit=costs.unit,
    )


def _settings(ledger: Tables, calls: list[JudgedCall]) -> list[SettingUtility]:
    columns = ["trajectory_id", "model", "benchmark", "variant"]
    rows = ledger.read("trajectories").select(columns).iter_rows()
    setting_of: dict[str, Setting] = {row[0]: row[1:] for row in rows}
    many: dict[Setting, int] = defaultdict(int)
    for setting in setting_of.values():
        many[setting] += 1
    groups: dict[Setting, list[JudgedCall]] = {setting: [] for setting in many}
    for call in calls:
        groups[setting_of[call.trajectory_id]].append(call)
    ordered = sorted(groups, key=lambda setting: tuple(word or "" for word in setting))
    return [_build_setting(setting, groups[setting], many[setting]) for setting in ordered]


def _build_setting(setting: Setting, calls: list[JudgedCall], trajectories: int) -> SettingUtility:
    return SettingUtility(
        setting=SettingName(*setting),
        eta=measure_eta(calls, trajectories),
        tools=measure_tools(calls),
        thirds=measure_thirds(calls),
        streaks=measure_streaks(calls),
    )


def _notes(calls: list[JudgedCall], traits: Traits) -> list[str]:
    notes = []
    unjudged = sum(call.label is None for call in calls)
    if unjudged:
        notes.append(f"{unjudged:,} of {len(calls):,} calls have no label and count nowhere.")
    if traits.left_out:
        notes.append(f"{traits.left_out:,} calls are left out by the rules.")
    if traits.missing:
        notes.append(
            f"{len(traits.missing):,} files changed or are gone since they were measured: their "
            "calls keep the function's name."
        )
    return notes


__all__ = ["report_utility", "study_utility"]
