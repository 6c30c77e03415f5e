"""Makes the outputs in README and guides from a run.

    python tools/run_guides.py            rewrites what a run prints otherwise
    python tools/run_guides.py --check    exits with 1 and names the pages instead

A block after a line `<!-- run -->` is run: its lines that begin with `$ ` in a folder of its own
with the examples in it and the ledger `demo-ledger` of `examples/week`, on a machine without
sessions and in UTC.
A line `…` stands for any lines of an output up to one that begins as the next line does.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
_BLOCK = re.compile(r"(?<=<!-- run -->\n```console\n).*?(?=\n```)", re.DOTALL)
WEEK = "agentdyno measure examples/week --out demo-ledger"
FIVE = "python examples/five_papers.py"
ANCHOR = 10
"""Characters in which a line after `…` must begin alike."""


def main(options: list[str]) -> int:
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        room = _furnish(Path(folder))
        for page in PAGES:
            text = page.read_text("utf-8")
            made = _BLOCK.sub(lambda found: run_block(found[0], room), text)
            if made != text:
                stale.append(page)
                if "--check" not in options:
                    page.write_text(made, "utf-8")
    for page in stale:
        print(f"{page.relative_to(ROOT)}: what it prints has changed; python tools/run_guides.py")
    return 1 if stale and "--check" in options else 0


def _furnish(room: Path) -> Path:
    shutil.copytree(ROOT / "examples", room / "examples")
    _run(WEEK, room)
    return room


def run_block(block: str, room: Path) -> str:
    """The block with what its commands print now."""
    made: list[str] = []
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        command, *written = part.rstrip("\n").split("\n")
        if command == "$ make demo":
            printed = _run(FIVE, room)
        elif command == "$ make week":
            shutil.rmtree(room / "demo-ledger", ignore_errors=True)
            printed = [WEEK, *_run(WEEK, room)]
        elif command.startswith("$ agentdyno "):
            printed = _run(command.removeprefix("$ "), room)
        elif not command:
            continue
        else:
            raise SystemExit(f"expected agentdyno, make demo or make week, found {command}")
        made += [command, *(_cut(printed, written) if "…" in written else printed)]
    return "\n".join(made)


def _cut(printed: list[str], written: list[str]) -> list[str]:
    """As many lines around each `…` as were written there."""
    made, place = [], 0
    for at, line in enumerate(written):
        if line == "…":
            made.append(line)
            anchor = written[at + 1][:ANCHOR] if at + 1 < len(written) else None
            later = range(place, len(printed))
            place = next((p for p in later if anchor and printed[p].startswith(anchor)), place)
        elif place < len(printed):
            made.append(printed[place])
            place += 1
    return made


def _run(command: str, room: Path) -> list[str]:
    program, *words = shlex.split(command, comments=True)
    start = [sys.executable]
    if program == "agentdyno":
        start += ["-c", "from agentdyno.cli import main; main()"]
    # Nothing of whoever runs this: no sessions, prices or settings.
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(room / "home"), "TZ": "UTC", "COLUMNS": "100",
        "LANG": "C.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        [*start, *words], cwd=room, env=environment, capture_output=True, check=True
    )
    return [line.rstrip() for line in done.stdout.decode().rstrip("\n").split("\n")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
