"""Writes docs/status.md from docs/status.toml: what is claimed, and how it was measured.

python bench/status.py [--check]
"""

import sys
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
HEAD = """# Status

What AgentDyno claims today, each with the command that measures it. Generated from `status.toml`
by `make docs`; experiments that led here, failures included, are in [the log](log/README.md).
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


def main(check: bool) -> None:
    page = render(tomllib.loads((DOCS / "status.toml").read_text("utf-8")))
    target = DOCS / "status.md"
    if not check:
        target.write_text(page, "utf-8")
    elif target.read_text("utf-8") != page:
        sys.exit("docs/status.md is older than docs/status.toml: run make docs")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
