"""Writes docs/status.md from docs/status.toml: what is claimed, and how it was measured.

python -m bench.status [--check]
"""

import sys
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
HEAD = """# Status

What AgentDyno claims today, each with the command that measures it. Generated from `status.toml`
by `make docs`; experiments that led here, failures included, are in [the log](log/README.md). A row
whose scripts are gone names the last revision that has them.
"""
COLUMNS = "| claim | number | command | date | machine |\n|---|---|---|---|---|\n"


def render(data: dict[str, Any]) -> str:
    """The page: one table a topic."""
    topics = groupby(data["claim"], key=lambda row: row["topic"])
    tables = [f"## {topic}\n\n{COLUMNS}{''.join(map(_row, rows))}" for topic, rows in topics]
    machines = [f"- {name}: {text}\n" for name, text in data["machines"].items()]
    return "\n".join([HEAD, *tables, "## Machines\n", "".join(machines)])


def _row(row: dict[str, Any]) -> str:
    date = f"[{row['date']}](log/{row['log']})"
    command = row["command"].replace("|", "\\|")
    return f"| {row['claim']} | {row['number']} | `{command}` | {date} | {row['machine']} |\n"


def write_or_check(target: Path, page: str, source: str) -> None:
    """Writes a generated page; with `--check` ends where the written one is another."""
    if "--check" not in sys.argv[1:]:
        target.write_text(page, "utf-8")
    elif target.read_text("utf-8") != page:
        sys.exit(f"docs/{target.name} is older than {source}: run make docs")


if __name__ == "__main__":
    claims = tomllib.loads((DOCS / "status.toml").read_text("utf-8"))
    write_or_check(DOCS / "status.md", render(claims), "docs/status.toml")
