"""A Claude Code session that is running: the JSON of its hook in, what it has come to out.

Reads the end of the transcript that the hook names, and what the ledger and the last scan since
(`recent`) kept of the session, of each day and of prices; so it is up to date without `follow`.
Where other sessions have gone on, another scan is begun, which this does not wait for. Opens no
table and loads only what Python has at hand: an agent waits for it. What a hook or a ledger holds
may be anything.
"""

import json
import os
import stat
import sys
import time
from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from agentdyno.regular_files import read_end, read_regular

SESSIONS, SPENT, BUDGETS = ".sessions.json", ".spent.json", ".budgets.json"
RECENT = ".recent.json"
"""As `ledger.file_names` has them, which would load more than this needs."""
DIGEST_LENGTH = 32
"""Characters before what is kept, which `ledger verify` checks; see `ledger.disk`."""
TAIL = 1 << 19
"""Bytes of a transcript's end."""
LARGEST = 1 << 23
"""Bytes of a file that the ledger keeps for this: 50,000 sessions."""
YEARS = 946_684_800.0, 4_133_980_800.0
"""The years 2000 to 2100, as `records.local_days` has them, which would load more."""
FRESH = 5.0
"""Seconds in which nobody looks whether other sessions have gone on."""
PAUSE = 20.0
"""After a scan, this many times as long as it took: it is at most a twentieth of a processor."""
MOST_FILES, LONGEST_LOOK = 20_000, 0.2
"""Files whose times are looked at, and seconds: a ledger of somebody else may name any folder."""
TRACES = (".jsonl", ".json", ".db", ".db-wal")
"""Endings of files that agents write sessions to."""
SHORT, LONG = 300.0, 3600.0
"""Seconds for which Anthropic keeps what is written to its cache."""
Rates = list[float]
"""Dollars a token: fresh, read, written for five minutes, written for an hour, generated."""


class State(NamedTuple):
    """What is kept of a session; fields as in `pipelines.session_states.SessionState`."""

    usd: float | None
    turns: int
    context_tokens: int | None
    """Tokens in the context of its last turn."""
    cached_tokens: int | None
    """How many of these came from the cache."""
    ended_at: float | None
    """When its last turn ended, in seconds since 1970."""


class Answer(NamedTuple):
    """A response at the end of a transcript."""

    at: float
    """When it was written, in seconds since 1970."""
    model: str
    fresh: int
    """Tokens of the prompt that were neither read from the cache nor written to it."""
    read: int
    """Those that were read from it."""
    short: int
    """Those that were written to it for five minutes."""
    hour: int
    """Those that were written for an hour."""
    output: int

    @property
    def context(self) -> int:
        """Tokens of the prompt."""
        return self.fresh + self.read + self.short + self.hour


class Session(NamedTuple):
    """What a session has come to by now."""

    state: State
    """Up to its last answer."""
    new: list[tuple[str, float]]
    """Day and dollars of its answers that are not yet in the sums of days."""
    cache_left: float | None
    """Seconds until its cache is gone, below 0 when it is; None where nobody knows."""
    miss_usd: float | None
    """What its context costs more where the cache is gone by the next turn."""

    def new_usd(self, begin: str) -> float:
        """Of its new answers on days that begin so."""
        return sum(usd for day, usd in self.new if day.startswith(begin))


class Spent(NamedTuple):
    """What was kept of days and prices."""

    days: list[tuple[str, str | None, float]]
    """Day, project and dollars."""
    rates: dict[str, Rates]
    """By model."""
    measured_at: float | None = None
    """When what the ledger holds began to be read, in seconds since 1970."""
    scanned_at: float | None = None
    """When the last scan since then was begun."""
    scan_seconds: float = 0.0
    """How long it took."""
    roots: tuple[str, ...] = ()
    """What was scanned."""
    sessions: Mapping[str, Any] = MappingProxyType({})
    """What sessions came to by that scan."""

    def sum(self, begin: str, project: str | None = None) -> float:
        """Of all days that begin so, as `2026-11` or `2026-11-18`; of a project or of all."""
        return sum(
            usd for day, name, usd in self.days if day.startswith(begin) and is_of(name, project)
        )


