"""What was used and what it cost, before anything else is read.

    discover   which files, which format each                       intake.discover
    scan       the responses of a file, mostly without their texts  Format.totals
    read       files that a scan does not understand, if asked to   Format.read
    count      each response once, across files and formats         count_once
    price      by the day, the tier and the length of the context   cost.prices

Takes files and folders, returns responses with tokens and dollars: those that a ledger of the same
files will hold, since a scan shares with its format's reader what a response is. What it does not
know (a file left to the reader, a response without counts) it names. It writes nothing, and loads
neither polars nor numpy unless it reads files whole.

    found = scan([Path.home() / ".claude" / "projects"], since=midnight)
    found.total().usd, [(each.name, each.usd) for each in found.by("model")]
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from agentdyno.cost.price_lookup import tariff_of
from agentdyno.cost.prices import BandedRates, money
from agentdyno.cost.token_calibration import calibration_of
from agentdyno.intake.counting import Counter
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import Format, Source, load_formats
from agentdyno.intake.identity import identify
from agentdyno.intake.vocabularies import Vocabulary, vocabulary_of
from agentdyno.records import Part, Trajectory, Turn
from agentdyno.records.local_days import QUARTER, name_day
from agentdyno.records.rows import as_rows

Grouping = Literal["day", "model", "project", "agent", "session"]
_DAY = 86_400.0


class Response(Struct, gc=False):
    """A response as it stands in one file."""

    turn: Turn
    """What its trace says of it."""
    talk: Trajectory
    """The talk that it is of, without texts."""
    place: int
    """Its place in the talk."""
    model: str | None
    """The model that wrote it."""
    context: int | None
    """Tokens of the prompt, cached ones included; None where nobody counted them."""
    output: int = 0
    """Tokens generated."""
    is_counted: bool = True
    """Whether the provider counted these; otherwise they are estimated from the text."""
    is_hidden: bool = False
    """Whether the file has nothing of what it wrote."""
    usd: float | None = None
    """What it cost; None without a price or a count."""

    @property
    def identity(self) -> str:
        """By what it is known in every file."""
        return self.turn.identity or ""

    @property
    def at(self) -> float | None:
        """When it was asked for, or else answered, in seconds since 1970."""
        return self.turn.ended_at if self.turn.started_at is None else self.turn.started_at

    @property
    def day(self) -> str | None:
        """The day of that, on this machine's clock."""
        return None if self.at is None else _name_quarter(self.at // QUARTER)


@lru_cache(maxsize=4096)
def _name_quarter(quarter: float) -> str | None:
    return name_day(quarter * QUARTER)


class Spent(Struct, frozen=True):
    """What some responses come to."""

    name: str | None
    """A day, a model, a project, a format or a session; None where the traces do not say."""
    responses: int = 0
    fresh: int = 0
    """Prompt tokens that were neither read from a cache nor written to one."""
    cache_write: int = 0
    """Prompt tokens written to a cache."""
    cache_read: int = 0
    """Prompt tokens read from one."""
    output: int = 0
    """Generated tokens."""
    usd: float | None = None
    """Dollars of those with a price; None where none has one."""
    unpriced: int = 0
    """Responses with counts and without a price."""
    estimated: int = 0
    """Responses whose generated tokens are estimated from their text."""
    uncounted: int = 0
    """Responses whose prompt nobody counted: only a full reading sizes it."""


class Waiting(Struct, frozen=True):
    """Files that are left to the full reader."""

    format: str
    files: int
    bytes: int


class Scan(Struct, frozen=True):
    """What was used, as far as a scan tells."""

    responses: list[Response]
    every: list[Response]
    """Wherever they stand."""
    waiting: list[Waiting]
    """What is still to come."""
    names: frozenset[str]
    """The files that were scanned."""
    bytes: int
    """The size of all files, those that wait included."""

    def total(self) -> Spent:
        return sum_up(None, self.responses)

    def by(self, grouping: Grouping) -> list[Spent]:
        """Days in order; others with the most expensive first."""
        groups: dict[str | None, list[Response]] = defaultdict(list)
        for each in self.responses:
            groups[_NAMES[grouping](each)].append(each)
        sums = [sum_up(name, group) for name, group in groups.items()]
        if grouping == "day":
            return sorted(sums, key=lambda each: each.name or "")
        return sorted(sums, key=lambda each: (-(each.usd or 0.0), each.name or ""))


_NAMES: dict[Grouping, Callable[[Response], str | None]] = {
    "day": lambda each: each.day,
    "model": lambda each: each.model,
    "project": lambda each: each.talk.project,
    "agent": lambda each: each.talk.format,
    "session": lambda each: each.talk.session_id,
}


def scan(
    paths: Sequence[Path],
    since: float | None = None,
    complete: bool = False,
    prices: Path | None = None,
) -> Scan:
    """What the sessions under the paths used.

    `since`: only files that were written, and responses that were asked for, from then on, in
    seconds since 1970. `complete`: files that no scan understands are read whole, which takes
    longer; without it they are `waiting`. `prices`: a user's own price table.
    """
    formats, scanner = load_formats(), _Scanner()
    written: list[_Written] = []
    left: list[Found] = []
    names: set[str] = set()
    size = 0
    recent = None if since is None else [*_list_written(paths, since)]
    for found in discover(paths, formats, recall=scanner.recall, only=recent):
        if not isinstance(found, Found):
            continue
        size += found.size
        talks = scanner.scan(found, formats[found.format])
        if talks is not None:
            written += _list_responses(talks)
        elif complete:
            written += _list_responses(_read(found, formats[found.format]), are_whole=True)
        else:
            left.append(found)
            continue
        names.add(found.name)
    every = _size(written)
    once = [
        each for each in count_once(every) if since is None or each.at is None or each.at >= since
    ]
    for each in once:
        each.usd = price(each, prices)
    return Scan(once, every, _list_waiting(left), frozenset(names), size)


def _list_written(paths: Sequence[Path], since: float) -> Iterator[Path]:
    """Files that were written since then, as `discover` names them."""
    for root in map(os.path.realpath, paths):
        walked = os.walk(root) if os.path.isdir(root) else [("", [], [root])]
        for folder, _, files in walked:
            for path in (os.path.join(folder, name) for name in files):
                try:
                    if os.stat(path).st_mtime >= since:
                        yield Path(path)
                except OSError:
                    continue  # It is gone.


class _Scanner:
    """Scans files. The files of a folder are mostly of one format, and what it finds responses in
    is of that format: to look at the beginning of each takes a fifth as long as to scan it."""

    def __init__(self) -> None:
        self._likely: Format | None = None
        self._scanned: dict[Path, list[Trajectory]] = {}

    def recall(self, path: Path) -> tuple[str, bool, int] | None:
        """What `discover` asks for: the format of a file that the last one's scan understands."""
        if self._likely is None or path.suffix != ".jsonl":
            return None
        size = path.stat().st_size
        talks = _scan_file(path, "", size, self._likely)
        if not talks:
            return None
        self._scanned[path] = talks
        return self._likely.name, False, size

    def scan(self, found: Found, format: Format) -> list[Trajectory] | None:
        """What the file's responses used; None where the reader is needed."""
        if (talks := self._scanned.pop(found.path, None)) is not None:
            return [_rename(talk, found.name) for talk in talks]
        if format.totals is None or found.by_line or found.damage is not None:
            return None
        self._likely = format
        return _scan_file(found.path, found.name, found.size, format)


def _scan_file(path: Path, name: str, size: int, format: Format) -> list[Trajectory] | None:
    try:
        return format.totals and format.totals(Source(path, name, 0, size))
    except OSError:
        return None  # The reader says what is wrong with it.


def _rename(talk: Trajectory, name: str) -> Trajectory:
    return structs.replace(talk, source=name, trajectory_id=name + talk.trajectory_id)


def _read(found: Found, format: Format) -> list[Trajectory]:
    """What the format's reader makes of a file; where that fails, what came before."""
    talks: list[Trajectory] = []
    try:
        for source in pieces_of(found):
            items = (item for item in format.read(source) if isinstance(item, Trajectory))
            talks += (identify(item, source) for item in items)
    except Exception:
        return talks  # As a full run, which says what is wrong with the file.
    return talks


def _list_waiting(left: list[Found]) -> list[Waiting]:
    groups = groupby(sorted(left, key=lambda each: each.format), lambda each: each.format)
    files = [(name, list(group)) for name, group in groups]
    return [Waiting(name, len(some), sum(file.size for file in some)) for name, some in files]


# Tokens -------------------------------------------------------------------------------------------

_Written = tuple[Response, list[Part]]
"""A response that nobody counted, and what it wrote."""


def _list_responses(talks: list[Trajectory], are_whole: bool = False) -> Iterator[_Written]:
    """The responses of talks, with what those wrote whose tokens nobody counted."""
    for talk in talks:
        bare = structs.replace(talk, parts=(), calls=()) if talk.parts else talk
        wrote: dict[int, list[Part]] = defaultdict(list)
        for part in as_rows(Part, talk.parts):
            if part.made is not None and (part.text or part.tokens is not None):
                wrote[part.made].append(part)
        context = _size_prompts(talk) if are_whole else {}
        for place, turn in enumerate(as_rows(Turn, talk.turns)):
            prompt = context.get(place) if turn.prefill is None else turn.prefill.tokens
            each = Response(turn, bare, place, turn.model or talk.model, prompt)
            each.is_hidden = are_whole and place not in wrote
            if turn.decode is None:
                each.is_counted = False
                yield each, wrote[place]
            else:
                each.output = turn.decode.tokens
                yield each, []


def _size(written: Iterable[_Written]) -> list[Response]:
    """The responses, those that nobody counted sized by what they wrote: all texts at once, by the
    vocabulary of the talk's model."""
    every = list(written)
    texts: dict[Vocabulary, list[str]] = defaultdict(list)
    uncounted = [(each, parts) for each, parts in every if not each.is_counted]
    for each, parts in uncounted:
        texts[vocabulary_of(each.talk.model)] += [part.text for part in parts]
    sizes = {one: iter(Counter(one).count(some)) for one, some in texts.items()}
    for each, parts in uncounted:
        known = sizes[vocabulary_of(each.talk.model)]
        each.output = _estimate([(part, next(known)) for part in parts], each.model)
    return [each for each, _ in every]


def _estimate(parts: list[tuple[Part, int]], model: str | None) -> int:
    """Tokens of what a response wrote, calibrated for its model (`cost.token_calibration`)."""
    rule = calibration_of(model)
    total = 0.0 if rule is None else float(round(rule.per_response))
    for part, size in parts:
        if part.tokens is not None:
            total += part.tokens
        elif rule is None or not part.text:
            total += size
        else:
            extra = rule.per_call if part.kind == "request" else 0.0
            total += round(size * rule.factor(part.kind) + extra)
    return round(total)


def _size_prompts(talk: Trajectory) -> dict[int, int]:
    """Prompts that nobody counted, by turn: sized as a ledger does, from all texts."""
    if all(as_rows(Turn, talk.turns).column("prefill")):
        return {}
    from agentdyno.cost.columns import flatten
    from agentdyno.cost.engines import MeterOptions
    from agentdyno.cost.split import split_tokens
    from agentdyno.pipelines.meter import build_meter

    meter = build_meter(MeterOptions())
    split = split_tokens(flatten([talk], meter.count, calibrate=meter.calibrate))
    return {place: round(tokens) for place, tokens in enumerate(split.context.tolist())}


# Once ---------------------------------------------------------------------------------------------


def count_once(every: Iterable[Response]) -> list[Response]:
    """Each response once: the most complete occurrence, as in `ledger.repeats`, with what others
    know and it does not."""
    known = [each for each in every if each.turn.identity is not None]
    whole = _least((e.turn.stands_for, e.identity) for e in known)
    asked = _least((e.turn.request_id, e.identity) for e in known)
    groups: dict[str, list[Response]] = defaultdict(list)
    for each in known:
        is_bare = each.turn.stands_for == each.identity
        other = whole.get(each.identity) if is_bare else None
        groups[other or asked.get(each.identity) or each.identity].append(each)
    return [same[0] if len(same) == 1 else _choose(same) for same in groups.values()]


def _least(pairs: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    """By another name of a response, its own."""
    found: dict[str, str] = {}
    for other, own in pairs:
        if other is not None and other != own:
            found[other] = min(own, found.get(other, own))
    return found


def _choose(same: list[Response]) -> Response:
    best = min(same, key=_rank)
    others = sorted(
        (e for e in same if e is not best), key=lambda e: (e.talk.trajectory_id, e.place)
    )
    taken = {
        field: value
        for field in ("started_at", "ended_at", "reported_usd", "service_tier")
        if getattr(best.turn, field) is None
        and (value := next((v for e in others if (v := getattr(e.turn, field)) is not None), None))
        is not None
    }
    output, is_counted = best.output, best.is_counted
    if not is_counted and (counts := [each.output for each in others if each.is_counted]):
        output, is_counted = max(counts), True
    turn = structs.replace(best.turn, **taken) if taken else best.turn
    return structs.replace(best, turn=turn, output=output, is_counted=is_counted)


def _rank(each: Response) -> tuple[object, ...]:
    turn, talk = each.turn, each.talk
    return (
        turn.stands_for == turn.identity,
        turn.request_id == turn.identity,
        each.is_hidden,
        not each.is_counted,
        -each.output,
        -len(talk.turns),
        -(each.context or -1),
        -(turn.cached_tokens or 0),
        -(turn.cache_write_tokens or 0),
        -(turn.ended_at or 0.0),
        talk.session_id or "",
        each.place,
        talk.source,
        talk.trajectory_id,
    )


# Money --------------------------------------------------------------------------------------------


def price(each: Response, prices: Path | None = None) -> float | None:
    """What it cost by the price list of its day, else by what its trace says."""
    turn, usd = each.turn, None
    if each.context is not None and each.model is not None:
        cached, written = turn.cached_tokens or 0, turn.cache_write_tokens or 0
        rates = _find_rates(each.model, turn.service_tier, each.at, prices)
        fresh = max(each.context - cached - written, 0)
        hour = turn.cache_write_hour_tokens
        usd = money(rates, fresh, cached, written, each.output, hour, turn.web_searches)
    return turn.reported_usd if usd is None else usd


def _find_rates(
    model: str, tier: str | None, at: float | None, prices: Path | None
) -> BandedRates | None:
    tariff = tariff_of(model, prices)
    if tariff is None:
        return None
    if len(tariff.terms) == 1:
        return _rates(model, tier, None, prices, 0)
    by_hour = any(one.hours for one in tariff.terms)
    return _rates(model, tier, at if at is None or by_hour else at // _DAY * _DAY, prices, None)


@lru_cache(maxsize=4096)
def _rates(
    model: str, tier: str | None, at: float | None, prices: Path | None, place: int | None
) -> BandedRates | None:
    tariff = tariff_of(model, prices)
    assert tariff is not None
    place = tariff.place_at(at) if place is None else place
    return None if place is None else tariff.terms[place].in_tier(tier)


def sum_up(name: str | None, responses: Iterable[Response]) -> Spent:
    """What they come to, under a name."""
    fresh = write = read = output = many = unpriced = estimated = uncounted = 0
    usd: list[float] = []
    for each in responses:
        many += 1
        cached, written = each.turn.cached_tokens or 0, each.turn.cache_write_tokens or 0
        fresh += max((each.context or 0) - cached - written, 0)
        write, read, output = write + written, read + cached, output + each.output
        estimated += not each.is_counted
        uncounted += each.context is None
        if each.usd is None:
            unpriced += each.context is not None
        else:
            usd.append(each.usd)
    total = sum(usd) if usd else None
    return Spent(name, many, fresh, write, read, output, total, unpriced, estimated, uncounted)
