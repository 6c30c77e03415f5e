"""Claims of a text by slot, and whether anything bears them out: an index in, claims out.

Each claim (`stated`) is compared with what should have produced it (`evidence`):

supported     a result, a message or a request holds the value beside a word of its slot, counts
              to it, or makes it by simple arithmetic; or nothing that is there could show it
contradicted  the call that should have produced it is there and shows other values
unsupported   nothing in the session could have produced it

Only the last two are returned, and unsupported ones only where the whole session is there: a trace
that begins midway, or that has no system prompt, leaves out what a claim may rest on (today's date,
the state of the repository, notes of the project).

Worked: "All 487 tests pass" after a run that says "42 passed" is contradicted by it; after no run
at all it is unsupported.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import combinations
from typing import Literal, NamedTuple

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.claims.evidence import Evidence, Sources, is_figure
from agentdyno.matching.claims.stated import SlotName, Stated, find_claims
from agentdyno.matching.values import Value, bare_code, compare, read_values
from agentdyno.records import Part

Verdict = Literal["contradicted", "unsupported"]
MOST_FIGURES = 40
"""Numbers beyond which some of them make any other."""
_TEST_WORDS = re.compile(r"pass|tests?\b|specs?\b|suite|\bok\b|success|assert|total", re.IGNORECASE)
_COVERED = re.compile(r"cover|stmts|statements|branch|\bTOTAL\b|all files", re.IGNORECASE)
_FILE_WORDS = re.compile(r"files?\b|changed|found|match|result|total", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:re)?(?:chang|modif|updat|edit|creat|delet|mov|touch|migrat|convert|nam|wr|format|fix)\w*",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"\[[^\]\n]{1,80}?([0-9a-f]{7,40})\]|\bcommit ([0-9a-f]{7,40})\b")
_FIELD_WORDS = re.compile(
    r"confirm|book|reserv|refer|track|order|ticket|case|claim|invoice|transact|return|refund"
    r"|receipt|voucher|certif|locator|incident",
    re.IGNORECASE,
)
_SOME_TESTS = re.compile(
    r"\b(?:new|added|these|those|own|unit|integration|e2e|in|for|under|of|module|package|file)\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(r"refund|charge|credit|reimburse|deposit|deduct", re.IGNORECASE)
_COMMITTED = re.compile(r"\b(?:committed|pushed)\b", re.IGNORECASE)
PEOPLE = range(1, 10)
"""How many times an amount may be taken: passengers, nights, seats."""


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
    is_whole = not index.trajectory.begins_midway and any(
        part.kind == "system" for part in index.parts
    )
    found = {}
    for place, part in enumerate(index.parts):
        claims = _check_text(sources, place) if is_stated(part) else []
        if displayed := [c for c in claims if is_whole or c.verdict == "contradicted"]:
            found[place] = displayed
    return found


def _check_text(sources: Sources, at: int) -> list[Claim]:
    stated = find_claims(sources.index.parts[at].text)
    exact = [each for each in stated if not each.about]
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
    # A smaller number may be of some of the tests.
    if number < max(counts, default=0) and _SOME_TESTS.search(stated.sentence):
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
    texts = [evidence.text(p) for p in evidence.results if _COMMITTED.search(stated.sentence)]
    return _claim(stated, [a or b for text in texts for a, b in _COMMIT.findall(text)])


def _file_line(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    path, line = stated.text.rsplit(":", 1)
    name = path.rpartition("/")[2]
    if not evidence.holds(name):
        return _claim(stated)
    displayed, last = evidence.displayed_lines(name)
    if int(line) in displayed or evidence.holds(f"{name}:{line}"):
        return None
    if last is not None and int(line) > last:
        return _claim(stated, [f"{name} has {last} lines"])
    return _claim(stated) if displayed and not evidence.has_written(name) else None


def _files(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    number = int(stated.text.replace(",", ""))
    changed, listed = evidence.file_counts()
    named = len({o.text.rpartition(":")[0] for o in others if o.slot == "file_line"})
    # A smaller number may be of some of the files.
    if number <= max(changed) or number in listed | {named} or number < 2:
        return None
    if evidence.is_near(number, _FILE_WORDS) or not _CHANGED.search(stated.sentence):
        return None
    if max(changed) and not evidence.has_unseen_writes:
        return _claim(stated, [f"{max(changed)} files were changed"])
    return _claim(stated) if number > max(listed) else None


def _money(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    value = _amount(stated.text)
    if value is None or not 1 <= value < 1e9 or evidence.is_cut:
        return None
    figures = {abs(round(v.number, 2)) for v in evidence.values if v.kind == "number"}
    if evidence.holds("minor") or evidence.holds("cents"):
        figures |= {f / 100 for f in figures}
    known = {*figures, *(f / 100 for f in figures), *evidence.totals()}
    if any(abs(f - value) <= 0.011 for f in known):
        return None
    words = {word.lower() for word in _SETTLED.findall(stated.sentence)}
    named = [(name, v) for name, v in evidence.fields_named(words) if is_figure(v)]
    beside = {_amount(o.text) or 0 for o in others if o.slot == "money" and o is not stated}
    if not named and len(figures) > MOST_FIGURES:
        return None
    if _is_derived(value, {v for _, v in named} or figures | beside):
        return None
    return _claim(stated, [f"{name}: {v:g}" for name, v in named])


def _amount(text: str) -> float | None:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    return float(found[0].replace(",", "")) if found else None


def _is_derived(value: float, figures: set[float]) -> bool:
    """Whether up to four figures make it by adding and taking away, or one of them as a multiple or
    a share."""
    some = sorted(f for f in figures if 0 < f < 1e7)[: 2 * MOST_FIGURES]
    single = {round(f * 100) for f in some if f >= 10 or not f.is_integer()}
    pairs = {0, *single}
    for a, b in combinations(single, 2):
        pairs |= {a + b, abs(a - b)}
    for v in (round(value * 100) + step for step in (-1, 0, 1)):
        if any(v - p in pairs or v + p in pairs or p - v in pairs for p in pairs):
            return True
        if any(v % n == 0 and v // n in pairs for n in PEOPLE):
            return True
    few = [f for f in some if f <= 100]
    shares = [f / 100 for f in few]
    factors = {*few, *shares, *(1 + s for s in shares), *(1 - s for s in shares)}
    return any(abs(a * factor - value) <= 0.011 for a in some for factor in factors)


def _day(stated: Stated, evidence: Evidence, others: Sequence[Stated]) -> Claim | None:
    if evidence.is_cut:
        return None
    readings = [v for v in read_values(stated.text, "en") if v.kind == "date"]
    known = [v for v in evidence.values if v.kind == "date" and v.date[2] is not None]
    if not readings or any(compare(mine, other) for mine in readings for other in known):
        return None
    days = {day for value in known for day in _days_of(value)} | evidence.session_days
    mine = {day for value in readings for day in _days_of(value, {d.year for d in days})}
    if any(abs((a - b).days) in evidence.day_steps for a in mine for b in days):
        return None
    if any(evidence.user_names(a.strftime("%A")) for a in mine):
        return None  # "Next Wednesday".
    named = evidence.fields_named([w[:6].lower() for w in stated.subject if len(w) > 3])
    texts = [f"{name}: {value}"[:200] for name, value in named]
    return _claim(stated, [t for t in texts if any(v.kind == "date" for v in read_values(t, "en"))])


def _days_of(value: Value, years: set[int] | None = None) -> list[date]:
    year, month, day = value.date
    found = []
    for each in [year] if year else sorted(years or {2024, 2025, 2026}):
        try:
            found.append(date(each, month or 1, day or 1))
        except ValueError:
            continue
    return found


def _code(stated: Stated, evidence: Evidence, _: Sequence[Stated]) -> Claim | None:
    bare = bare_code(stated.text)
    if evidence.holds(stated.text) or len(bare) < 2:
        return None
    if evidence.holds_code(bare):
        return None
    label = _FIELD_WORDS.findall(stated.sentence.partition(stated.text)[0])[-1:]
    named = evidence.fields_named([each.lower() for each in label])
    return _claim(stated, [f"{name}: {v}" for name, v in named if _is_code(v)])


def _is_code(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"#?(?=.*\d)[A-Z0-9-]{4,}", value) is not None


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
