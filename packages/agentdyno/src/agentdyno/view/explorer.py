"""What the page can ask: one method for every address under `/api`.

Takes the folders of one ledger or two and the words of a request, returns plain values. Knows
nothing of HTTP. Each answer comes from one generation.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from agentdyno.records import InputError
from agentdyno.view.advice import list_levers
from agentdyno.view.difference import compare_ledgers, compare_sessions
from agentdyno.view.finding_list import list_found
from agentdyno.view.first_page import describe_first_page, list_origins, read_query
from agentdyno.view.search import Hit, TextIndex, display_hit, is_searchable
from agentdyno.view.session import describe_session
from agentdyno.view.session_list import (
    GROUPINGS,
    ListQuery,
    list_names,
    list_sessions,
    root_of,
    sessions_of,
)
from agentdyno.view.snapshot import Newest, Snapshot
from agentdyno.view.spent import list_calls_about, list_spent
from agentdyno.view.trace_texts import read_texts

Asked = Mapping[str, str]
SECONDS_BETWEEN_INDEXES = 60.0
"""A ledger that changes all the time is not read anew with every search."""
HITS_OF_SESSION = 3


class Explorer:
    """One ledger, or two to compare."""

    def __init__(self, ledger: Path, other: Path | None = None) -> None:
        self._ledgers = {"a": Newest(ledger)} | ({"b": Newest(other)} if other else {})
        self._index: TextIndex | None = None
        self._indexed_at = 0.0
        self._lock = Lock()

    def open(self, query: Asked, side: str = "ledger") -> Snapshot:
        """The newest generation of the ledger that a request names."""
        name = query.get(side, "a")
        if name not in self._ledgers:
            raise InputError("expected ledger a, or b where agentdyno view was given --against.")
        return self._ledgers[name].open()

    def count_sessions(self) -> int:
        """How many there are."""
        return len(sessions_of(self.open({})))

    def warm_up(self) -> None:
        """Works out what the first views share, before anybody asks for it."""
        self.first({})
        first = list_sessions(self.open({}), ListQuery(limit=1))["rows"]
        if first:
            describe_session(self.open({}), first[0]["id"])
        for group in GROUPINGS:
            list_sessions(self.open({}), ListQuery(limit=1, group=group))

    def state(self, query: Asked) -> dict[str, Any]:
        """Which generation is the newest, and which ledgers there are."""
        names = {side: ledger.folder.name for side, ledger in self._ledgers.items()}
        return {"generation": self._ledgers["a"].find_number(), "ledgers": names}

    def first(self, query: Asked) -> dict[str, Any]:
        """Spending by day, who spent it, and what runs now."""
        return describe_first_page(self.open(query), read_query(dict(query)))

    def origins(self, query: Asked) -> dict[str, Any]:
        """Where the money went, by where the tokens come from."""
        return list_origins(self.open(query))

    def sessions(self, request: Asked) -> dict[str, Any]:
        """A page of the list, with places in texts that have the words."""
        snapshot, query = self.open(request), _read_query(request)
        index = self._open_index(snapshot) if is_searchable(query.q) else None
        # Before the search: what comes in while it runs is found the next time.
        texts = _describe_index(index)
        hits = index.search(query.q) if index else []
        sessions = list_sessions(snapshot, query, {hit.trajectory for hit in hits})
        by_session: dict[str, list[Hit]] = {}
        for hit in hits:
            by_session.setdefault(root_of(snapshot, hit.trajectory), []).append(hit)
        for row in sessions["rows"]:
            session_hits = by_session.get(row["id"], [])[:HITS_OF_SESSION]
            row["hits"] = [display_hit(hit, query.q) for hit in session_hits]
        return sessions | {"texts": texts}

    def names(self, query: Asked) -> dict[str, Any]:
        """What filters offer."""
        return list_names(self.open(query))

    def session(self, query: Asked) -> dict[str, Any]:
        return describe_session(self.open(query), _need(query, "id"))

    def texts(self, query: Asked) -> dict[str, Any]:
        """Excerpts of some turns."""
        first, stop = _whole(query, "first", 0), _whole(query, "stop", 0)
        return read_texts(self.open(query), _need(query, "id"), first, stop)

    def spent(self, query: Asked) -> dict[str, Any]:
        """Files and commands."""
        return list_spent(self.open(query))

    def calls(self, query: Asked) -> dict[str, Any]:
        """Calls about one of them."""
        return list_calls_about(self.open(query), _need(query, "kind"), _need(query, "name"))

    def levers(self, query: Asked) -> dict[str, Any]:
        """What to change."""
        return list_levers(self.open(query))

    def difference(self, query: Asked) -> dict[str, Any]:
        """Two sessions, or two ledgers."""
        if "one" not in query:
            return compare_ledgers(self.open({}), self.open({"ledger": "b"}))
        a, b = self.open(query, "a"), self.open({"b": query.get("b", "a")}, "b")
        return compare_sessions(a, query["one"], b, _need(query, "other"))

    def findings(self, query: Asked) -> dict[str, Any]:
        """What detectors and checks found."""
        is_unproven = query.get("unproven") == "1"
        offset = _whole(query, "offset", 0)
        return list_found(self.open(query), query.get("kind", ""), is_unproven, offset)

    def close(self) -> None:
        """Removes what was kept for searching."""
        if self._index:
            self._index.close()

    def _open_index(self, snapshot: Snapshot) -> TextIndex:
        with self._lock:
            is_old = time.monotonic() - self._indexed_at > SECONDS_BETWEEN_INDEXES
            if self._index and self._index.generation != snapshot.generation and is_old:
                self._index.close()
                self._index = None
            if self._index is None:
                self._index, self._indexed_at = TextIndex(snapshot), time.monotonic()
            return self._index


def _read_query(query: Asked) -> ListQuery:
    fields = set(ListQuery.__struct_fields__) - {"filters"}
    plain: dict[str, Any] = {key: value for key, value in query.items() if key in fields and value}
    plain["filters"] = {name: query[name] for name in GROUPINGS if name in query}
    return msgspec.convert(plain, ListQuery, strict=False)


def _describe_index(index: TextIndex | None) -> dict[str, Any] | None:
    if index is None:
        return None
    return {
        "read": index.read_trajectories,
        "is_complete": index.is_complete,
        "missing": index.missing_inputs,
    }


def _need(query: Asked, name: str) -> str:
    if name not in query:
        raise InputError(f"expected {name} in the address, found none.")
    return query[name]


def _whole(query: Asked, name: str, default: int) -> int:
    return msgspec.convert(query.get(name, default), int, strict=False)
