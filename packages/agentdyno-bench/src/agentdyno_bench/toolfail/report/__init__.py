"""Where the tool-use loop breaks: the ledger's table `failures` as a topic of the report.

Two sources fill that table. The failure benchmark knows the right answers and labels every attempt;
`classify` knows none and raises doubts. Either alone makes a topic, and both stand in one. Attempts
that submit their answer come first, attempts that write prose apart from them.
"""

from collections import Counter

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.records.precision import how_often_right, is_measured
from agentdyno.reports.numbers import UNITS, percent
from agentdyno.reports.topic import Topic
from agentdyno_bench.toolfail.findings.leaderboard import Standing
from agentdyno_bench.toolfail.findings.rates import RateName
from agentdyno_bench.toolfail.records import ENSEMBLE, SUBMITTED
from agentdyno_bench.toolfail.report.charts import cost_by_outcome, doubt_charts, failure_charts
from agentdyno_bench.toolfail.report.tables import CHECK_WORDS, doubt_table, failure_tables
from agentdyno_bench.toolfail.studies.costs import UNLABELLED
from agentdyno_bench.toolfail.studies.doubts import CheckFound
from agentdyno_bench.toolfail.studies.report import FailureReport, Failures

CERTAIN = 0.05
"""Largest corrected p of a difference that is called one."""
_FAILS: dict[RateName, str] = {
    "TSR": "skips the tool",
    "RIR": "ignores what came back",
    "OFR": "invents values",
}


def render_failures(failures: Failures) -> Topic:
    reports, doubts = failures.reports, failures.doubts
    return Topic(
        anchor="failures",
        title="Where the tool-use loop breaks",
        lead=" ".join([*(s for r in reports for s in _lead(r)), *_doubts_in_words(doubts)]),
        notes=[
            *(note for report in reports for note in _notes(report)),
            *_notes_on_doubts(doubts),
            *_removed_in_words(failures.removed),
        ],
        charts=[*(failure_charts(reports[0]) if reports else ()), *doubt_charts(doubts)],
        tables=[
            *(table for report in reports for table in failure_tables(report)),
            *([doubt_table(doubts, failures.unit)] if doubts else ()),
        ],
    )


def _removed_in_words(removed: dict[str, int]) -> list[str]:
    """List findings of older versions that are no longer counted."""
    if not removed:
        return []
    kinds = ", ".join(f"{name} ({count:,})" for name, count in removed.items())
    return [
        "Written by an older version and not counted here, by kind and number of trajectories: "
        f"{kinds}. These kinds read prose by rules and were removed."
    ]


# What the labels say -----------------------------------------------------------------------------


def _lead(report: FailureReport) -> list[str]:
    scored = [s for s in report.leaderboard.standings if s.rank is not None]
    sentences = [_of_one(scored[0])] if len(scored) == 1 else []
    if len(scored) > 1:
        sentences = [_of_best(report, scored), _profiles(scored)]
    sentences += [
        f"{s.model} stands apart and is not scored: {s.profile.reason}."
        for s in report.leaderboard.standings
        if s.rank is None
    ]
    if sentences and report.answers == "prose":
        sentences[0] = f"Answered in prose: {sentences[0]}"
    return [*sentences, *_cost_in_words(report)]


def _of_one(s: Standing) -> str:
    rates = s.rates.rates
    needless = rates["UTR"]
    parts = []
    if s.rates.required:
        parts.append(f"uses tools cleanly on {_clean(s)}")
        worst = max(_FAILS, key=lambda name: rates[name].value or 0.0)
        if rates[worst].value:
            parts.append(f"otherwise mostly {_FAILS[worst]}, on {_rate(rates[worst])}")
        if s.rates.refused:
            parts.append(f"refuses {_rate(rates['Refused'])}")
        if s.rates.malformed:
            parts.append(f"answers in a form that cannot be read on {_rate(rates['Malformed'])}")
    if needless.n:
        parts.append(f"calls one for nothing on {_rate(needless)} of {needless.n} controls")
    return f"{s.model} {'; it '.join(parts)}. Profile: {s.profile.name}, {s.profile.reason}."


def _of_best(report: FailureReport, scored: list[Standing]) -> str:
    best = scored[0]
    tests = [t for t in report.leaderboard.tests if t.first == best.model]
    beaten = sum((t.mcnemar_p_holm or 1.0) < CERTAIN for t in tests)
    behind = "none of the others is" if not beaten else f"{beaten} of the other {len(tests)} "
    if beaten:
        behind += "is" if beaten == 1 else "are"
    return (
        f"Of {len(scored)} models {best.model} uses tools best: cleanly on {_clean(best)}; "
        f"{behind} worse beyond chance."
    )


