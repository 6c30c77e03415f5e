"""Reads the commits of a git repository, which is hostile: nothing that it holds or names runs.

Four commands that only print objects (`for-each-ref`, `rev-list`, `diff-tree`, `cat-file`) are run
on its folder of objects, never in its work tree. They know no hook, filter, textconv, pager, alias
or external diff; what they do know is turned off: a monitor of files, hooks, replaced objects,
grafts, every protocol by which a missing object could be fetched (a fetch runs what the repository
names), the user's and the system's settings. Lines are compared here and not by git. Submodules,
links and binary files are left out.
"""

import os
import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from agentdyno.matching.edits import new_lines
from agentdyno.records import InputError, printable
from agentdyno.studies.shipped.history import Commit, FileChange, History

LARGEST = 1_000_000
"""Bytes of a file that is compared."""
MOST_COMMITS = 50_000
TOGETHER = 400
"""Commits whose files are held in memory at once."""
SECONDS = 300
"""How long one command may take."""
_OFF = (
    "core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.untrackedCache=false",
    "core.commitGraph=false", "core.alternateRefsCommand=", "core.pager=cat",
    "core.sshCommand=false",
    "core.gitProxy=", "core.attributesFile=", "diff.external=", "protocol.allow=never",
    "credential.helper=", "submodule.recurse=false", "fetch.recurseSubmodules=false",
    "log.showSignature=false", "gc.auto=0", "maintenance.auto=false", "core.bare=true",
)  # fmt: skip
_PULL = (
    re.compile(r"Merge pull request #(\d+)"), re.compile(r"\(#(\d+)\)\s*$"),
    re.compile(r"pull request #(\d+)"), re.compile(r"^Merged PR (\d+)"),
    re.compile(r"See merge request \S*!(\d+)"),
)  # fmt: skip
_MERGED = re.compile(r"Merge (?:remote-tracking )?branch '([^']+)'")
_MODES = ("100644", "100755", "100664")
NOTHING = "0" * 40


