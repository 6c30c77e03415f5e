"""Which lines of a commit an edit wrote, by what they say.

1. *The same line.* A line of the commit is one that a session wrote before it into that file, or,
   where at least three lines in a row come from one session, into another (moved). Of several
   sessions the one that explains most of the commit has the line, and of about equals the last to
   write. An edit's line counts once in a commit.
2. *Another layout, or partly kept.* What is left is compared by words, four in a row, over the ends
   of lines: a line of the commit is of an edit where half of its words lie in such rows, and so is
   the edit's line.

Time decides nothing but what cannot be: an edit cannot be in a commit that was made before it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from agentdyno.matching.edits import line_key, line_words
from agentdyno.studies.shipped.history import Commit, FileChange
from agentdyno.studies.shipped.work import Line, SessionEdit

SLACK_SECONDS = 60.0
"""Clocks of two machines differ by so much at most."""
ABOUT_EQUAL = 0.9
MOVED_ROW = 3
"""Lines in a row that show that text was moved from another file…"""
MOVED_CHARACTERS = 40
"""…with so many characters in all, in lines that are not everywhere."""
COMMON = 3
"""A line that was written into so many files, or so often by one edit, is everywhere."""
WORDS = 4
"""In a row, to be the same text."""
HALF = 0.5
MOST_CANDIDATES = 400
"""Lines of one wording that are looked at, the last written."""


class Match(Struct, frozen=True):
    """A line of a commit and where it comes from."""

    change: int
    """The file, by its place among the commit's changes."""
    row: int
    """The line, by its place among those that were added there, or taken out."""
    line: int
    """The line that an edit wrote."""


