"""Wasteful habits with their evidence, and tool-mixing."""

from agentdyno.records import counted
from agentdyno.reports.html.cells import amount, count, setting, share
from agentdyno.reports.html.markup import (
    Cell,
    Html,
    columns,
    details,
    foreign,
    interval,
    join,
    plain,
    ratio,
    table,
    tag,
    whole_percent,
)
from agentdyno.reports.html.sections.frame import absent, lead, note, section
from agentdyno.reports.html.sections.fuel import opener
from agentdyno.reports.numbers import percent, short
from agentdyno.studies.cost.results import Mixing, PatternCase, Patterns

ROWS = 160


def patterns(found: Patterns, mixing: list[Mixing], pictures: Html, places: dict[str, int]) -> Html:
    """How often, how dear, and where to look."""
    unread = note(
        f"{counted(found.unread, 'trajectory', 'trajectories')} could not be looked at: the files "
        "they came from are gone or changed."
    )
    mixed = details("Tools mixed, by setting", _mixing(mixing)) if mixing else Html("")
    if not found.rates:
        return section("patterns", "Wasteful habits", absent(found.reason), mixed)
    names = list(dict.fromkeys(r.pattern for r in found.rates))
    return section(
        "patterns",
        "Wasteful habits",
        lead(*_told(found, len(names))),
        *([unread] if found.unread else []),
        pictures,
        details("Numbers by pattern and setting", _rates(found)),
        tag("h3", plain("Evidence")),
        note("The detections of each pattern that bear the most. They are rules of thumb; the "
             "quoted span says what was seen."),
        *(_cases(name, [c for c in found.cases if c.pattern == name], places) for name in names),
        mixed,
    )  # fmt: skip


def _told(found: Patterns, names: int) -> list[Html]:
    pooled = [r for r in found.rates if r.setting is None]
    often = max(pooled, key=lambda r: r.frequency.value or 0.0)
    many = f"{counted(found.found, 'detection')} of {counted(names, 'pattern')}"
    return [
        plain(f"{many}. The most common, "),
        _words(often.pattern),
        plain(f", shows in {percent(often.frequency.value)} of the trajectories."),
    ]


def _rates(found: Patterns) -> Html:
    heads = columns("pattern:", "setting:", "found", "frequency", "cost multiplier", "PTE", "share")
    rows = [
        [Cell(_words(r.pattern), r.pattern), setting(r.setting), count(r.found),
         interval(r.frequency, whole_percent), interval(r.multiplier, ratio), amount(r.pte),
         share(r.pte_share)]
        for r in found.rates[:ROWS]
    ]  # fmt: skip
    return table("Frequency and cost multiplier", heads, rows, sortable=True)


def _words(pattern: str) -> Html:
    return foreign(pattern.replace("_", " "))


def _cases(name: str, cases: list[PatternCase], places: dict[str, int]) -> Html:
    if not cases:
        return Html("")
    items = [tag("li", *_case(case, places)) for case in cases]
    summary = tag("summary", _words(name), plain(f" ({len(cases)} shown)"))
    return tag("details", summary, tag("ol", *items, class_="evidence"))


def _case(case: PatternCase, places: dict[str, int]) -> list[Html]:
    quoted = tag("blockquote", foreign(case.evidence, 240)) if case.evidence else Html("")
    cost = plain(f", {short(case.pte)} PTE") if case.pte is not None else Html("")
    where = join(opener(case.trajectory_id, case.turn, places), cost)
    told = tag("p", foreign(case.detail, 240)) if case.detail else Html("")
    return [told, quoted, tag("p", where, class_="where")]


def _mixing(mixing: list[Mixing]) -> Html:
    heads = columns("setting:", "mix tools", "n", "PTE, mixed / one tool")
    rows = [
        [setting(m.setting), interval(m.share, whole_percent), count(m.share.n),
         interval(m.multiplier, ratio)]
        for m in mixing[:ROWS]
    ]  # fmt: skip
    return table("Trajectories that call tools of more than one name", heads, rows)
