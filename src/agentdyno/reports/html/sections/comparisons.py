"""Settings and outcomes compared: accuracy against cost, by turn, solved or not, by level."""

from agentdyno.records import counted
from agentdyno.reports.html.cells import amount, costs, count, p_value, setting, setting_name, words
from agentdyno.reports.html.markup import (
    Cell,
    Html,
    columns,
    correlation,
    details,
    foreign,
    interval,
    join,
    plain,
    ratio,
    table,
    whole_percent,
)
from agentdyno.reports.html.sections.frame import absent, is_clear, lead, note, section, times
from agentdyno.reports.numbers import percent
from agentdyno.studies.cost.results import Analyses, Difficulty, OutcomeGap, TurnSeries

ROWS = 120


def tradeoff(found: Analyses, pictures: Html) -> Html:
    """Accuracy against PTE, with the front named."""
    heads = columns("setting:", "n", "solved", "PTE", "PTE per solved", "front:")
    rows = [
        [setting(r.setting), count(r.trajectories), interval(r.accuracy, whole_percent),
         costs(r.pte), amount(r.pte_per_solved), Cell(_place(r.on_front, r.beaten_by))]
        for r in found.standings[:ROWS]
    ]  # fmt: skip
    return section(
        "tradeoff",
        "Accuracy against cost",
        _fronts(found),
        pictures,
        details("Numbers by setting", table("Accuracy and mean PTE by setting", heads, rows)),
        note("Fronts follow the point estimates, within one benchmark. A PTE is a prefilled token "
             "of the setting's own model: between models it ranks, it does not price."),
    )  # fmt: skip


def _fronts(found: Analyses) -> Html:
    if not found.fronts:
        return absent("no benchmark has two graded settings to compare")
    parts = []
    for front in found.fronts[:5]:
        names = [setting_name(s) for s in front.settings]
        told = names[0] if len(names) == 1 else join(*(join(n, Html("; ")) for n in names))
        parts.append(
            join(plain("On "), foreign(front.benchmark), plain(f", of {front.rivals} settings, "
                 f"the Pareto front is "), told, plain(". "))
        )  # fmt: skip
    return lead(*parts)


def _place(on_front: bool | None, beaten_by: object) -> Html:
    if on_front is None:
        return plain("no rival")
    if on_front:
        return plain("on the front")
    return join(plain("beaten by "), setting_name(beaten_by))  # type: ignore[arg-type]


def turns(found: Analyses, pictures: Html) -> Html:
    """PTE and generated tokens by turn: the first-step effect."""
    if not found.turns:
        return section("turns", "Turn by turn", absent("there are no turns"))
    chance = ("first turn is the longest", "by chance")
    heads = columns("setting:", "n", *chance, "tokens, first / later", "PTE, last / first")
    rows = [
        [setting(s.setting), count(s.trajectories), interval(s.first_longest, whole_percent),
         Cell(plain(percent(s.first_longest_by_chance, 0)), s.first_longest_by_chance),
         interval(s.first_over_later, ratio), interval(s.last_over_first_pte, ratio)]
        for s in found.turns[:ROWS]
    ]  # fmt: skip
    return section(
        "turns",
        "Turn by turn",
        lead(plain(_first_step(found.turns[0]))),
        pictures,
        details("The first-step effect by setting",
                table("Trajectories of two turns or more", heads, rows)),
        details("Numbers by turn", _points(found.turns)),
        note("Only long trajectories have late turns: a curve does not follow the same attempts."),
    )  # fmt: skip


def _first_step(series: TurnSeries) -> str:
    tokens, pte = series.first_over_later, series.last_over_first_pte
    if tokens.value is None or pte.value is None:
        return "No trajectory has a second turn, so turns cannot be compared."
    longer = "more" if tokens.value > 1 else "fewer"
    told = (
        f"A first turn generates {longer} tokens than a later one: {times(tokens)} as many"
        if is_clear(tokens)
        else f"There is no clear first-step effect: a first turn generates {times(tokens)} the "
        "tokens of a later one"
    )
    return f"{told}. The last turn costs {times(pte)} the PTE of the first."