class LineIndex:
    """The lines that sessions wrote, to be looked up."""

    def __init__(self, edits: Sequence[SessionEdit], lines: Sequence[Line]) -> None:
        self._edits, self._lines = edits, lines
        self._by_key: dict[tuple[bool, str], list[int]] = defaultdict(list)
        self._by_path: dict[str, list[int]] = defaultdict(list)
        self._of_edit: dict[int, list[int]] = defaultdict(list)
        for place, line in enumerate(lines):
            self._by_key[line.is_removed, line.key].append(place)
            self._of_edit[line.edit].append(place)
        for place, edit in enumerate(edits):
            self._by_path[edit.path].append(place)
        self._common: dict[str, bool] = {}
        self._rows: dict[int, tuple[list[int], dict[tuple[str, ...], list[int]]]] = {}

    def match(self, commit: Commit) -> list[Match]:
        """Where the lines of a commit come from; those of nobody are left out."""
        found: dict[tuple[int, int], int] = {}
        self._match_equal(commit, found)
        matches = [Match(change, row, line) for (change, row), line in found.items()]
        for place, change in enumerate(commit.changes):
            rest = self._match_words(commit, place, change, found)
            matches += rest
        return [*matches, *self._match_removed(commit)]

    # The same line ------------------------------------------------------------------------------

    def _match_equal(self, commit: Commit, found: dict[tuple[int, int], int]) -> None:
        offers: dict[str, dict[tuple[int, int], list[int]]] = defaultdict(dict)
        sizes: dict[tuple[int, int], int] = {}
        distinct_size: dict[tuple[int, int], int] = {}
        for place, change in enumerate(commit.changes):
            for row, text in enumerate(change.added):
                key = line_key(text)
                sizes[place, row] = len(key)
                distinct_size[place, row] = 0 if self._is_common(key) else len(key)
                for line in self._candidates(key, commit.at):
                    edit = self._edits[self._lines[line].edit]
                    offers[edit.session].setdefault((place, row), []).append(line)
        for session, rows in offers.items():
            self._drop_lone(commit, rows, distinct_size)
            if not rows:
                offers[session] = {}
        used = set[int]()
        while offers:
            worth = {
                session: sum(sizes[at] for at in rows if at not in found)
                for session, rows in offers.items()
            }
            most = max(worth.values())
            if not most:
                return
            near = [session for session, each in worth.items() if each >= ABOUT_EQUAL * most]
            best = max(near, key=lambda session: (self._last(offers[session]), worth[session]))
            for at, lines in sorted(offers.pop(best).items()):
                free = [line for line in lines if line not in used]
                if at not in found and free:
                    path = commit.changes[at[0]].path
                    found[at] = max(
                        free, key=lambda line: (self._is_in(line, path), self._when(line), -line)
                    )
                    used.add(found[at])

    def _candidates(self, key: str, at: float) -> Iterator[int]:
        for line in self._by_key.get((False, key), [])[-MOST_CANDIDATES:]:
            edited_at = self._edits[self._lines[line].edit].at
            if edited_at is None or edited_at <= at + SLACK_SECONDS:
                yield line

    def _drop_lone(
        self,
        commit: Commit,
        rows: dict[tuple[int, int], list[int]],
        sizes: dict[tuple[int, int], int],
    ) -> None:
        """Lines from other files count in a row only: one alone is by chance."""
        elsewhere = {
            at for at, lines in rows.items()
            if not any(self._is_in(line, commit.changes[at[0]].path) for line in lines)
        }  # fmt: skip
        run: list[tuple[int, int]] = []
        for at in [*sorted(elsewhere), (-1, -1)]:
            if run and not self._goes_on(rows, run[-1], at):
                if len(run) < MOVED_ROW or sum(sizes[each] for each in run) < MOVED_CHARACTERS:
                    for each in run:
                        del rows[each]
                run = []
            run.append(at)

    def _goes_on(
        self, rows: dict[tuple[int, int], list[int]], one: tuple[int, int], other: tuple[int, int]
    ) -> bool:
        """Whether two lines follow each other in the commit, and in an edit too."""
        if (one[0], one[1] + 1) != other:
            return False
        before = set(rows[one])
        return any(line - 1 in before for line in rows[other])

    def _is_common(self, key: str) -> bool:
        if key not in self._common:
            lines = self._by_key.get((False, key), [])[-MOST_CANDIDATES:]
            edits = Counter(self._lines[line].edit for line in lines)
            files = {self._edits[edit].path for edit in edits}
            self._common[key] = max(len(files), *edits.values(), 0) >= COMMON
        return self._common[key]

    def _is_in(self, line: int, path: str) -> bool:
        return self._edits[self._lines[line].edit].path == path

    def _when(self, line: int) -> float:
        return self._edits[self._lines[line].edit].at or 0.0

    def _last(self, rows: dict[tuple[int, int], list[int]]) -> float:
        return max((self._when(line) for lines in rows.values() for line in lines), default=0.0)

    # Another layout -----------------------------------------------------------------------------

    def _match_words(
        self, commit: Commit, place: int, change: FileChange, found: dict[tuple[int, int], int]
    ) -> list[Match]:
        words = [(word, row) for row, text in enumerate(change.added) for word in line_words(text)]
        many = Counter(row for _, row in words)
        open_rows = {row for row in many if (place, row) not in found}
        if not open_rows:
            return []
        taken = {line for (file, _), line in found.items() if file == place}
        sources = {self._lines[line].edit for line in taken} | {
            edit for edit in self._by_path.get(change.path, [])
            if (at := self._edits[edit].at) is None or at <= commit.at + SLACK_SECONDS
        }  # fmt: skip
        best: dict[int, tuple[float, int, int]] = {}
        matches: list[Match] = []
        for edit in sorted(sources):
            here, links = self._link(words, edit)
            for row in open_rows & here.keys():
                share = len(here[row]) / many[row]
                line = Counter(links[row]).most_common(1)[0][0]
                if share >= HALF and (share, edit) >= best.get(row, (0.0, 0, 0))[:2]:
                    best[row] = share, edit, line
        for row, (_, edit, line) in best.items():
            matches.append(Match(place, row, line))
            # What was one line may now be several, and the other way round.
            _, links = self._link(words, edit)
            covered = Counter(links[row])
            matches += [
                Match(place, row, other) for other, count in covered.items()
                if other != line and other not in taken
                and count >= HALF * len(line_words(self._lines[other].text))
            ]  # fmt: skip
        return matches

    def _link(
        self, words: list[tuple[str, int]], edit: int
    ) -> tuple[dict[int, set[int]], dict[int, list[int]]]:
        """Of each line of the commit: its words that lie in rows of the edit's words, and the lines
        of the edit that those are in."""
        lines, rows = self._read_rows(edit)
        pairs: dict[int, int] = {}
        for start in range(len(words) - WORDS + 1):
            row = tuple(word for word, _ in words[start : start + WORDS])
            for place in rows.get(row, [])[:4]:
                for step in range(WORDS):
                    pairs.setdefault(start + step, lines[place + step])
        here: dict[int, set[int]] = defaultdict(set)
        links: dict[int, list[int]] = defaultdict(list)
        for word, line in pairs.items():
            here[words[word][1]].add(word)
            links[words[word][1]].append(line)
        return here, links

    def _read_rows(self, edit: int) -> tuple[list[int], dict[tuple[str, ...], list[int]]]:
        if edit not in self._rows:
            words = [(word, line) for line in self._of_edit[edit]
                     if not self._lines[line].is_removed
                     for word in line_words(self._lines[line].text)]  # fmt: skip
            rows: dict[tuple[str, ...], list[int]] = defaultdict(list)
            for start in range(len(words) - WORDS + 1):
                rows[tuple(word for word, _ in words[start : start + WORDS])].append(start)
            self._rows[edit] = [line for _, line in words], rows
        return self._rows[edit]

    # Lines taken out ----------------------------------------------------------------------------

    def _match_removed(self, commit: Commit) -> Iterator[Match]:
        """Lines that an edit took out of the same file, where that is all it did."""
        used = set[int]()
        for place, change in enumerate(commit.changes):
            for row, text in enumerate(change.removed):
                lines = [
                    line for line in self._by_key.get((True, line_key(text)), [])
                    if line not in used and self._is_in(line, change.path)
                    and self._when(line) <= commit.at + SLACK_SECONDS
                ]  # fmt: skip
                if lines:
                    used.add(lines[-1])
                    yield Match(place, row, lines[-1])
