"""Dependencies between calls, read off values and off what calls touch.

An edge says that a later call rests on an earlier one, with the reason and a confidence:

value     something in the arguments stood first in that call's result: not in the prompt, a schema
          or anything the model wrote before. Ids, paths, days, larger figures and lines of text
          weigh enough; line numbers, enums and small integers prove nothing (`matching.tokens`)
derived   a figure of the arguments is a sum, difference or product of two figures of results
conflict  the earlier call wrote what the later one touches: a test after an edit, a file read again

What it cannot see: calls that were chosen because of a result without naming anything of it. Such
edges are missing. Precision and recall on real traces and on known graphs are in the findings.

Worked: "book the cheapest flight to Rome": search(to="Rome") -> {"id": "NW412"}; book(id="NW412").
"Rome" stands in the prompt, "NW412" first in the first result: one edge, from search to book.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property

from agentdyno.matching.appearances import Appearances, Origin, appearances, text_lines
from agentdyno.matching.effects import Effect, conflict
from agentdyno.matching.effects.calls import NOTES
from agentdyno.matching.effects.effect import ANYTHING
from agentdyno.matching.paths import path_sources, paths_of, plain_path, without_spans
from agentdyno.matching.tokens import argument_tokens, number_token, weight
from agentdyno.matching.values.names import find_names
from agentdyno.matching.values.units import unit
from agentdyno.records import Trajectory, printable
from agentdyno.records.scheduling import CallEdge

LEAST = 0.5
"""Weight below which a common token proves nothing."""
LONG = 200
"""Characters beyond which an argument is a text, in which only heavy tokens and lines count."""
LEAST_IN_TEXT = 0.9
SHORT_LINE, LONG_LINE = 24, 48
"""Characters of a single line that proves something, and of one that the file at hand explains."""
MOST_FIGURES = 30
"""Distinct figures of results beyond which sums and differences would fit anything."""
SERVICES = frozenset(["git:remote", "github:"])
"""Resources that only the programs of a service look at."""
REMOVING = frozenset(["rm", "rmdir", "unlink", "trash"])
MOST_WRITERS = 30
"""Earlier calls that may have written, of which the latest are looked at."""

Found = Iterator[tuple[int, str, str, float]]
"""Source call, what gave it away, reason, confidence."""
Same = Callable[[int], bool]
"""Whether another call is about the same file."""


def infer_edges(trajectory: Trajectory, index: Appearances | None = None) -> list[CallEdge]:
    """Every dependency that values and effects give away, each pair of calls once."""
    if len({call.turn for call in trajectory.calls}) < 2:
        return []  # Only a later turn can have seen a result.
    known = index or appearances(trajectory)
    effects = known.effects
    writers = [n for n, effect in enumerate(effects) if _writes_something(effect)]
    figures = _Figures(known)
    edges: dict[tuple[int, int], CallEdge] = {}
    for target in range(len(trajectory.calls)):
        for source, value, reason, sure in _sources(known, figures, target, effects):
            edge = CallEdge(source, target, printable(value, 60), reason, sure)
            old = edges.get((source, target))
            if old is None or old.confidence < sure:
                edges[source, target] = edge
        for source, value in _compared(known, target):
            reason = "it takes one of several that were looked at one by one"
            edges.setdefault(
                (source, target), CallEdge(source, target, printable(value, 60), reason, 0.7)
            )
        for source, place in _conflicts(trajectory, effects, target, writers):
            if (source, target) not in edges:
                reason = "it touches what the other wrote"
                edges[source, target] = CallEdge(source, target, printable(place, 60), reason, 0.9)
    return sorted(edges.values(), key=lambda edge: (edge.target, edge.source))


def _sources(
    index: Appearances, figures: "_Figures", target: int, effects: list[Effect]
) -> Found:
    call = index.calls[target]
    mine = effects[target].writes
    touched = plain_path(mine[0]) if len(mine) == 1 and mine[0] != ANYTHING else None

    def same(other: int) -> bool:
        reads = effects[other].reads
        return touched is not None and any(plain_path(read) == touched for read in reads)

    opened = _opened(index, target, same) if effects[target].action == "writes" else None
    quoted = False
    for value in index.arguments[target]:
        if len(value) > LONG or "\n" in value:
            for found in _of_text(index, value, call.turn, same):
                quoted = quoted or same(found[0])
                yield found
        else:
            known = touched if opened is not None else None
            yield from _of_value(index, figures, value, call.turn, known)
    if opened is not None and not quoted:
        yield opened, _tail(touched or ""), "it changes the file that the other read", 0.95


def _opened(index: Appearances, target: int, same: Same) -> int | None:
    """The latest earlier call that looked at the file which the target changes."""
    turn = index.calls[target].turn
    for place in range(target - 1, max(-1, target - 1 - MOST_WRITERS), -1):
        call = index.calls[place]
        if call.turn < turn and call.executed and not call.error and same(place):
            return place
    return None


def _of_value(
    index: Appearances, figures: "_Figures", value: str, turn: int, opened: str | None
) -> Found:
    seen = False
    whole = value.strip().lower()
    paths = paths_of(value)
    for path, _, _ in paths:
        seen = seen or index.origin(path, turn) is not None
        if path == opened:
            continue  # Whoever opened it had its name from there.
        for source in path_sources(index, path, turn):
            yield source, _tail(path), "its result showed this first", 0.9
    for token in _candidates(without_spans(value, paths)):
        heavy = _heaviness(index, token, whole)
        if heavy < LEAST:
            continue
        seen = seen or index.origin(token, turn) is not None
        if not _is_worn(index, token):
            for source in index.sources(token, turn):
                yield source, token, "its result showed this first", heavy
    yield from _of_phrases(index, value, turn)
    if not seen:
        yield from figures.derived(value, turn)


def _tail(path: str) -> str:
    """The end of a path, which tells it from others."""
    return "/".join(path.split("/")[-3:])


def _candidates(value: str) -> set[str]:
    """The tokens of an argument, without pieces of an id or an address."""
    found = argument_tokens(value, dates=True)
    low = value.lower()
    if "://" in low:
        return {token for token in found if "://" in token}
    return {token for token in found if not _is_piece(token, low) and "/" not in token}


def _heaviness(index: Appearances, token: str, whole: str) -> float:
    """A whole argument that is a whole value of a result is more than its letters say."""
    heavy = weight(token)
    if heavy < 0.6 and len(token) > 2 and not token.isdigit() and token in index.leaves:
        if unit(token) is not None:
            return 0.0
        marked = token == whole or any(sign in token for sign in "-_:")
        return 0.6 if marked else heavy
    return heavy


def _is_piece(token: str, low: str) -> bool:
    place = low.find(token)
    if place < 0 or token == low.strip():
        return False
    before, after = low[place - 1 : place], low[place + len(token) : place + len(token) + 1]
    return (before in tuple("-_.@:") or after in tuple("-_@:")) and "/" not in token


def _of_phrases(index: Appearances, value: str, turn: int) -> Found:
    """Names of several words, quoted within a sentence or whole."""
    phrases = [name.text for name in find_names(value)]
    if " " in value.strip() and len(value) <= 80:
        phrases.append(value.strip())
    for phrase in dict.fromkeys(phrases):
        words = [t for t in argument_tokens(phrase) if t.isalpha() or weight(t) > 0]
        if len(words) < 2 or any(word not in index.places for word in words):
            continue
        origin = _first_phrase(index, phrase.lower(), words, turn)
        if (source := _source(index, origin, turn)) is not None:
            yield source, phrase, "its result showed these words first", 0.8


def _first_phrase(index: Appearances, phrase: str, words: list[str], turn: int) -> Origin | None:
    rarest = min(words, key=index.count)
    for place in index.places[rarest][:12]:
        part = index.parts[place]
        if part.made is not None and part.made >= turn:
            return None
        if phrase in part.text.lower():
            return Origin(place, part.call if part.kind == "result" else None)
    return None


def _of_text(index: Appearances, value: str, turn: int, same: Same) -> Found:
    """Lines that a result showed, and heavy tokens within."""
    lines: dict[int, list[str]] = {}
    own: set[int] = set()
    for line in text_lines(value):
        source, is_own = _line_source(index, line, turn, same)
        if source is not None:
            lines.setdefault(source, []).append(line)
            own.update([source] if is_own else ())
    for source, found in lines.items():
        longest = max(found, key=len)
        # A file that is known explains its lines; in another one they may stand by chance.
        least = LONG_LINE if own and source not in own else SHORT_LINE
        if len(found) > 1 or len(longest) >= least:
            yield source, longest, "a line of its result is quoted", 0.95
    for token in argument_tokens(value):
        if weight(token) >= LEAST_IN_TEXT and "/" not in token:
            origin = index.origin(token, turn)
            source = _source(index, origin, turn)
            if source is not None and any(c.isdigit() for c in token):
                yield source, token, "its result showed this first", 0.7


def _line_source(
    index: Appearances, line: str, turn: int, same: Same
) -> tuple[int | None, bool]:
    """The latest call on the same file that showed a line, else the first call of all."""
    origins = index.lines.get(line)
    if not origins:
        return None, False
    for origin in reversed(origins):
        source = _source(index, origin, turn)
        if source is not None and same(source):
            return source, True
    return _source(index, origins[0], turn), False


def _source(index: Appearances, origin: Origin | None, turn: int) -> int | None:
    if origin is None or origin.call is None:
        return None
    return origin.call if index.calls[origin.call].turn < turn else None


def _is_worn(index: Appearances, token: str) -> bool:
    """Whether it stands almost everywhere, so that any result would have shown it."""
    return index.count(token) > 12 and index.count(token) > 0.4 * len(index.parts)


MOST_ALTERNATIVES = 12


def _compared(index: Appearances, target: int) -> Iterator[tuple[int, str]]:
    """The look-ups among whose subjects a call picks one: weather of three cities, then a hotel.

    Alternatives are calls of one tool, in the turns just before, that differ in one argument; the
    target is another tool's call and names one of their subjects and no other.
    """
    call = index.calls[target]
    mine = {value.lower() for value in index.arguments[target]}
    siblings: dict[str, list[int]] = {}
    for place in range(target - 1, max(-1, target - 1 - MOST_ALTERNATIVES), -1):
        other = index.calls[place]
        if other.turn < call.turn and other.tool != call.tool and not other.error:
            siblings.setdefault(other.tool, []).append(place)
    for places in siblings.values():
        if len(places) < 2:
            continue
        subjects = {p: frozenset(v.lower() for v in index.arguments[p]) for p in places}
        common = frozenset.intersection(*subjects.values()) if len(subjects) > 1 else frozenset()
        own = {p: subject - common for p, subject in subjects.items()}
        chosen = [p for p, subject in own.items() if subject and subject <= mine]
        if len(subjects) > 1 and len(chosen) == 1 and all(len(each) == 1 for each in own.values()):
            (value,) = own[chosen[0]]
            if "/" not in value and not value.isdigit() and index.sources(value, call.turn) == []:
                yield from ((place, value) for place in places)


class _Figures:
    """Figures of results, for what was worked out of two of them."""

    def __init__(self, index: Appearances) -> None:
        self._index = index
        self._turns = [call.turn for call in index.calls]

    @cached_property
    def _seen(self) -> dict[float, int]:
        """Figure -> the call whose result showed it first."""
        found: dict[float, int] = {}
        for place, part in enumerate(self._index.parts):
            if part.kind == "result" and part.call is not None:
                for token in self._index.held[place]:
                    if token[0].isdigit() and _is_figure(token):
                        found.setdefault(float(token), part.call)
        return found

    def derived(self, value: str, turn: int) -> Found:
        """The two calls whose figures make this one."""
        text = value.strip().lstrip("-")
        if not text.replace(".", "", 1).isdigit() or weight(number_token(text)) < LEAST:
            return
        known = [(v, c) for v, c in self._seen.items() if self._turns[c] < turn]
        if not 2 <= len(known) <= MOST_FIGURES:
            return
        wanted = float(text)
        for place, (a, one) in enumerate(known):
            for b, other in known[place + 1 :]:
                if any(abs(made - wanted) < 0.006 for made in (a + b, abs(a - b), a * b)):
                    yield one, value, "worked out of its result", 0.6
                    yield other, value, "worked out of its result", 0.6
                    return


def _is_figure(token: str) -> bool:
    return weight(token) >= 0.35 and token.replace(".", "", 1).isdigit()


def _writes_something(effect: Effect) -> bool:
    """Of what wrote nobody knows what, anything would follow."""
    return effect.may_write and bool(effect.writes) and ANYTHING not in effect.writes


def _conflicts(
    trajectory: Trajectory, effects: list[Effect], target: int, writers: list[int]
) -> Iterator[tuple[int, str]]:
    """The latest earlier call whose writing the target has to wait for."""
    turn, mine = trajectory.calls[target].turn, effects[target]
    if _is_vague(mine):
        return
    before = bisect_left(writers, target)
    for source in reversed(writers[max(0, before - MOST_WRITERS) : before]):
        theirs = effects[source]
        call = trajectory.calls[source]
        if call.turn >= turn or not call.executed or call.error:
            continue
        if _is_inner(theirs, mine) or (theirs.programs and REMOVING.issuperset(theirs.programs)):
            continue
        if (place := conflict(theirs, mine)) is not None and _is_plain(theirs, mine):
            yield source, theirs.writes[0] if place == ANYTHING else place
            return


def _is_inner(wrote: Effect, touches: Effect) -> bool:
    """Whether only the repository or a service of it was written, and the other is no such tool:
    a test run touches anything, and a commit changes nothing for it."""
    users = {program.split()[0] for program in touches.programs}
    if all(w in SERVICES for w in wrote.writes):
        return "gh" not in users
    inner = all(w in (".git", *SERVICES) or w.endswith("/.git") for w in wrote.writes)
    return inner and not users & {"git", "gh"}


def _is_plain(wrote: Effect, touches: Effect) -> bool:
    """Whether it is the very thing: a search through a folder says nothing about one file in it,
    and the notes of an agent are many small things under one name."""
    if NOTES in wrote.writes:
        return False
    if touches.may_write or touches.certainty == "parsed":
        return True
    return any(one.endswith(other.lstrip("./")) for one in wrote.writes for other in touches.reads)


def _is_vague(effect: Effect) -> bool:
    """Whether all that is known is that it may touch anything."""
    touched = effect.writes or effect.reads
    return ANYTHING in touched and effect.certainty in ("named", "unknown")
