"""A repository whose commits come from 30 sessions, and which line of which session is in which.

Every session writes invented code by the tools of Claude Code; what a person then did to it is
scripted: merged, squashed, rebased, put into another layout, half kept, moved to another file, left
on a branch or thrown away. Some lines are in every session's code, as they are in anybody's.
"""

import json
import os
import random
import re
import subprocess
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path

MODEL = "claude-opus-4-5-20251101"
START = 1_767_600_000.0
NOUNS = (
    "order", "basket", "price", "voucher", "stock", "invoice", "customer", "refund", "parcel",
    "label", "route", "driver", "depot", "rate", "tariff", "ledger", "entry", "batch", "queue",
    "token", "session", "index", "record", "field", "column", "chart",
)  # fmt: skip
VERBS = ("load", "save", "merge", "split", "check", "count", "parse", "render", "pack", "find")
COMMON = ("    if not items:", "        return None", "    result = []", "    return result",
          "    for item in items:", "        continue")  # fmt: skip


class Code:
    """Invents code."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.many = 0

    def function(self) -> list[str]:
        self.many += 1
        pick = self.random.choice
        a, b, c = (pick(NOUNS) for _ in range(3))
        lines = [f"def {pick(VERBS)}_{a}_{self.many}(items, {b}, {c}='{pick(NOUNS)}'):"]
        lines += self.random.sample(COMMON, self.random.randint(1, 4))
        for _ in range(self.random.randint(4, 10)):
            x, y = pick(NOUNS), pick(NOUNS)
            number = self.random.randint
            lines.append(self.random.choice((
                f"    {x}_{number(1, 99)} = {pick(VERBS)}_{y}({b}, {c}, '{x}', {number(2, 999)})",
                f"    result.append(({x}, {b}.{y}, '{pick(NOUNS)} {pick(NOUNS)} {number(1, 99)}'))",
                f"    if {b}.{x} > {number(1, 9999)} and {c} != '{y}':",
                f"        {b}.{x} = {pick(VERBS)}_{x}({c}) + {number(1, 99)}",
            )))  # fmt: skip
        return lines

    def module(self, functions: int) -> list[str]:
        return ["import json", "from pathlib import Path", ""] + [
            line for _ in range(functions) for line in (*self.function(), "")
        ]


def lay_out(lines: list[str]) -> list[str]:
    """As a formatter would: double quotes, long calls over several lines, other indents."""
    found = []
    for line in lines:
        line = line.replace("'", '"')
        call = re.fullmatch(r"(\s*)(.*?\()(.{24,})(\))", line)
        if call and call[3].count("(") == call[3].count(")"):
            inner = [f"{call[1]}    {part.strip()}," for part in call[3].split(", ")]
            found += [f"{call[1]}{call[2]}", *inner, f"{call[1]})"]
        else:
            found.append(line)
    return found


class Script:
    """Sessions and commits, made in order."""

    def __init__(self, folder: Path, seed: int = 20261119) -> None:
        self.repo, self.traces = folder / "shop", folder / "traces"
        self.traces.mkdir(parents=True)
        self.code, self.now, self.many = Code(seed), START, 0
        self.truth: dict[str, Counter[str | None]] = defaultdict(Counter)
        """Session -> what became of its lines; a commit is named by its subject."""
        self.money: dict[str, list[tuple[int, list[str | None]]]] = defaultdict(list)
        """Session -> the last turn of each stretch, and what became of the lines it paid for."""
        self.git("init", "-q", "-b", "main", str(self.repo), inside=False)
        for name in ("core", "extra", "legacy"):
            self.write(f"src/{name}.py", self.code.module(6))
        self.commit("Begin")

    # Git ------------------------------------------------------------------------------------------

    def git(self, *words: str, inside: bool = True) -> str:
        stamp = f"{self.now:.0f} +0000"
        environment = {
            "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_EDITOR": "true",
            "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp, "HOME": os.devnull,
        }  # fmt: skip
        where = ["-C", str(self.repo)] if inside else []
        done = subprocess.run(
            ["git", *where, *words], capture_output=True, env=environment, check=True
        )
        return done.stdout.decode()

    def commit(self, subject: str) -> None:
        self.now += 600
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def branch(self, name: str) -> None:
        self.git("checkout", "-q", "-b", name, "main")

    def merge(self, name: str, pull: int) -> None:
        self.now += 600
        self.git("checkout", "-q", "main")
        self.git(
            "merge", "-q", "--no-ff", "-m", f"Merge pull request #{pull} from ada/{name}", name
        )
        self.git("branch", "-D", name)

    def squash(self, name: str, subject: str) -> None:
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--squash", name)
        self.commit(subject)

    def rebase(self, name: str) -> None:
        self.now += 600
        self.git("checkout", "-q", name)
        self.git("rebase", "-q", "main")
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--ff-only", name)
        self.git("branch", "-D", name)

    def write(self, path: str, lines: list[str]) -> None:
        file = self.repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")

    def read(self, path: str) -> list[str]:
        return (self.repo / path).read_text().splitlines()

    # Sessions -------------------------------------------------------------------------------------

    def session(self, *edits: tuple[str, dict[str, object]], talk: int = 1) -> str:
        """Each edit in a turn of its own after one that reads; the files are as the edits leave
        them."""
        self.many += 1
        name = f"{self.many:08x}-scripted"
        lines, turn, parent = [], 0, None

        def add(kind: str, content: object, **more: object) -> None:
            nonlocal parent
            self.now += 20
            stamp = datetime.fromtimestamp(self.now, UTC).isoformat(timespec="milliseconds")
            own = f"{name}-{len(lines):04d}"
            lines.append({
                "type": kind, "uuid": own, "parentUuid": parent, "sessionId": name,
                "cwd": str(self.repo), "gitBranch": "main", "isSidechain": False,
                "timestamp": stamp.replace("+00:00", "Z"),
                "message": {"role": kind, "content": content, **more},
            })  # fmt: skip
            parent = own

        def answer(content: list[dict[str, object]]) -> None:
            nonlocal turn
            usage = {
                "input_tokens": 3, "output_tokens": self.code.random.randint(50, 4_000),
                "cache_read_input_tokens": self.code.random.randint(0, 90_000),
                "cache_creation_input_tokens": self.code.random.randint(500, 20_000),
            }  # fmt: skip
            add("assistant", content, id=f"msg_{name}_{turn}", model=MODEL, usage=usage,
                stop_reason="tool_use")  # fmt: skip
            turn += 1

        def call(tool: str, given: dict[str, object]) -> None:
            answer([{"type": "tool_use", "id": f"call_{turn}", "name": tool, "input": given}])
            add(
                "user",
                [{"type": "tool_result", "tool_use_id": f"call_{turn - 1}", "content": "ok"}],
            )

        add("user", f"Task {self.many}: please change the shop.")
        for tool, given in edits:
            call("Grep", {"pattern": "def ", "path": str(self.repo)})
            call(tool, given)
        for _ in range(talk):
            answer([{"type": "text", "text": "Done."}])
        (self.traces / f"{name}.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in lines)
        )
        return name

    def writing(self, path: str, lines: list[str]) -> tuple[str, dict[str, object]]:
        """The call that writes a file."""
        return "Write", {"file_path": str(self.repo / path), "content": "\n".join(lines) + "\n"}

    def replacing(self, path: str, old: list[str], new: list[str]) -> tuple[str, dict[str, object]]:
        """The call that replaces lines of one."""
        return "Edit", {"file_path": str(self.repo / path),
                        "old_string": "\n".join(old), "new_string": "\n".join(new)}  # fmt: skip

    def new_file(self, path: str, functions: int = 4) -> tuple[str, list[str], list[str]]:
        """A session that writes a file."""
        lines = self.code.module(functions)
        name = self.session(self.writing(path, lines))
        self.write(path, lines)
        return name, lines, lines

    def addition(self, path: str, functions: int = 2) -> tuple[str, list[str]]:
        """A session that adds functions behind another of a file."""
        old = next(line for line in reversed(self.read(path)) if line.startswith("def "))
        new = [line for _ in range(functions) for line in (*self.code.function(), "")]
        name = self.session(self.replacing(path, [old], [*new, old]))
        self.write(path, [each for line in self.read(path)
                          for each in ([*new, line] if line == old else [line])])  # fmt: skip
        return name, new

    def expect(self, session: str, lines: list[str], became: str | None, turn: int = 99) -> None:
        """What became of lines of a session, paid for by turns up to one."""
        worded = [became for line in lines if re.search(r"\w", line)]
        self.truth[session].update(worded)
        for row in self.money[session]:
            if row[0] == turn:
                row[1].extend(worded)
                return
        self.money[session].append((turn, worded))


def write_repository(folder: Path, seed: int = 20261119) -> Script:
    """All of it; 30 sessions."""
    s = Script(folder, seed)
    _merged(s)
    _squashed(s)
    _rebased(s)
    _laid_out(s)
    _half_kept(s)
    _moved(s)
    _thrown_away(s)
    _others(s)
    s.now += 20 * 86_400
    s.write("src/later.py", s.code.module(1))
    s.commit("Much later, by hand")
    assert s.many == 30
    return s


def _merged(s: Script) -> None:
    for pull in (1, 2, 3):
        s.branch(f"feature-{pull}")
        name, lines, _ = s.new_file(f"src/part_{pull}.py")
        s.commit(f"Part {pull}")
        s.expect(name, lines, f"Part {pull}")
        other, more = s.addition("src/core.py")
        s.commit(f"Core for part {pull}")
        s.expect(other, more, f"Core for part {pull}")
        s.merge(f"feature-{pull}", pull)


def _squashed(s: Script) -> None:
    for pull in (4, 5):
        s.branch(f"squashed-{pull}")
        name, lines, _ = s.new_file(f"src/squashed_{pull}.py", 3)
        s.commit(f"wip {pull}")
        other, more = s.addition("src/extra.py", 3)
        s.commit(f"wip again {pull}")
        subject = f"Squashed work (#{pull})"
        s.expect(name, lines, subject)
        s.expect(other, more, subject)
        s.squash(f"squashed-{pull}", subject)


def _rebased(s: Script) -> None:
    for number in (1, 2):
        s.branch(f"rebased-{number}")
        name, lines, _ = s.new_file(f"src/rebased_{number}.py")
        s.commit(f"Rebased {number}")
        s.expect(name, lines, f"Rebased {number}")
        s.git("checkout", "-q", "main")
        s.write(f"src/human_{number}.py", s.code.module(2))
        s.commit(f"By hand {number}")
        s.rebase(f"rebased-{number}")


def _laid_out(s: Script) -> None:
    for number in (1, 2, 3):
        name, lines, _ = s.new_file(f"src/laid_out_{number}.py")
        s.write(f"src/laid_out_{number}.py", lay_out(lines))
        s.commit(f"Laid out {number}")
        s.expect(name, lines, f"Laid out {number}")


def _half_kept(s: Script) -> None:
    for number in (1, 2, 3):
        path = f"src/half_{number}.py"
        name, lines, _ = s.new_file(path, 6)
        kept: list[str] = []
        for line in lines:
            drawn = s.code.random.random()
            if drawn < 0.4:
                s.expect(name, [line], None)
                continue
            s.expect(name, [line], f"Half kept {number}")
            words = re.findall(r"[a-z]{4,}", line)
            kept.append(line.replace(words[-1], "changed", 1) if drawn > 0.85 and words else line)
        s.write(path, kept)
        s.commit(f"Half kept {number}")


def _moved(s: Script) -> None:
    for number in (1, 2):
        name, lines, _ = s.new_file(f"src/draft_{number}.py", 3)
        (s.repo / f"src/draft_{number}.py").unlink()
        s.write(f"src/home_{number}.py", [*s.code.module(1), *lines[2:]])
        s.commit(f"Moved {number}")
        s.expect(name, lines, f"Moved {number}")


def _thrown_away(s: Script) -> None:
    for number in (1, 2):
        name, lines, _ = s.new_file(f"src/thrown_{number}.py")
        (s.repo / f"src/thrown_{number}.py").unlink()
        s.expect(name, lines, None)
    # Tried, thrown away, and done again with one function that is the same.
    name, first, _ = s.new_file("src/again.py", 3)
    s.expect(name, first, None)
    second = [*first[:12], *s.code.module(3)[2:]]
    again = s.session(s.writing("src/again.py", second))
    s.write("src/again.py", second)
    s.commit("Done again")
    s.expect(again, second, "Done again")


def _others(s: Script) -> None:
    s.branch("never-merged")
    name, lines, _ = s.new_file("src/branch_only.py")
    s.commit("On a branch")
    s.expect(name, lines, "On a branch")
    s.git("checkout", "-q", "main")

    s.session(talk=6)  # It asks, and writes nothing.

    # It replaces its own work, in the file that the line before stands in.
    draft, final = s.code.function(), s.code.function()
    head = ["import json"]
    name = s.session(
        s.writing("src/reworked.py", [*head, *draft]),
        s.replacing("src/reworked.py", draft, final),
    )
    s.write("src/reworked.py", [*head, *final])
    s.commit("Reworked")
    s.expect(name, [*head, *final], "Reworked")

    # Two tasks in one session, committed one by one.
    one, two = s.code.module(2), s.code.module(3)
    name = s.session(s.writing("src/one.py", one), s.writing("src/two.py", two))
    s.write("src/one.py", one)
    s.commit("Task one")
    s.write("src/two.py", two)
    s.commit("Task two")
    s.expect(name, one, "Task one", 1)
    s.expect(name, two, "Task two", 99)

    # It takes a function out and writes nothing.
    old = s.read("src/legacy.py")
    start = next(place for place, line in enumerate(old) if line.startswith("def "))
    taken = old[start : old.index("", start)]
    name = s.session(s.replacing("src/legacy.py", taken, []))
    s.write("src/legacy.py", [line for line in old if line not in taken])
    s.commit("Take a function out")
    s.expect(name, taken, "Take a function out")

    # By a shell.
    lines = s.code.module(3)
    text = "\n".join(lines)
    command = f"mkdir -p src && cat > src/by_shell.py <<'EOF'\n{text}\nEOF"
    name = s.session(("Bash", {"command": command}))
    s.write("src/by_shell.py", lines)
    s.commit("By a shell")
    s.expect(name, lines, "By a shell")