def read_hook(data: bytes) -> dict[str, Any]:
    """The hook's JSON; empty where it is none."""
    try:
        hook = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return hook if isinstance(hook, dict) else {}


def read_session(ledger: str, hook: dict[str, Any], spent: Spent) -> Session | None:
    """What the hook's session has come to; None where neither its transcript nor the ledger says
    anything of it."""
    kept = read_state(ledger, hook.get("session_id"), spent.sessions)
    answers, is_whole = read_answers(hook.get("transcript_path"), kept.ended_at if kept else None)
    if kept is None and answers.last is None:
        return None
    costs = [_price(each, spent.rates) for each in answers.new]
    known = kept.usd if kept else 0.0 if is_whole else None
    new = [
        (time.strftime("%Y-%m-%d", time.localtime(each.at)), cost)
        for each, cost in zip(answers.new, costs, strict=True)
        if cost is not None
    ]
    usd = None if known is None or None in costs else known + sum(usd for _, usd in new)
    if usd is None:  # Claude Code's own sum, of what runs since it was started or resumed.
        usd = _number(_field(hook, "cost", "total_cost_usd"))
    turns = (kept.turns if kept else 0) + len(answers.new)
    last = answers.last
    if last is None:
        state = State(usd, turns, *(kept[2:] if kept else (None, None, None)))
        return Session(state, new, _left(hook, None), None)
    state = State(usd, turns, last.context, last.read, last.at)
    return Session(state, new, _left(hook, last), _miss(last, spent.rates))


class Answers(NamedTuple):
    """What the end of a transcript holds."""

    last: Answer | None
    new: list[Answer]
    """Those that the ledger has not."""


def read_answers(path: object, since: float | None) -> tuple[Answers, bool]:
    """Of the main agent; and whether the transcript was seen from its beginning."""
    lines, is_whole = _read_tail(path)
    found: dict[str, Answer] = {}
    known: set[str] = set()
    for line in reversed(lines):
        if b'"usage"' not in line or b'"assistant"' not in line:
            continue
        try:
            name, answer = _read_line(json.loads(line))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
            continue
        if since is not None and answer.at <= since:
            known.add(name)
            found.setdefault(name, answer)
            break
        if name not in found or answer.output > found[name].output:
            found[name] = answer
    newest = max(found.values(), key=lambda each: each.at, default=None)
    return Answers(newest, [each for name, each in found.items() if name not in known]), is_whole


def _read_tail(path: object) -> tuple[list[bytes], bool]:
    if not isinstance(path, str) or not path.endswith(".jsonl"):
        return [], False
    try:
        data, is_whole = read_end(path, TAIL)
    except (OSError, ValueError):
        return [], False
    lines = data.split(b"\n")
    return lines if is_whole else lines[1:], is_whole


def is_readable_transcript(path: object) -> bool:
    """Whether it may be read: a regular file, or none yet, as before a session's first answer."""
    try:
        return isinstance(path, str) and stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False


def _read_line(row: dict[str, Any]) -> tuple[str, Answer]:
    message = row["message"]
    if row.get("isSidechain") or row["type"] != "assistant" or message["model"] == "<synthetic>":
        raise ValueError("no response of the main agent")
    if not isinstance(message["model"], str):
        raise TypeError("no name of a model")
    usage = message["usage"]
    by_life = usage.get("cache_creation") or {}
    hour = _count(by_life.get("ephemeral_1h_input_tokens"))
    written = max(_count(usage.get("cache_creation_input_tokens")), hour)
    at = datetime.fromisoformat(row["timestamp"].replace("Z", "+00:00")).timestamp()
    if not YEARS[0] <= at < YEARS[1]:
        raise ValueError("no time of ours")
    counts = (_count(usage["input_tokens"]), _count(usage.get("cache_read_input_tokens")))
    output = _count(usage.get("output_tokens"))
    return f"{message['id']}", Answer(at, message["model"], *counts, written - hour, hour, output)


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < 1 << 40 else 0


