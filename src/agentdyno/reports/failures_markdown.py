"""The failure report as Markdown: the leaderboard, tests, domains, agreement. No arithmetic."""

from agentdyno.estimates.values import Estimate
from agentdyno.metrics.failures.rates import RATE_NAMES
from agentdyno.records import printable
from agentdyno.studies.failures.report import FailureReport


def render_failures(report: FailureReport) -> str:
    """The whole report."""
    parts = [
        f"# Where the tool-use loop breaks: {_cell(report.suite)}",
        f"{report.trajectories} trajectories. Rater: {report.headline}. Shares in percent with "
        "95 % Wilson intervals; TSR + CTUR + RIR + OFR = 100 over required tasks, UTR and CTRL-Acc "
        "are over controls.",
        _leaderboard(report),
        _tests(report),
        _domains(report),
        _raters(report),
        _traps(report),
        _costs(report),
        _agreement(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _leaderboard(report: FailureReport) -> str:
    head = ["#", "model", *RATE_NAMES, "profile", "broken", "phantom"]
    rows = [
        [
            str(s.rank) if s.rank else "apart",
            _cell(s.model),
            *(_share(s.rates.rates[name]) for name in RATE_NAMES),
            f"{s.profile.name} ({s.profile.reason})",
            str(s.rates.broken),
            str(s.rates.phantom),
        ]
        for s in report.leaderboard.standings
    ]
    return _section("Leaderboard", head, rows)


def _tests(report: FailureReport) -> str:
    head = ["pair", "CTUR difference", "z", "p (Holm)", "McNemar p (Holm)"]
    rows = [
        [
            f"{_cell(t.first)} / {_cell(t.second)}",
            _points(t.difference),
            _number(t.z, ".2f"),
            _number(t.z_p_holm, ".2g"),
            _number(t.mcnemar_p_holm, ".2g"),
        ]
        for t in report.leaderboard.tests
    ]
    return _section("Pairwise tests", head, rows) if rows else ""


def _domains(report: FailureReport) -> str:
    head = ["model", "domain", *RATE_NAMES]
    rows = [
        [_cell(s.model), domain, *(_share(rates.rates[name]) for name in RATE_NAMES)]
        for s in report.leaderboard.standings
        for domain, rates in s.by_domain.items()
    ]
    return _section("By domain", head, rows)


def _raters(report: FailureReport) -> str:
    head = ["model", "rater", *RATE_NAMES, "unlabelled"]
    rows = [
        [
            _cell(each.model),
            _cell(each.rater),
            *(_share(each.rates.rates[name]) for name in RATE_NAMES),
            str(each.rates.unlabelled),
        ]
        for each in report.rates
    ]
    return _section("By rater", head, rows)


def _traps(report: FailureReport) -> str:
    head = ["model", "trap", "CTUR", "TSR", "RIR", "OFR"]
    rows = [
        [_cell(model), trap, *(_share(rates.rates[name]) for name in head[2:])]
        for model, traps in report.by_trap.items()
        for trap, rates in traps.items()
    ]
    return _section("Several turns", head, rows) if rows else ""


def _costs(report: FailureReport) -> str:
    head = ["model", "tasks", "label", "trajectories", "mean PTE", "share of PTE"]
    rows = [
        [
            _cell(cost.model),
            cost.kind,
            cost.label,
            str(cost.trajectories),
            _number(cost.pte_mean, ",.0f"),
            _percent(cost.pte_share),
        ]
        for cost in report.costs
    ]
    return _section("What each outcome cost", head, rows) if rows else ""


def _agreement(report: FailureReport) -> str:
    found = report.agreement
    if found is None:
        return ""
    rows = [[_cell(pair), "Cohen", _kappa(e), "–"] for pair, e in found.pairs.items()]
    strata = [found.overall, *found.by_domain, *found.by_model, *found.by_mode]
    rows += [[_cell(s.name), "Fleiss", _kappa(s.fleiss), _number(s.raw, ".3f")] for s in strata]
    table = _section("Agreement", ["stratum", "kappa of", "kappa", "raw"], rows)
    ties, over = _percent(found.tie_share), _percent(found.overrule_share)
    lines = [f"Ties {ties}, judges overrule the rule {over}, over {found.units} answers."]
    for judge, gap in report.family.items():
        lines.append(
            f"{_cell(judge)} against the other judges: {_points(gap.own_gap)} on its own family, "
            f"{_points(gap.other_gap)} on others, bias {_points(gap.bias)}."
        )
    return "\n\n".join([table, *lines])


def _section(title: str, head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return f"## {title}\n\n" + "\n".join(lines)


def _cell(text: str) -> str:
    return printable(text, 80).replace("|", "/").replace("<", "‹").replace("[", "(")


def _share(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{100 * estimate.value:.2f} ({low:.2f} to {high:.2f})"


def _kappa(estimate: Estimate) -> str:
    return _number(estimate.value, ".3f")


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:+.2f} points"
