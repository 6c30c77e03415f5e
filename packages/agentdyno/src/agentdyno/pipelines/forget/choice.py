"""What a ledger is to forget: a choice in, the trajectories and texts that have to go out.

Reads a ledger, its kept texts and received records; changes nothing. Secrets are looked for in
every file, those of earlier generations included, so that it is known what must not be found
afterwards; and where one stands that no rule sees (alone in a sentence), it goes there, too.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.intake.cleaning import change_texts
from agentdyno.ledger.cleaning import Find, change_frame
from agentdyno.ledger.file_names import STORE
from agentdyno.ledger.forgetting import Removal
from agentdyno.ledger.manifest import Manifest, keeps_secrets
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.searching import search_folder
from agentdyno.ledger.stored_texts import StoredTexts, text_key
from agentdyno.pipelines.forget.records import drop_records, find_connected
from agentdyno.pipelines.receive.redact import Redactor
from agentdyno.records import InputError, Trajectory, printable
from agentdyno.records.ledger import DERIVED, HELD, TABLES
from agentdyno.records.secrets import Counts, clean_name
from agentdyno.records.secrets.batch import change_value, find_changed_names, find_changes
from agentdyno.records.secrets.cleaning import SHORTEST_CUT
from agentdyno.records.secrets.randomness import has_digit, has_letter, is_wordy
from agentdyno.records.secrets.redaction import FoundSecrets

# Takes texts, from a file or from rules, and other texts; returns those that change. A cut may
# have left the beginning of one at the end of a cell, so that goes, too.
SHORTEST_LINE = 4
"""Characters of a line of the file that is given: `}` would be found everywhere."""
SHORTEST_HALF = 8
"""Characters of a text's beginning that are removed where a cell was cut behind them."""


