"""Where the tool-use loop breaks: the ledger's table `failures` as a topic of the report.

Two sources fill that table. The failure benchmark knows the right answers and labels every attempt;
`classify` knows none and raises doubts. Either alone makes a topic, and both stand in one.
"""

from collections import Counter

from agentdyno.estimates.estimate import Estimate
from agentdyno.findings.failures.leaderboard import Standing
from agentdyno.findings.failures.rates import RateName
from agentdyno.records import plural
from agentdyno.records.failures import OWN, PAPER
from agentdyno.records.precision import how_often_right, is_measured
from agentdyno.reports.numbers import UNITS, percent
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics.failures.charts import cost_by_outcome, doubt_charts, failure_charts
from agentdyno.reports.topics.failures.tables import CHECK_WORDS, doubt_table, failure_tables
from agentdyno.studies.failures.doubts import CheckFound
from agentdyno.studies.failures.report import FailureReport, Failures
from agentdyno.studies.failures.unclear_answers import UnclearAnswers

CERTAIN = 0.05
"""Largest corrected p of a difference that is called one."""
_FAILS: dict[RateName, str] = {
    "TSR": "skips the tool",
    "RIR": "ignores what came back",
    "OFR": "invents values",
}


def render_failures(found: Failures) -> Topic:
    """The topic."""
    report, doubts = found.report, found.doubts
    return Topic(
        anchor="failures",
        title="Where the tool-use loop breaks",
        lead=" ".join([*(_lead(report) if report else ()), *_doubts_in_words(doubts)]),
        notes=[*(_notes(report) if report else ()), *_notes_on_doubts(doubts)],
        charts=[*(failure_charts(report) if report else ()), *doubt_charts(doubts)],
        tables=[
            *(failure_tables(report) if report else ()),
            *([doubt_table(doubts, found.unit)] if doubts else ()),
        ],
    )


# What the labels say -----------------------------------------------------------------------------


def _lead(report: FailureReport) -> list[str]:
    scored = [s for s in report.leaderboard.standings if s.rank is not None]
    stated = [_of_one(scored[0])] if len(scored) == 1 else []
    if len(scored) > 1:
        stated = [_of_best(report, scored), _profiles(scored)]
    stated += [
        f"{s.model} stands apart and is not scored: {s.profile.reason}."
        for s in report.leaderboard.standings
        if s.rank is None
    ]
    return [*stated, *_cost_in_words(report)]


def _of_one(s: Standing) -> str:
    rates = s.rates.rates
    clean, needless = rates["CTUR"], rates["UTR"]
    parts = []
    if clean.n:
        parts.append(f"uses tools cleanly on {_rate(clean)} of {clean.n} required tasks")
        worst = max(_FAILS, key=lambda name: rates[name].value or 0.0)
        if rates[worst].value:
            parts.append(f"otherwise mostly {_FAILS[worst]}, on {_rate(rates[worst])}")
    if needless.n:
        parts.append(f"calls one for nothing on {_rate(needless)} of {needless.n} controls")
    return f"{s.model} {'; it '.join(parts)}. Profile: {s.profile.name}, {s.profile.reason}."


def _of_best(report: FailureReport, scored: list[Standing]) -> str:
    best, clean = scored[0], scored[0].rates.rates["CTUR"]
    tests = [t for t in report.leaderboard.tests if t.first == best.model]
    beaten = sum((t.mcnemar_p_holm or 1.0) < CERTAIN for t in tests)
    behind = "none of the others is" if not beaten else f"{beaten} of the other {len(tests)} "
    if beaten:
        behind += "is" if beaten == 1 else "are"
    return (
        f"Of {len(scored)} models {best.model} uses tools best: cleanly on {_rate(clean)} of "
        f"{clean.n} required tasks; {behind} worse beyond chance."
    )


def _profiles(scored: list[Standing]) -> str:
    counts = Counter(s.profile.name for s in scored)
    return f"Profiles: {', '.join(f'{count} {name}' for name, count in counts.most_common())}."