def _points(series: list[TurnSeries]) -> Html:
    heads = columns("setting:", "turn", "n", "PTE", "tokens generated")
    rows = [
        [setting(s.setting), count(p.turn + 1), count(p.trajectories), costs(p.pte),
         costs(p.decode_tokens)]
        for s in series[:6] for p in s.points
    ]  # fmt: skip
    return table("Means by turn", heads, rows)


def outcomes(found: Analyses, pictures: Html) -> Html:
    """Unsolved against solved attempts."""
    if not found.outcomes:
        return section("outcomes", "What failing costs", absent("no trajectory is graded"))
    first = found.outcomes[0]
    return section(
        "outcomes",
        "What failing costs",
        lead(plain(_failing(first))),
        pictures,
        details("Numbers by setting", _gaps("Mean PTE by outcome", found.outcomes[:ROWS])),
        note("A row for all settings takes each cost over its setting's mean. p is corrected for "
             "the number of settings (Holm). High cost goes with failing; it need not cause it."),
    )  # fmt: skip


def _failing(gap: OutcomeGap) -> str:
    if gap.ratio.value is None:
        return f"Solved and unsolved attempts cannot be compared: {gap.ratio.reason}."
    if is_clear(gap.ratio):
        more = "more" if gap.ratio.value > 1 else "less"
        told = f"an unsolved attempt takes {times(gap.ratio)} the PTE of a solved one"
        return f"Failing costs {more}: {told}."
    return (
        f"Failing costs {times(gap.ratio)} the PTE of solving here; with "
        f"{counted(gap.unsolved, 'unsolved attempt')} against {gap.solved:,} solved, that is not "
        "certain to differ from 1."
    )


def _gaps(caption: str, gaps: list[OutcomeGap]) -> Html:
    level = any(g.level for g in gaps)
    figures = ("solved", "unsolved", "PTE, solved", "PTE, unsolved", "ratio", "p")
    heads = columns("setting:", *(["level:"] if level else []), *figures)
    rows = [
        [setting(g.setting), *([Cell(foreign(g.level))] if level else []), count(g.solved),
         count(g.unsolved), costs(g.pte_solved), costs(g.pte_unsolved), interval(g.ratio, ratio),
         p_value(g.p_holm if g.p_holm is not None else g.ratio.p)]
        for g in gaps
    ]  # fmt: skip
    return table(caption, heads, rows)


def levels(found: Difficulty, pictures: Html) -> Html:
    """Whether cost is more than difficulty."""
    if not found.levels:
        return section("difficulty", "Is it only difficulty?", absent(found.reason))
    overtakes = [
        [Cell(foreign(o.benchmark)), Cell(join(plain("level "), foreign(o.hard))),
         Cell(join(plain("level "), foreign(o.easy))), interval(o.share, whole_percent),
         count(o.share.n)]
        for o in found.overtakes
    ]  # fmt: skip
    partials = [
        [Cell(foreign(p.benchmark)), words(p.controls), interval(p.correlation, correlation),
         count(p.correlation.n), p_value(p.correlation.p)]
        for p in found.partials
    ]  # fmt: skip
    over = columns("benchmark:", "solved at:", "below the mean failure at:", "share", "n")
    part = columns("benchmark:", "taken out:", "r", "n", "p")
    return section(
        "difficulty",
        "Is it only difficulty?",
        *([note(found.reason.capitalize() + ".")] if found.reason else []),
        pictures,
        details("Numbers by level", _gaps("Mean PTE by level and outcome", found.gaps[:ROWS])),
        *([details("Hard and solved against easy and failed",
                   table("Share of hard solved attempts that cost less", over, overtakes))]
          if overtakes else []),
        *([details("Cost and success with difficulty taken out",
                   table("Partial correlation of PTE with being solved", part, partials))]
          if partials else []),
        note("Costs of all settings are taken over their setting's mean before they are pooled."),
    )  # fmt: skip