class Literals:
    """Texts that go wherever they stand, and their beginnings where a cut has left these."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = set(texts)
        forms = {form for text in self.texts for form in (text, _escape(text), _flatten(text))}
        self._forms = sorted(forms, key=len, reverse=True)
        self._heads = {form[:SHORTEST_HALF]: form for form in self._forms}

    def find(self, texts: Collection[str], are_names: bool = False) -> dict[str, str]:
        """Those of the texts in which one stands, each with what is left of it."""
        values = list(texts)
        if not values or not self._forms:
            return {}
        series = pl.Series(values, dtype=pl.String, strict=False)
        places = series.str.contains_any([*self._heads]).arg_true().to_list()
        changed = {values[index]: self._replace(values[index], are_names) for index in places}
        return {text: new for text, new in changed.items() if new != text}

    def _replace(self, text: str, are_names: bool) -> str:
        for form in self._forms:
            if form in text:
                text = text.replace(form, _mark(form, are_names))
        for head, form in self._heads.items():
            at = text.rfind(head) if len(head) == SHORTEST_HALF else -1
            if at >= 0 and form.startswith(text[at:].rstrip("… ")):
                text = text[:at] + _mark(form, are_names)
        return text


def _mark(text: str, is_name: bool) -> str:
    """Two names must not become one."""
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"[forgotten {digest}]" if is_name else "[forgotten]"


def _escape(text: str) -> str:
    return msgspec.json.encode(text).decode()[1:-1]


def _flatten(text: str) -> str:
    """As it stands in a title."""
    return " ".join(text.split())


def read_literals(path: Path) -> set[str]:
    """The whole file as one text, and each of its lines."""
    try:
        content = path.read_text("utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path}: expected a file of texts in UTF-8, found: {error}.") from None
    lines = (line.strip() for line in content.splitlines())
    texts = {text for text in (content, *lines) if len(text) >= SHORTEST_LINE}
    if not texts:
        raise InputError(
            f"{path}: expected a text of {SHORTEST_LINE} characters or more in a line, found none."
        )
    return texts


SHORTEST = 8
"""Characters of a text that is searched for; shorter ones stand in other texts by chance."""
LONGEST_QUOTE = 200
"""Characters of a kept text that are searched for."""


class Choice(Struct, frozen=True):
    """One of these."""

    secrets: bool = False
    session: str | None = None
    """A session's id, or a trajectory's."""
    project: str | None = None
    """The folder that an agent worked in, or its name."""
    text: Path | None = None
    """A file with texts."""
    spares_kept: bool = False
    """With `secrets`: what was measured with --keep-secrets stays."""


class Plan(Struct):
    """What has to go."""

    removal: Removal
    """From the tables and the kept texts."""
    texts: set[str]
    """What must not be found afterwards."""
    counts: Counts = msgspec.field(default_factory=Counter)
    """Secrets by kind."""
    keys: frozenset[str] = frozenset()
    """Sessions and traces whose received records go."""
    redacts: bool = False
    """Whether the rules go over answers and records."""
    not_searched: int = 0
    """Secrets that are words, or too short to be searched for."""

    def find_needles(self, folder: Path, manifest: Manifest) -> set[str]:
        """The texts that are searched for: not those that also stand in what is kept."""
        if not self.keys and not self.removal.spares_kept:
            return self.texts
        spared = self.removal.spares_kept
        stored = _read_kept(folder, manifest, only_with_secrets=spared)
        return self.texts - _find_in(stored, self.texts)

    def rewrite(self, value: Any, needles: Collection[str]) -> Any:
        """A line of answers or received records without what goes; None where all of it does."""
        if self.keys:
            remaining = drop_records(value, self.keys)
            data = msgspec.json.encode(remaining).decode()
            is_answer = isinstance(remaining, dict) and "key" in remaining
            return (
                None
                if remaining is None or (is_answer and _find_in([data], needles))
                else remaining
            )
        if self.redacts:
            redactor = Redactor()
            redactor.collect(value)
            redactor.look(self.counts)
            value = redactor.replace(value)
        return change_value(value, self.removal.find_texts)


def plan_removal(
    folder: Path, manifest: Manifest, choice: Choice, lines: Sequence[Path] = ()
) -> Plan:
    """What a choice comes to in this ledger; `lines` are files of answers and received records."""
    if choice.secrets:
        return _plan_secrets(folder, manifest, choice.spares_kept, lines)
    if choice.text is not None:
        literals = Literals(read_literals(choice.text))
        removal = Removal(literals.find, partial(literals.find, are_names=True))
        return Plan(removal, literals.texts)
    return _plan_rows(folder, manifest, choice, lines)


# Secrets ------------------------------------------------------------------------------------------


def _plan_secrets(
    folder: Path, manifest: Manifest, spares_kept: bool, lines: Sequence[Path]
) -> Plan:
    secrets = FoundSecrets()
    texts, names = partial(_find_texts, secrets), partial(_find_names, secrets)
    for path in sorted((folder / STORE).rglob("*.parquet")):
        change_frame(pl.read_parquet(path), texts, names)
    stored = StoredTexts(folder)
    for key in sorted(stored.keys):
        change_texts(stored.read(key), texts, names)
    for path in lines:
        _find_in_lines(path, secrets)
    names([*manifest.inputs, *(entry.path for entry in manifest.inputs.values())])
    certain = {secret for secret in secrets.secrets if _is_unmistakable(secret)}
    literals = Literals(certain)

    def find_both(find: Find, are_names: bool, texts: Collection[str]) -> dict[str, str]:
        by_rules = find(texts)
        changed = {text: by_rules.get(text, text) for text in texts}
        more = literals.find({*changed.values()}, are_names)
        return {
            old: more.get(new, new) for old, new in changed.items() if more.get(new, new) != old
        }

    removal = Removal(
        partial(find_both, partial(_find_texts, None), False),
        partial(find_both, partial(_find_names, None), True),
        redacts=not spares_kept,
        spares_kept=spares_kept,
    )
    uncertain = len(secrets.secrets) - len(certain)
    return Plan(removal, certain, Counter(secrets), redacts=True, not_searched=uncertain)


def _find_texts(secrets: FoundSecrets | None, texts: Collection[str]) -> dict[str, str]:
    return find_changes(texts, secrets, SHORTEST_CUT)


def _find_names(secrets: FoundSecrets | None, names: Collection[str]) -> dict[str, str]:
    return find_changed_names(names, secrets)


def _find_in_lines(path: Path, secrets: FoundSecrets) -> None:
    redactor = Redactor()
    for line in path.read_bytes().splitlines():
        try:
            redactor.collect(msgspec.json.decode(line))
        except (ValueError, RecursionError):
            continue
    redactor.look(secrets)


def _is_unmistakable(secret: str) -> bool:
    """Whether it is what it is wherever it stands: `admin` and `main` are words too."""
    if len(secret) < SHORTEST:
        return False
    return (has_digit(secret) and has_letter(secret) and not is_wordy(secret)) or len(secret) >= 40


# Rows ---------------------------------------------------------------------------------------------


def _plan_rows(folder: Path, manifest: Manifest, choice: Choice, lines: Iterable[Path]) -> Plan:
    ledger = Ledger(folder, manifest)
    columns = ["trajectory_id", "session_id", "project", "parent_id", "source"]
    tables = ("trajectories", f"{HELD}trajectories")
    rows = pl.concat([ledger.scan(t).select(columns).collect() for t in tables]).unique()
    gone = _choose(rows, choice)
    named = choice.session or choice.project or ""
    is_elsewhere = any(named.encode() in path.read_bytes() for path in lines)
    if not gone and not is_elsewhere and not search_folder(folder, [named]).hits:
        kind = "session" if choice.session else "project"
        raise InputError(
            f"{folder}: expected a {kind} {printable(named)!r}, found none. "
            f"`agentdyno export {folder} --table trajectories --to FILE` lists all of them."
        )
    of_gone = pl.col("trajectory_id").is_in(list(gone))
    sources = {*rows.filter(of_gone)["source"]} - {*rows.filter(~of_gone)["source"]}
    inputs = {n for n in manifest.inputs if n in sources or clean_name(n) in sources}
    removal = Removal(_keep, _keep, frozenset(gone), frozenset(inputs), frozenset(sources))
    texts = {named, *_list_cells(ledger, gone), *_quote_texts(folder, manifest, gone)}
    texts |= {text for name in inputs for text in (name, manifest.inputs[name].path)}
    sessions = {s for s in rows.filter(of_gone)["session_id"] if s} | {named}
    keys = {f"{kind}:{name}" for kind in ("session", "trace") for name in sessions}
    long_texts = {text for text in texts if len(text) >= SHORTEST}
    return Plan(removal, long_texts, keys=frozenset(find_connected(lines, keys)))


def _keep(texts: Collection[str]) -> dict[str, str]:
    return {}


def _choose(rows: pl.DataFrame, choice: Choice) -> set[str]:
    """The trajectories that are asked for, and the sub-agents that they started."""
    if choice.session is not None:
        matches = (pl.col("session_id") == choice.session) | (
            pl.col("trajectory_id") == choice.session
        )
    else:
        folder = (choice.project or "").rstrip("/\\")
        last = pl.col("project").str.strip_chars_end("/\\").str.split("/").list.last()
        matches = pl.col("project").str.strip_chars_end("/\\").eq(folder) | last.eq(folder)
    selected = rows.filter(matches.fill_null(False))
    gone = {*selected["trajectory_id"]}
    sessions = [name for name in selected["session_id"].unique() if name]
    if choice.session is None:  # A sub-agent may not say where it works.
        gone |= {*rows.filter(pl.col("session_id").is_in(sessions))["trajectory_id"]}
    # A sub-agent of a session that stays was started there, too.
    other = ~pl.col("trajectory_id").is_in(list(gone)) & pl.col("parent_id").is_null()
    is_theirs = pl.col("session_id").is_in(rows.filter(other)["session_id"].drop_nulls().implode())
    children = rows.filter(~is_theirs.fill_null(False))
    while more := {*children.filter(pl.col("parent_id").is_in(list(gone)))["trajectory_id"]} - gone:
        gone |= more
    return gone


def _list_cells(ledger: Ledger, gone: Collection[str]) -> Iterator[str]:
    """Every text in the rows that go."""
    for table in (*TABLES, *(name for name in DERIVED if ledger.has(name))):
        rows = ledger.scan(table).collect()
        if "trajectory_id" in rows.columns:
            cells = rows.filter(pl.col("trajectory_id").is_in(list(gone)))
            yield from _cells(cells)


def _cells(rows: pl.DataFrame) -> Iterator[str]:
    for column in rows.select(pl.col(pl.String)).iter_columns():
        yield from column.drop_nulls().unique().to_list()


def _quote_texts(folder: Path, manifest: Manifest, gone: Collection[str]) -> Iterator[str]:
    """A line of every kept text that goes."""
    for trajectory in _read_stored(folder, manifest):
        if trajectory.trajectory_id in gone:
            for text in _texts_of(trajectory):
                yield max(text.splitlines(), key=len, default="").strip()[:LONGEST_QUOTE]


def _texts_of(trajectory: Trajectory) -> Iterator[str]:
    yield from (part.text for part in trajectory.parts)
    yield from (call.arguments for call in trajectory.calls)


def _read_stored(
    folder: Path, manifest: Manifest, only_with_secrets: bool = False
) -> Iterator[Trajectory]:
    stored = StoredTexts(folder)
    for volume, entry in manifest.volumes.items() if stored.keys else ():
        if keeps_secrets(entry.making) or not only_with_secrets:
            for piece in entry.pieces:
                if (key := text_key(manifest, volume, piece)) in stored.keys and key is not None:
                    yield from stored.read(key)


def _read_kept(folder: Path, manifest: Manifest, only_with_secrets: bool) -> Iterator[str]:
    """Every text that stays."""
    ledger = Ledger(folder, manifest)
    for table in (*TABLES, *(name for name in DERIVED if ledger.has(name))):
        for volume, entry in manifest.volumes.items():
            if keeps_secrets(entry.making) or not only_with_secrets:
                is_derived = table in DERIVED
                scan = ledger.scan_derived if is_derived else ledger.scan_volume
                yield from _cells(scan(table, volume).collect())
    for name, known in manifest.inputs.items():
        yield from (name, known.path)
    yield msgspec.json.encode(manifest.options).decode()
    for trajectory in _read_stored(folder, manifest, only_with_secrets):
        yield from _texts_of(trajectory)


def _find_in(texts: Iterable[str], needles: Collection[str]) -> set[str]:
    """Which of the needles stand in the texts."""
    patterns, names = list(needles), set[str]()
    series = pl.Series([*texts], dtype=pl.String, strict=False)
    if patterns and len(series):
        every = series.str.extract_many(patterns, overlapping=True)
        names.update(every.explode().drop_nulls().unique().to_list())
    return names