def _price(answer: Answer, rates: dict[str, Rates]) -> float | None:
    rate = rates.get(answer.model)
    if rate is None:
        return None
    counts = (answer.fresh, answer.read, answer.short, answer.hour, answer.output)
    return sum(count * usd for count, usd in zip(counts, rate, strict=True))


def _left(hook: dict[str, Any], last: Answer | None) -> float | None:
    """By the hook where it says so, else by the lifetime of what was written last; each read
    begins it again."""
    stated = _field(hook, "prompt_cache", "expires_at")
    try:
        if isinstance(stated, str):
            return datetime.fromisoformat(stated.replace("Z", "+00:00")).timestamp() - time.time()
        if (at := _number(stated)) is not None:
            return at - time.time()
    except (ValueError, OverflowError):
        return None
    if last is None or not (last.read or last.short or last.hour):
        return None
    return last.at + (LONG if last.hour else SHORT) - time.time()


def _miss(last: Answer, rates: dict[str, Rates]) -> float | None:
    rate = rates.get(last.model)
    if rate is None or not (last.read or last.short or last.hour):
        return None
    return (last.context + last.output) * ((rate[3] if last.hour else rate[2]) - rate[1])


# What was kept ------------------------------------------------------------------------------------


_NOT_KEPT = (
    OSError, LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
"""What comes of a file that is not as it was written."""


def read_state(ledger: str, session: object, scanned: Mapping[str, Any]) -> State | None:
    """The state of a session, if every field is what `measure` writes; by the last scan where that
    has seen more of it."""
    try:
        kept = _check_state(_read_kept(f"{ledger}/{SESSIONS}")[session])
    except _NOT_KEPT:
        kept = None
    try:
        newer = _check_state(scanned[session])  # type: ignore[index]
    except _NOT_KEPT:
        newer = None
    return newer if newer and (kept is None or newer.turns >= kept.turns) else kept


def _check_state(kept: Any) -> State | None:
    found = State(*(kept[name] for name in State._fields))
    known = [value for value in found if value is not None]
    if found.turns is None or not all(type(value) in (int, float) for value in known):
        return None
    return found if all(abs(value) < 1e15 for value in known) else None


def read_spent(ledger: str) -> Spent:
    """What was kept of days and prices, the last scan included; nothing where that is not what
    `measure` writes."""
    measured, measured_at = Spent([], {}), None
    try:
        kept = _read_kept(f"{ledger}/{SPENT}")
        measured_at = _number(kept.get("at"))
        measured = Spent(_read_days(kept), _read_rates(kept), measured_at)
    except _NOT_KEPT:
        pass
    try:
        kept = _read_kept(f"{ledger}/{RECENT}")
        at, since = float(kept["at"]), str(kept["since"])
        roots = tuple(str(root) for root in kept["roots"])
        if measured_at is not None and at < measured_at:
            return measured._replace(roots=roots)
        days = [each for each in measured.days if each[0] < since] + _read_days(kept)
        return Spent(
            days, measured.rates | _read_rates(kept), measured_at, at, float(kept["took"]), roots,
            kept["sessions"],
        )  # fmt: skip
    except _NOT_KEPT:
        return measured


def _read_days(kept: Any) -> list[tuple[str, str | None, float]]:
    return [
        (str(day), name if name is None else str(name), _dollars(usd))
        for day, name, usd in kept["days"]
        if _is_day(day)
    ]


def _is_day(day: str) -> bool:
    """Older ledgers have days of the year 10000."""
    try:
        return 2000 <= date.fromisoformat(day).year <= 2100
    except ValueError:
        return False


def _read_rates(kept: Any) -> dict[str, Rates]:
    rates = {str(model): [_dollars(each) for each in row] for model, row in kept["rates"].items()}
    return {model: row for model, row in rates.items() if len(row) == 5}


def _dollars(value: Any) -> float:
    usd = _number(value)
    if usd is None:
        raise ValueError("expected dollars")
    return usd


def look_for_newer(ledger: str, hook: dict[str, Any], spent: Spent) -> bool:
    """Whether other sessions have gone on since anybody read them. Then a scan of them is begun,
    unless the last one was only just: what it finds is in the next answer."""
    known = max(spent.measured_at or 0.0, spent.scanned_at or 0.0)
    if time.time() - known < FRESH:
        return False
    is_behind = _has_newer(spent.roots, known, hook.get("transcript_path"))
    if is_behind or not (spent.roots or spent.scanned_at):
        _begin_scan(ledger, max(FRESH, PAUSE * spent.scan_seconds))
    return is_behind


def _has_newer(roots: tuple[str, ...], since: float, own: object) -> bool:
    folders, left, until = [*reversed(roots)], MOST_FILES, time.monotonic() + LONGEST_LOOK
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if not left or time.monotonic() > until:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.path != own and _is_newer(entry, since):
                        return True
        except (OSError, ValueError):
            continue  # It is gone.
    return False


def _is_newer(entry: "os.DirEntry[str]", since: float) -> bool:
    try:
        return entry.name.endswith(TRACES) and entry.stat().st_mtime > since
    except OSError:
        return False  # It is gone.


def _begin_scan(ledger: str, pause: float) -> None:
    """In a process of its own, unless one was begun less than a pause ago."""
    try:
        safe = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        flags = os.O_WRONLY | os.O_CREAT | safe
        handle = os.open(f"{ledger}/{RECENT}", flags, 0o600)
        try:
            found = os.fstat(handle)
            if found.st_size and time.time() - found.st_mtime < pause:
                return
            os.utime(handle)
        finally:
            os.close(handle)
        # Without -P a folder `agentdyno` in the project would be run.
        _start([sys.executable, "-P", "-m", "agentdyno_daily.totals.recent", ledger])
    except OSError:
        return


def _start(words: list[str]) -> None:
    """A process that nobody waits for, with no part in our streams."""
    if sys.platform == "win32":
        from subprocess import DEVNULL, Popen

        Popen(words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    else:
        silent = [(os.POSIX_SPAWN_OPEN, each, os.devnull, os.O_RDWR, 0) for each in range(3)]
        os.posix_spawn(words[0], words, os.environ, file_actions=silent, setsid=True)


def _read_kept(path: str) -> Any:
    return json.loads(read_regular(path, LARGEST, follow_link=False)[DIGEST_LENGTH:])


class Budget(NamedTuple):
    """What may be spent in a month."""

    usd: float
    project: str | None
    """Of which project, by the end of its path; None for everything."""


def read_budgets(ledger: str) -> list[Budget]:
    """Those that were set with `agentdyno budget`; none where they cannot be read."""
    return load_budgets(ledger) or []


def load_budgets(ledger: str) -> list[Budget] | None:
    """The same; None where there are some and they cannot be read."""
    try:
        rows = json.loads(read_regular(f"{ledger}/{BUDGETS}", LARGEST))
        found = [Budget(_dollars(row["usd"]), row["project"]) for row in rows]
    except FileNotFoundError:
        return []
    except _NOT_KEPT:
        return None
    return [each for each in found if isinstance(each.project, str | None) and each.usd > 0]


def read_limit(hook: dict[str, Any], name: str) -> float | None:
    """Per cent used of a limit of the user's plan; None where the hook does not say."""
    return _number(_field(hook, "rate_limits", name, "used_percentage"))


def _field(hook: Any, *names: str) -> Any:
    for name in names:
        hook = hook.get(name) if isinstance(hook, dict) else None
    return hook


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= 1e15 else None  # NaN is not.


def is_of(name: str | None, project: str | None) -> bool:
    """Whether a folder is a project's; every folder is one of None."""
    if project is None:
        return True
    path = (name or "").replace("\\", "/").rstrip("/")
    return path == project or path.endswith(f"/{project.strip('/')}")