class Repository:
    """One repository, read through git."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("git")
        if program is None or not os.path.isabs(program):
            raise InputError("expected the program git, found none. Install git.")
        self._program, self._folder = program, _find_objects(folder)

    def run(self, *words: str, given: str = "") -> bytes:
        """What a command prints."""
        settings = [part for each in _OFF for part in ("-c", each)]
        command = [self._program, "--no-pager", "--no-replace-objects",
                   f"--git-dir={self._folder}", *settings, *words]  # fmt: skip
        try:
            done = subprocess.run(
                command, input=given.encode(), capture_output=True, timeout=SECONDS, check=False,
                cwd=self._folder, env=_environment(),
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"git {words[0]}: {printable(str(error), 200)}.") from error
        if done.returncode:
            message = printable(done.stderr.decode(errors="replace").strip(), 200)
            raise InputError(f"{printable(str(self._folder), 200)}: git {words[0]}: {message}")
        return done.stdout

    def refs(self) -> dict[str, str]:
        """Branches, here and as they were last fetched, by full name."""
        form = "%(objectname) %(objecttype) %(refname)"
        lines = self.run("for-each-ref", f"--format={form}", "refs/heads", "refs/remotes")
        rows = (line.split(" ", 2) for line in lines.decode(errors="replace").splitlines())
        return {name: object for object, kind, name in rows if kind == "commit"}

    def objects(self, names: Iterable[str], largest: int | None = None) -> dict[str, bytes]:
        """What objects hold; those above `largest` bytes are left out."""
        ids = [*dict.fromkeys(names)]
        if largest is not None:
            sizes = self.run("cat-file", "--batch-check", given="\n".join(ids) + "\n")
            rows = (line.split() for line in sizes.decode(errors="replace").splitlines())
            ids = [row[0] for row in rows if len(row) == 3 and int(row[2]) <= largest]
        found: dict[str, bytes] = {}
        for start in range(0, len(ids), 2_000):
            printed = self.run(
                "cat-file", "--batch", given="\n".join(ids[start : start + 2_000]) + "\n"
            )
            found |= _read_batch(printed)
        return found

    def diffs(
        self, pairs: Sequence[tuple[str, str | None]]
    ) -> dict[str, list[tuple[str, str, str]]]:
        """Commit -> path, object before and object after, against the parent that is named."""
        given = "".join(f"{name} {parent}\n" if parent else f"{name}\n" for name, parent in pairs)
        printed = self.run(
            "diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-renames", "--no-abbrev",
            "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", given=given,
        )  # fmt: skip
        return _read_raw(printed)

    def tree(self, commit: str) -> dict[str, str]:
        """Path -> object of the files of a commit."""
        rows = self.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
        split = (row.partition(b"\t") for row in rows if row)
        parts = ((head.decode().split(), path.decode(errors="replace")) for head, _, path in split)
        return {path: object for (mode, _, object), path in parts if mode in _MODES}


def _find_objects(folder: Path) -> Path:
    """The folder that git keeps a repository in."""
    named = folder.expanduser().absolute()
    inside = named / ".git"
    if inside.is_file():  # A work tree beside its repository names it in a file.
        text = inside.read_bytes()[:4_096].decode(errors="replace")
        named = (named / text.removeprefix("gitdir:").strip()).resolve()
        common = named / "commondir"
        return (named / common.read_text().strip()).resolve() if common.is_file() else named
    found = inside if inside.is_dir() else named
    if not (found / "objects").is_dir():
        raise InputError(f"{printable(str(folder), 200)}: expected a git repository, found none.")
    return found


def list_work_trees(folder: Path) -> list[str]:
    """The folders that its files stand in on this machine."""
    named = folder.expanduser().absolute()
    places = [named, named.resolve()]
    files = sorted((_find_objects(folder) / "worktrees").glob("*/gitdir"))
    texts = (file.read_bytes()[:4_096].decode(errors="replace").strip() for file in files)
    places += [Path(text).parent for text in texts]
    return [*dict.fromkeys(place.as_posix().rstrip("/") for place in places)]


def _environment() -> dict[str, str]:
    """Nothing of the user's but where programs are."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
        "GIT_PROTOCOL_FROM_USER": "0", "GIT_GRAFT_FILE": os.devnull, "GIT_PAGER": "cat",
        "GIT_ASKPASS": "", "GIT_EXTERNAL_DIFF": "", "GIT_TRACE2": "0", "HOME": os.devnull,
        "XDG_CONFIG_HOME": os.devnull, "LC_ALL": "C",
    }  # fmt: skip


def _read_batch(printed: bytes) -> dict[str, bytes]:
    found, place = {}, 0
    while place < len(printed):
        end = printed.index(b"\n", place)
        words = printed[place:end].split()
        place = end + 1
        if len(words) == 3:
            size = int(words[2])
            found[words[0].decode()] = printed[place : place + size]
            place += size + 1
    return found


