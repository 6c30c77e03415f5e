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

    found = scan([Path.home() / ".claude" / "projects"])
    found.total().usd, [(each.name, each.usd) for each in found.by("model")]
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from agentdyno.cost.price_lookup import tariff_of
from agentdyno.cost.prices import BandedRates, Tariff, money
from agentdyno.cost.token_calibration import calibration_of
from agentdyno.intake.counting import Counter
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import Format, FormatsInUse
from agentdyno.intake.identity import identify
from agentdyno.intake.source import Source
from agentdyno.intake.totals import Response, Written, list_responses
from agentdyno.intake.vocabularies import Vocabulary, vocabulary_of
from agentdyno.records import Trajectory, Turn
from agentdyno.records.local_days import QUARTER, name_day
from agentdyno.records.rows import as_rows

Grouping = Literal["day", "model", "project", "agent", "session"]
_GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
_DAY = 86_400.0


def name_local_day(each: Response) -> str | None:
    """The day on which a response was asked for, on this machine's clock."""
    return None if each.at is None else _name_quarter(each.at // QUARTER)


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


class Scan(Struct, frozen=True, dict=True):
    """What was used, as far as a scan tells."""

    responses: list[Response]
    every: list[Response]
    waiting: list[Waiting]
    """What is still to come."""
    names: frozenset[str]
    """The files that were scanned."""
    bytes: int
    """The size of all files, those that wait included."""

    @property
    def idle(self) -> frozenset[str]:
        """Files in which no response counts: earlier states of a session, mostly."""
        return self.names - {each.talk.source for each in self.responses}

    @cached_property
    def _sums(self) -> dict[tuple[str | None, ...], Spent]:
        """Sums of responses that are the same in all groupings: their names, in that order."""
        groups: dict[tuple[str | None, ...], list[Response]] = defaultdict(list)
        for each in self.responses:
            talk, day = each.talk, name_local_day(each)
            groups[day, each.model, talk.project, talk.format, talk.session_id].append(each)
        return {names: sum_up(group) for names, group in groups.items()}

    def total(self) -> Spent:
        return _merge(None, self._sums.values())

    def by(self, grouping: Grouping) -> list[Spent]:
        """Days in order; others with the most expensive first."""
        groups: dict[str | None, list[Spent]] = defaultdict(list)
        place = _GROUPINGS.index(grouping)
        for names, spent in self._sums.items():
            groups[names[place]].append(spent)
        sums = [_merge(name, group) for name, group in groups.items()]
        if grouping == "day":
            return sorted(sums, key=lambda each: each.name or "")
        return sorted(sums, key=lambda each: (-(each.usd or 0.0), each.name or ""))


def scan(
    paths: Sequence[Path],
    since: float | None = None,
    complete: bool = False,
    prices: Path | None = None,
) -> Scan:
    """What the sessions under the paths used.

    `since`: only files that were written from then on, in seconds since 1970. `complete`: files
    that no scan understands are read whole, which takes longer; without it they are `waiting`.
    `prices`: a user's own price table.
    """
    formats, scanner = FormatsInUse(), _Scanner()
    every: list[Response] = []
    left: list[Found] = []
    names: set[str] = set()
    size = 0
    recent = None if since is None else [*_list_written(paths, since)]
    files = discover(paths, formats, recall=scanner.recall, only=recent, likely=formats.likely)
    for found in files:
        if not isinstance(found, Found):
            continue
        size += found.size
        responses = scanner.scan(found, formats[found.format])
        if responses is not None:
            every += responses
        elif complete:
            every += _read(found, formats[found.format])
        else:
            left.append(found)
            continue
        names.add(found.name)
    _estimate_output(every)
    once = count_once(every)
    _price(once, prices)
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
        self._scanned: dict[Path, list[Response]] = {}

    def recall(self, path: Path) -> tuple[str, bool, int] | None:
        """What `discover` asks for: the format of a file that the last one's scan understands."""
        if self._likely is None or path.suffix != ".jsonl":
            return None
        size = path.stat().st_size
        responses = _scan_file(path, "", size, self._likely)
        if not responses:
            return None
        self._scanned[path] = responses
        return self._likely.name, False, size

    def scan(self, found: Found, format: Format) -> list[Response] | None:
        """What the file's responses used; None where the reader is needed."""
        if (responses := self._scanned.pop(found.path, None)) is not None:
            for talk in {id(each.talk): each.talk for each in responses}.values():
                talk.source, talk.trajectory_id = found.name, found.name + talk.trajectory_id
            return responses
        if format.totals is None or found.by_line or found.damage is not None:
            return None
        self._likely = format
        return _scan_file(found.path, found.name, found.size, format)


def _scan_file(path: Path, name: str, size: int, format: Format) -> list[Response] | None:
    try:
        return format.totals and format.totals(Source(path, name, 0, size))
    except OSError:
        return None  # The reader says what is wrong with it.


def _read(found: Found, format: Format) -> list[Response]:
    """What the format's reader makes of a file; where that fails, what came before."""
    responses: list[Response] = []
    try:
        for source in pieces_of(found):
            for item in format.read(source):
                if isinstance(item, Trajectory):
                    responses += _list_sized(identify(item, source))
    except Exception:
        return responses  # As a full run, which says what is wrong with the file.
    return responses


def _list_waiting(left: list[Found]) -> list[Waiting]:
    groups = groupby(sorted(left, key=lambda each: each.format), lambda each: each.format)
    files = [(name, list(group)) for name, group in groups]
    return [Waiting(name, len(some), sum(file.size for file in some)) for name, some in files]


# Tokens -------------------------------------------------------------------------------------------


def _list_sized(talk: Trajectory) -> list[Response]:
    responses = list_responses(talk)
    prompts = _size_prompts(talk)
    for each in responses:
        if each.context is None:
            each.context, each.is_prompt_sized = prompts.get(each.place) or None, True
    return responses


def _estimate_output(every: Iterable[Response]) -> None:
    """Sizes responses that nobody counted by what they wrote: all texts at once, by the vocabulary
    of the talk's model."""
    groups: dict[Vocabulary, list[Response]] = defaultdict(list)
    for each in every:
        if not each.is_counted:
            groups[vocabulary_of(each.talk.model)].append(each)
    for vocabulary, some in groups.items():
        sizes = Counter(vocabulary).count([text.text for each in some for text in each.texts])
        known = iter(sizes)
        for each in some:
            each.output = _estimate([(text, next(known)) for text in each.texts], each.model)
            each.texts = []


def _estimate(parts: list[tuple[Written, int]], model: str | None) -> int:
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
    flat = flatten([talk], meter.count, False, meter.calibrate, meter.count_source)
    split = split_tokens(flat)
    return {place: round(tokens) for place, tokens in enumerate(split.context.tolist())}


# Once ---------------------------------------------------------------------------------------------


def count_once(every: Iterable[Response]) -> list[Response]:
    """Each response once: the most complete occurrence, as in `ledger.repeats`, with what others
    know and it does not."""
    known = [each for each in every if each.identity]
    names = {each.identity for each in known}
    whole = _least((e.stands_for, e.identity) for e in known if e.stands_for in names)
    asked = _least((e.request_id, e.identity) for e in known if e.request_id in names)
    groups: dict[str, list[Response]] = defaultdict(list)
    for each in known:
        identity = each.identity
        other = whole.get(identity) if each.stands_for == identity else None
        groups[other or asked.get(identity) or identity].append(each)
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
    learned = [
        field
        for field in ("started_at", "ended_at", "reported_usd", "service_tier")
        if getattr(best, field) is None and any(getattr(e, field) is not None for e in same)
    ]
    counts = [] if best.is_counted else [each.output for each in same if each.is_counted]
    if not learned and not counts:
        return best
    best = copy(best)
    others = sorted(same, key=lambda each: (each.talk.trajectory_id, each.place))
    for field in learned:
        known = (getattr(each, field) for each in others)
        setattr(best, field, next(value for value in known if value is not None))
    if counts:
        best.output, best.is_counted = max(counts), True
    return best


def _rank(each: Response) -> tuple[object, ...]:
    return (
        each.stands_for == each.identity,
        each.request_id == each.identity,
        each.is_hidden,
        not each.is_counted,
        -each.output,
        -each.talk.responses,
        -(each.context or -1),
        -(each.cached or 0),
        -(each.written or 0),
        -(each.ended_at or 0.0),
        each.talk.session_id or "",
        each.place,
        each.talk.source,
        each.talk.trajectory_id,
    )


# Money --------------------------------------------------------------------------------------------


def _price(responses: Iterable[Response], prices: Path | None) -> None:
    """What each cost by the price list of its day, else by what its trace says."""
    rates: dict[tuple[str, str | None, float | None], BandedRates | None] = {}
    tariffs: dict[str, tuple[Tariff, bool, bool] | None] = {}
    for each in responses:
        each.usd, model = each.reported_usd, each.model
        if each.context is None or model is None:
            continue
        if model not in tariffs:
            tariffs[model] = _look_up(model, prices)
        if (known := tariffs[model]) is None:
            continue
        tariff, is_constant, by_hour = known
        at = None if is_constant else each.at
        if at is not None and not by_hour:
            at = at // _DAY * _DAY
        key = model, each.service_tier, at
        if key not in rates:
            place = 0 if is_constant else tariff.place_at(at)
            rates[key] = None if place is None else tariff.terms[place].in_tier(each.service_tier)
        cached, written = each.cached or 0, each.written or 0
        fresh = max(each.context - cached - written, 0)
        usd = money(rates[key], fresh, cached, written, each.output, each.hour, each.web_searches)
        if usd is not None:
            each.usd = usd


def _look_up(model: str, prices: Path | None) -> tuple[Tariff, bool, bool] | None:
    """A model's prices, whether they are always the same, and whether the hour decides."""
    tariff = tariff_of(model, prices)
    if tariff is None:
        return None
    return tariff, len(tariff.terms) == 1, any(one.hours for one in tariff.terms)


def sum_up(responses: Iterable[Response]) -> Spent:
    """What they come to."""
    fresh = write = read = output = many = unpriced = estimated = uncounted = 0
    usd: list[float] = []
    for each in responses:
        many += 1
        cached, written = each.cached or 0, each.written or 0
        fresh += max((each.context or 0) - cached - written, 0)
        write, read, output = write + written, read + cached, output + each.output
        estimated += not each.is_counted
        uncounted += each.context is None
        if each.usd is None:
            unpriced += each.context is not None
        else:
            usd.append(each.usd)
    total = sum(usd) if usd else None
    return Spent(None, many, fresh, write, read, output, total, unpriced, estimated, uncounted)


def _merge(name: str | None, parts: Collection[Spent]) -> Spent:
    """Several sums as one, under a name."""
    counts = {
        field: sum(getattr(each, field) for each in parts)
        for field in Spent.__struct_fields__
        if field not in ("name", "usd")
    }
    usd = [each.usd for each in parts if each.usd is not None]
    return Spent(name, usd=sum(usd) if usd else None, **counts)