def _rate(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return percent(found.value)
    return f"{percent(found.value)} ({100 * found.low:.1f} to {percent(found.high)})"


def _cost_in_words(report: FailureReport) -> list[str]:
    spent = cost_by_outcome(report)
    total = sum(spent.values())
    if not total:
        return []
    borne = percent(1 - spent.get("correct", 0.0) / total)
    return [f"Loops that broke bore {borne} of all {UNITS[report.unit]}."]


def _notes(report: FailureReport) -> list[str]:
    notes = [
        f"Labels by {_rater(report.headline)}. Over required tasks TSR (skipped) + CTUR (clean) + "
        "RIR (return ignored) + OFR (fabricated) = 100 %; UTR (needless calls) and CTRL-Acc (right "
        "without a call) are over controls. In parentheses: Wilson's 95 % intervals."
    ]
    notes += _between_rules(report)
    broken = sum(s.rates.broken for s in report.leaderboard.standings)
    if broken:
        sentence = "1 answer is" if broken == 1 else f"{broken:,} answers are"
        notes.append(
            f"{sentence} broken output (raw tokens or endless repetition), counted in the rates; a "
            "model with mostly such answers stands apart."
        )
    notes += _unclear_in_words(report)
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


def _unclear_in_words(report: FailureReport) -> list[str]:
    """How many answers are undecided, and what they could do to the rates."""
    found: UnclearAnswers = report.unclear
    if not found.unclear:
        return []
    by_headline = [s for s in report.leaderboard.standings if s.rates.unlabelled]
    bounds = [_bounds_in_words(s) for s in by_headline if "CTUR" in s.rates.bounds]
    verb = "is" if found.unclear == 1 else "are"
    return [
        f"{found.unclear:,} of {plural(found.answers, 'answer')} {verb} unclear to our rule and "
        "in no rate; judges decide them where there are any (agentdyno judge --kind failure). The "
        "column unclear of the table failures says why.",
        *bounds,
    ]


def _bounds_in_words(s: Standing) -> str:
    low, high = s.rates.bounds["CTUR"]
    return (
        f"{s.model}: {percent(s.rates.coverage)} of the answers are decided; whatever the others "
        f"are, CTUR is between {percent(low)} and {percent(high)}."
    )


def _rater(name: str) -> str:
    return "our rule, which compares values" if name == OWN else "the vote of rule and judges"


def _between_rules(report: FailureReport) -> list[str]:
    """How far the published rule, which compares spellings, is from ours."""
    clean = {(e.model, e.rater): e.rates.rates["CTUR"].value for e in report.rates}
    gaps = [
        (ours - theirs, model)
        for (model, rater), ours in clean.items()
        if rater == OWN and ours is not None
        if (theirs := clean.get((model, PAPER))) is not None
    ]
    if not gaps:
        return []
    gap, model = max(gaps, key=lambda each: abs(each[0]))
    if not gap:
        return ["The published rule, which looks for exact spellings, gives the same CTUR."]
    who = "" if len(gaps) == 1 else f", at most, for {model}"
    return [
        f"CTUR by our rule minus CTUR by the published one, which looks for exact spellings: "
        f"{100 * gap:+.1f} points{who}."
    ]


# Doubts ------------------------------------------------------------------------------------------


def _doubts_in_words(found: list[CheckFound]) -> list[str]:
    looked = [each for each in found if each.share.n]
    if not looked:
        return ["The checks that need no truth are off."] if found else []
    shares = [
        f"{_rate(each.share)} of {plural(each.share.n, 'trajectory', 'trajectories')} have a "
        f"{CHECK_WORDS[each.check]}"
        for each in looked
    ]
    return [f"By checks that need no truth, {'; '.join(shares)}."]


def _notes_on_doubts(found: list[CheckFound]) -> list[str]:
    if not found:
        return []
    return [
        "Shares with Wilson's 95 % intervals. Doubts are no verdicts: a model may know a figure by "
        "heart, or use a return without repeating any of it.",
        "How far to trust them. "
        + "; ".join(f"{CHECK_WORDS[each.check]}: {how_often_right(each.check)}" for each in found)
        + ".",
        *_off([each for each in found if not each.share.n]),
    ]


def _off(found: list[CheckFound]) -> list[str]:
    """Checks that nobody asked for, and how to."""
    names = [CHECK_WORDS[each.check] for each in found if not is_measured(each.check)]
    sentence = "Off, because too few were read on real traces or too many were wrong: "
    return [f"{sentence}{', '.join(names)}. Option --unproven turns them on."] if names else []