def _read_raw(printed: bytes) -> dict[str, list[tuple[str, str, str]]]:
    """`:100644 100644 before after M\\0path\\0`, under each commit's name."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    rows: list[tuple[str, str, str]] = []
    parts = iter(printed.split(b"\0"))
    for part in parts:
        if not part.startswith(b":"):
            if part:
                rows = found.setdefault(part.decode().strip(), [])
            continue
        old_mode, new_mode, before, after, _ = part[1:].decode().split()
        path = next(parts, b"").decode(errors="replace")
        # What is a link or a submodule on either side is no text.
        before = before if old_mode in _MODES else NOTHING
        after = after if new_mode in _MODES else NOTHING
        if before != after:
            rows.append((path, before, after))
    return found


class _Header:
    """A commit as its object says."""

    def __init__(self, data: bytes) -> None:
        head, _, message = data.partition(b"\n\n")
        lines = head.decode(errors="replace").split("\n")
        self.parents = [line[7:] for line in lines if line.startswith("parent ")]
        stamp = next((line for line in lines if line.startswith("committer ")), "").split()
        self.at = float(stamp[-2]) if len(stamp) > 2 and stamp[-2].isdigit() else 0.0
        self.message = message.decode(errors="replace").strip()
        self.subject = self.message.partition("\n")[0].strip()

    @property
    def pull(self) -> str | None:
        """`#12` of the pull request or merge request that it names."""
        for pattern in _PULL:
            text = self.message if "See merge" in pattern.pattern else self.subject
            if found := pattern.search(text):
                return f"#{found[1]}"
        return None

    @property
    def merged(self) -> str | None:
        """What a merge says that it merged."""
        if (pull := self.pull) is not None:
            return pull
        found = _MERGED.search(self.subject)
        return found[1] if found else None


def read_history(folder: Path, since: float | None = None, main: str | None = None) -> History:
    """The commits of every branch from a moment on."""
    repository = Repository(folder)
    refs = repository.refs()
    if not refs:
        raise InputError(f"{printable(str(folder), 200)}: expected commits, found no branch.")
    chosen = _choose_main(repository, refs, main)
    listed = repository.run(
        "rev-list", "--topo-order", "--reverse", f"--max-count={MOST_COMMITS}", "--stdin",
        given="\n".join(dict.fromkeys(refs.values())) + "\n",
    ).decode().split()  # fmt: skip
    headers = {name: _Header(data) for name, data in repository.objects(listed).items()}
    order = [name for name in listed if name in headers]
    return _Reading(repository, refs, chosen, order, headers).history(since)


def _choose_main(repository: Repository, refs: dict[str, str], main: str | None) -> str:
    """The full name of the main branch: of those of one name the one that is ahead."""
    if main is None:
        names = [name.rsplit("/", 1)[-1] for name in refs]
        main = next(
            (name for name in ("main", "master", "trunk", "develop") if name in names), None
        )
    if main is None:
        heads = [name for name in refs if name.startswith("refs/heads/")]
        return heads[0] if heads else next(iter(refs))
    named = re.compile(rf"refs/(?:heads|remotes/[^/]+)/{re.escape(main)}")
    found = [name for name in refs if named.fullmatch(name)]
    if not found:
        known = ", ".join(printable(name.rsplit("/", 1)[-1], 40) for name in [*refs][:10])
        raise InputError(f"--branch {printable(main, 60)}: no such branch. Known: {known}")
    many = {name: int(repository.run("rev-list", "--count", refs[name])) for name in found}
    return max(found, key=lambda name: (many[name], name.startswith("refs/heads/")))


class _Reading:
    """What is worked out of the commits."""

    def __init__(
        self,
        repository: Repository,
        refs: dict[str, str],
        main: str,
        order: list[str],
        headers: dict[str, _Header],
    ) -> None:
        self._repository, self._refs, self._main = repository, refs, main
        self._order, self._headers = order, headers
        self._texts: dict[str, list[str] | None] = {NOTHING: []}
        self._skipped = 0

    def history(self, since: float | None) -> History:
        """All of it."""
        headers, name = self._headers, self._main.split("/", 2)[-1]
        first = self._first_parents()
        units = self._name_units(first, name)
        on_main = set(units)
        self._name_branches(units)
        single = [n for n in self._order if len(headers[n].parents) < 2]
        chosen = [n for n in single if since is None or headers[n].at >= since]
        diffs = self._diff(single)
        commits: list[Commit] = []
        for start in range(0, len(chosen), TOGETHER):
            some = chosen[start : start + TOGETHER]
            self._load(object for n in some for _, *pair in diffs.get(n, ()) for object in pair)
            commits += [
                Commit(
                    name=n, subject=headers[n].subject, at=headers[n].at, on_main=n in on_main,
                    unit=units.get(n, name), changes=[*self._compare(diffs.get(n, []))],
                )
                for n in some
            ]  # fmt: skip
            self._texts = {NOTHING: []}
        self._keep_versions(single, diffs, first)
        return History(
            main=name,
            commits=commits,
            paths=frozenset(path for rows in diffs.values() for path, *_ in rows),
            skipped=self._skipped,
            read_at=max((headers[n].at for n in first), default=0.0),
            lines_before=lambda path, at: self._lines_at(self._anywhere, path, at),
            lines_on_main=lambda path, at: self._lines_at(self._on_main, path, at) or (),
        )

    def _diff(self, names: list[str]) -> dict[str, list[tuple[str, str, str]]]:
        """Against the first parent; a commit whose parent is not here (a shallow copy) says
        nothing of what it changed."""
        parents = {name: next(iter(self._headers[name].parents), None) for name in names}
        return self._repository.diffs([
            (name, parent) for name, parent in parents.items()
            if parent is None or parent in self._headers
        ])  # fmt: skip

    def _first_parents(self) -> list[str]:
        """The main branch from its beginning."""
        chain, name = list[str](), self._refs[self._main]
        while name in self._headers:
            chain.append(name)
            name = next(iter(self._headers[name].parents), "")
        return chain[::-1]

    def _name_units(self, first: list[str], main: str) -> dict[str, str]:
        """Commits of the main branch, each with what brought it there."""
        units: dict[str, str] = {}
        for name in first:
            header = self._headers[name]
            units[name] = header.pull or main
            waiting, merged = header.parents[1:], header.merged or main
            while waiting:
                each = waiting.pop()
                if each not in units and each in self._headers:
                    units[each] = merged
                    waiting += self._headers[each].parents
        return units

    def _name_branches(self, units: dict[str, str]) -> None:
        """The rest by the branch that holds it; of several, one of this machine first."""
        for name in sorted(self._refs, key=lambda name: (not name.startswith("refs/heads/"), name)):
            waiting = [self._refs[name]]
            while waiting:
                each = waiting.pop()
                if each not in units and each in self._headers:
                    units[each] = name.split("/", 2)[-1]
                    waiting += self._headers[each].parents

    def _load(self, objects: Iterable[str]) -> None:
        missing = {object for object in objects if object not in self._texts}
        found = self._repository.objects(missing, LARGEST)
        for object in missing:
            data = found.get(object)
            self._texts[object] = None if data is None or b"\0" in data[:8_000] else (
                data.decode(errors="replace").splitlines()
            )  # fmt: skip

    def _compare(self, rows: list[tuple[str, str, str]]) -> Iterator[FileChange]:
        for path, old, new in rows:
            before, after = self._texts[old], self._texts[new]
            if before is None or after is None:
                self._skipped += 1
                continue
            added, removed = new_lines(before, after), new_lines(after, before)
            if added or removed:
                yield FileChange(path, added, removed)

    def _keep_versions(
        self, single: list[str], diffs: dict[str, list[tuple[str, str, str]]], first: list[str]
    ) -> None:
        """Path -> moments and objects: on any branch, and on the main branch, merges included."""
        self._anywhere: dict[str, list[tuple[float, str]]] = {}
        self._on_main: dict[str, list[tuple[float, str]]] = {}
        for names, rows, kept in (
            (single, diffs, self._anywhere), (first, self._diff(first), self._on_main),
        ):  # fmt: skip
            for name in sorted(names, key=lambda name: self._headers[name].at):
                for path, _, after in rows.get(name, ()):
                    kept.setdefault(path, []).append((self._headers[name].at, after))

    def _lines_at(
        self, versions: dict[str, list[tuple[float, str]]], path: str, at: float
    ) -> list[str] | None:
        known = versions.get(path, [])
        until = bisect_right(known, at, key=lambda version: version[0])
        object = known[until - 1][1] if until else NOTHING
        if object == NOTHING:
            return None
        self._load([object])
        return self._texts[object]
