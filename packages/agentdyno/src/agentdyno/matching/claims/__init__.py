"""Claims of a text by slot, and whether anything bears them out: an index in, claims out.

Each claim (`stated`) is compared with what should have produced it (`evidence`):

supported     a result, a message or a request holds the value beside a word of its slot, counts
              to it, or makes it by simple arithmetic; or there is nothing that could show it
contradicted  what should have produced it shows other values, and not this one
unsupported   nothing in the session could have produced it

Only the last two are returned. A trace that begins midway has no unsupported claims: what it rests
on may stand before. A trace without its system prompt has none of a commit, a day or money: coding
agents put the state of the repository, today's date and notes of the project there.

Worked: "All 487 tests pass" after a run that says "42 passed" is contradicted by it; after no run
at all it is unsupported.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations
from typing import Literal, NamedTuple

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.claims.evidence import Evidence, Sources
from agentdyno.matching.claims.stated import SlotName, Stated, find_claims
from agentdyno.matching.values import Value, bare_code, compare, read_values
from agentdyno.records import Part

Verdict = Literal["contradicted", "unsupported"]
MOST_FIGURES = 60
"""Amounts of money in the sources beyond which two of them make any other."""
ROUGH = 0.12
"""Relative distance of what "about" may mean."""
FURTHEST_DAYS = 120
"""Days that a stated number of days may lead away from a known day."""
HIDDEN: tuple[SlotName, ...] = ("commit", "day", "money")
"""What a system prompt tells that the trace does not show."""
_TEST_WORDS = re.compile(r"pass|tests?\b|specs?\b|suite|\bok\b|success|assert|total", re.IGNORECASE)
_COVERED = re.compile(r"cover|stmts|statements|branch|\bTOTAL\b|all files", re.IGNORECASE)
_FILE_WORDS = re.compile(r"files?\b|changed|found|match|result|total", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:chang|modif|updat|edit|creat|delet|remov|touch|migrat|convert|renam|rewr|format|fix)\w*",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"\[[^\]\n]{1,80}?([0-9a-f]{7,40})\]|\bcommit ([0-9a-f]{7,40})\b")
_MONEY_WORDS = re.compile(
    r"refund|total|charge|fee\b|fare|price|cost|balance|deposit|credit|paid|amount|[$€£]|usd|eur",
    re.IGNORECASE,
)
_SETTLED = re.compile(r"\b(refund|deposit)\w*[^\d$€£.;()\n]{0,25}\Z", re.IGNORECASE)
"""Amounts that one field states and nobody works out: the word stands right before them."""
PEOPLE = range(1, 10)
"""How many times a total may be taken: passengers, nights, seats."""


class Claim(NamedTuple):
    """A claim that nothing bears out."""

    text: str
    start: int
    end: int
    slot: SlotName
    verdict: Verdict
    against: str = ""
    """What its source shows instead; empty when there is no source."""


def check_claims(index: Appearances) -> dict[int, list[Claim]]:
    """Part -> the claims of its text that are contradicted or without any source."""
    if not any(call.executed for call in index.calls):
        return {}
    sources = Sources(index)
    hidden = HIDDEN if not any(part.kind == "system" for part in index.parts) else ()
    found = {}
    for place, part in enumerate(index.parts):
        claims = _check_text(sources, place) if is_stated(part) else []
        displayed = [c for c in claims if c.verdict == "contradicted" or c.slot not in hidden]
        if index.trajectory.begins_midway:
            displayed = [claim for claim in claims if claim.verdict == "contradicted"]
        if displayed:
            found[place] = displayed
    return found


def _check_text(sources: Sources, at: int) -> list[Claim]:
    stated = find_claims(sources.index.parts[at].text)
    exact = [each for each in stated if each.slot == "money" or not each.about]
    evidence = Evidence(sources, at) if exact else None
    return [
        claim
        for each in exact
        if evidence and (claim := CHECKS[each.slot](each, evidence, stated)) is not None
    ]


def is_stated(part: Part) -> bool:
    """Whether a part is a text of the model."""
    return part.kind == "text" and part.made is not None and bool(part.text.strip())


def _claim(stated: Stated, displayed: Sequence[str] = ()) -> Claim:
    verdict: Verdict = "contradicted" if displayed else "unsupported"
    against = "; ".join(dict.fromkeys(each.strip()[:80] for each in displayed[-3:]))
    return Claim(stated.text, stated.start, stated.end, stated.slot, verdict, against)


# One check per slot -------------------------------------------------------------------------------


def _tests(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    number = int(stated.text.replace(",", ""))
    counts, statement, uncounted = evidence.test_counts()
    if number < 2 or number in counts or evidence.is_near(number, _TEST_WORDS):
        return None
    return None if uncounted and not statement else _claim(stated, statement)


def _coverage(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    number = float(stated.text)
    displayed = [(n, line) for n, line in evidence.figures_beside(_COVERED) if n <= 100]
    step = 0.05 if "." in stated.text else 0.5
    if any(abs(n - number) <= step or abs(100 * n - number) <= step for n, _ in displayed):
        return None
    return _claim(stated, [line for n, line in displayed if "%" in line or "." in line])


def _commit(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    if evidence.holds(stated.text[:7]):
        return None
    texts = (evidence.text(place) for place in evidence.results)
    return _claim(stated, [a or b for text in texts for a, b in _COMMIT.findall(text)])


def _file_line(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    path, line = stated.text.rsplit(":", 1)
    name = path.rpartition("/")[2]
    if not evidence.holds(name):
        return _claim(stated)
    displayed, last = evidence.displayed_lines(name)
    if int(line) in displayed or evidence.holds(f"{name}:{line}") or last is None:
        return None
    return _claim(stated, [f"{name} has {last} lines"]) if int(line) > last else None


def _files(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    number = int(stated.text.replace(",", ""))
    changed, listed = evidence.file_counts()
    named = len({o.text.rpartition(":")[0] for o in others if o.slot == "file_line"})
    # A smaller number may be of some of the files.
    if number <= max(changed) or number in listed | {named} or number < 2:
        return None
    if evidence.is_near(number, _FILE_WORDS) or not _CHANGED.search(stated.sentence):
        return None
    if max(changed):
        return _claim(stated, [f"{max(changed)} files were changed"])
    return None if evidence.results else _claim(stated)


def _money(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    value = _amount(stated.text)
    settled = _SETTLED.search(stated.sentence.partition(stated.text)[0])
    named = evidence.amounts_of({settled[1].lower()} if settled else ())
    if value and named and not _is_sum(value, named):
        return _claim(stated, [f"{name}: {number:g}" for name, number in named])
    if value is None or value < 1 or any(True for _ in evidence.around(value)):
        return None
    if any(True for scaled in (value * 100, value / 100) for _ in evidence.around(scaled)):
        return None
    figures = {v.number for v in evidence.values if v.kind == "number" and 0 < v.number < 1e7}
    beside = [b for o in others if o.slot == "money" and (b := _amount(o.text)) and o is not stated]
    if any(abs(v - value) <= (ROUGH * value if stated.about else 0.006) for v in figures):
        return None
    totals = _runs(beside) | {total * n for total in evidence.totals() for n in PEOPLE}
    if any(abs(total - value) < 0.011 for total in totals):
        return None
    exact = {round(f, 2) for f in figures} | set(beside)
    if len(exact) > MOST_FIGURES or _is_derived(value, sorted(exact)):
        return None
    return _claim(
        stated, [line for _, line in evidence.figures_beside(_MONEY_WORDS, line_by_line=True)]
    )


def _is_sum(value: float, named: Sequence[tuple[str, float]]) -> bool:
    """Whether it is one of the amounts, or what some of them make."""
    numbers = [number for _, number in named][:10]
    sums = {0.0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return any(abs(total - value) < 0.011 for total in sums)


def _runs(amounts: Sequence[float]) -> set[float]:
    """What neighbours in a list add up to."""
    return {sum(amounts[a:b]) for a in range(len(amounts)) for b in range(a + 2, len(amounts) + 1)}


def _amount(text: str) -> float | None:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    return float(found[0].replace(",", "")) if found else None


def _is_derived(value: float, figures: Sequence[float]) -> bool:
    """Whether a sum, a difference, a multiple, a share or a total of some figures is the value."""
    near = 0.011 if value < 1e4 else value * 1e-4
    small = [n for n in figures if n.is_integer() and 2 <= n <= 60] + [2, 3, 4, 5, 12]
    for a in figures:
        if any(abs(a * n - value) < near or abs(a / n - value) < near for n in small):
            return True
        if any(abs(a * n / 100 - value) < near or abs(a * (100 + s * n) / 100 - value) < near
               for n in figures if n <= 100 for s in (1, -1)):  # fmt: skip
            return True
    if any(
        abs(a * b - value) < near
        for a, b in combinations(figures, 2)
        if not (a.is_integer() and b.is_integer())
    ):
        return True  # So many hours at such a rate.
    if any(abs(a + b - value) < near or abs(a - b) - value == 0 or abs(abs(a - b) - value) < near
           for a, b in combinations(figures, 2)):  # fmt: skip
        return True
    some = [n for n in figures if n <= value][-24:]
    return any(abs(sum(three) - value) < near for three in combinations(some, 3))


def _day(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    readings = [v for v in read_values(stated.text, "en") if v.kind == "date"]
    known = [v for v in evidence.values if v.kind == "date" and v.date[2] is not None]
    if not readings or any(compare(mine, other) for mine in readings for other in known):
        return None
    days = {day for value in known for day in _days_of(value)} | evidence.session_days
    mine = {day for value in readings for day in _days_of(value, {d.year for d in days})}
    counts = {v.number for v in evidence.values if v.kind == "number" and v.number <= FURTHEST_DAYS}
    steps = {0, 1, 7, *(int(n) for n in counts if float(n).is_integer())}
    if any(abs((a - b).days) in steps for a in mine for b in days):
        return None
    words = [w for w in stated.subject if len(w) > 3]
    return _claim(stated, list(_days_named(evidence, words)) if words else ())


def _days_named(evidence: Evidence, words: Sequence[str]) -> Iterator[str]:
    cue = re.compile("|".join(re.escape(word[:6]) for word in words), re.IGNORECASE)
    for place in evidence.results:
        for line in re.split(r"[\n,{}]", evidence.text(place)[:20_000]):
            if cue.search(line) and any(v.kind == "date" for v in read_values(line[:200], "en")):
                yield line


def _days_of(value: Value, years: set[int] | None = None) -> list[date]:
    year, month, day = value.date
    found = []
    for each in [year] if year else sorted(years or {2024, 2025, 2026}):
        try:
            found.append(date(each, month or 1, day or 1) + timedelta(0))
        except ValueError:
            continue
    return found


def _code(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    bare = bare_code(stated.text)
    if evidence.holds(stated.text) or len(bare) < 2:
        return None
    if evidence.holds_code(bare):
        return None
    label = re.compile(r"confirm|booking|reserv|refer|track|order|ticket|locator|_id\b", re.I)
    displayed = [
        m[0] for p in evidence.results for m in _LABELLED.finditer(evidence.text(p)[:20_000])
    ]
    return _claim(stated, [each for each in displayed if label.search(each)][:3])


_LABELLED = re.compile(r"[\w\" ]{3,24}[:=#]\s?\"?(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{3,}")
CHECKS = {
    "tests": _tests,
    "coverage": _coverage,
    "commit": _commit,
    "file_line": _file_line,
    "files": _files,
    "money": _money,
    "day": _day,
    "code": _code,
}
"""How each slot is checked."""