def _profiles(scored: list[Standing]) -> str:
    counts = Counter(s.profile.name for s in scored)
    return f"Profiles: {', '.join(f'{count} {name}' for name, count in counts.most_common())}."


def _clean(s: Standing) -> str:
    """How many required tasks were clean: bounds first where some attempts are undecided."""
    clean, required = s.rates.rates["Clean"], plural(s.rates.required, "required task")
    if clean.n == s.rates.required:
        return f"{_rate(clean)} of {required}"
    low, high = s.rates.bounds["Clean"]
    undecided = s.rates.required - clean.n
    verb = "is" if undecided == 1 else "are"
    return (
        f"{percent(low)} to {percent(high)} of {required}, of which {undecided:,} {verb} undecided"
    )


def _rate(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{percent(estimate.value)} ({100 * estimate.low:.1f} to {percent(estimate.high)})"


def _cost_in_words(report: FailureReport) -> list[str]:
    spent = cost_by_outcome(report)
    total = sum(spent.values())
    if not total:
        return []
    broke = sum(cost for label, cost in spent.items() if label not in ("correct", UNLABELLED))
    return [f"Loops that broke took {percent(broke / total)} of all {UNITS[report.unit]}."]


def _notes(report: FailureReport) -> list[str]:
    notes = [
        f"Labels by {_rater(report.headline)}. TSR (skipped) + CTUR (clean) + RIR (return ignored) "
        "+ OFR (fabricated) = 100 % of the attempts at required tasks that are decided and neither "
        "refused nor malformed (not submitted, or unreadable). Clean, Refused and Malformed are "
        "over all decided attempts at required tasks, UTR (needless "
        "calls) and CTRL-Acc (right without a call) over controls. In parentheses: Wilson's 95 % "
        "intervals; they reach as far as undecided attempts could move the rate, and ranks are the "
        "places that these intervals allow."
    ]
    broken = sum(s.rates.broken for s in report.leaderboard.standings)
    if broken:
        sentence = "1 answer is" if broken == 1 else f"{broken:,} answers are"
        notes.append(
            f"{sentence} broken output (raw tokens or endless repetition), counted in the rates; a "
            "model with mostly such answers stands apart."
        )
    if any(report.by_trap.values()):
        notes.append("Tasks of several turns stand in a table of their own, not in the ranking.")
    if report.agreement:
        agreed = report.agreement
        notes.append(
            f"Over {plural(agreed.units, 'answer')} that every rater labelled, all differ on "
            f"{percent(agreed.tie_share)} and the judges overrule the rule on "
            f"{percent(agreed.overrule_share)}."
        )
    return notes


def _rater(headline: str) -> str:
    if headline == SUBMITTED:
        return "program: what was submitted is compared with what the tools returned"
    if headline == ENSEMBLE:
        return "the vote of the published rule and judges, over prose"
    return "the published rule, which looks for exact spellings in prose"


# Doubts ------------------------------------------------------------------------------------------


def _doubts_in_words(rows: list[CheckFound]) -> list[str]:
    looked = [row for row in rows if row.share.n]
    if not looked:
        return ["The checks that need no truth are off."] if rows else []
    shares = [
        f"{_rate(row.share)} of {plural(row.share.n, 'trajectory', 'trajectories')} have a "
        f"{CHECK_WORDS[row.check]}"
        for row in looked
    ]
    return [f"By checks that need no truth, {'; '.join(shares)}."]


def _notes_on_doubts(rows: list[CheckFound]) -> list[str]:
    if not rows:
        return []
    return [
        "Shares with Wilson's 95 % intervals. Doubts are no verdicts: a model may use a return "
        "without repeating any of it.",
        "How far to trust them. "
        + "; ".join(f"{CHECK_WORDS[row.check]}: {how_often_right(row.check)}" for row in rows)
        + ".",
        *_off([row for row in rows if not row.share.n]),
    ]


def _off(rows: list[CheckFound]) -> list[str]:
    """Checks that nobody asked for, and how to."""
    names = [CHECK_WORDS[row.check] for row in rows if not is_measured(row.check)]
    sentence = "Off, because too few were read on real traces or too many were wrong: "
    return [f"{sentence}{', '.join(names)}. Option --unproven turns them on."] if names else []
