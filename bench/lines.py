"""Lines of source by package, each below a ceiling that only falls.

    python bench/lines.py           the table; exits with 1 where a package is above its ceiling
    python bench/lines.py --write   the same, into docs/architecture.md
    python bench/lines.py --lower   takes every ceiling down to the lines that there are

Ceilings stand in `bench/ceilings.toml`. No option raises one: whoever has to edits that file and
says why in a decision, whose file name stands beside the figure.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CEILINGS = ROOT / "bench" / "ceilings.toml"
PAGE = ROOT / "docs" / "architecture.md"
FOLDERS = {
    "agentdyno": "packages/agentdyno/src",
    "agentdyno-daily": "packages/agentdyno-daily/src",
    "agentdyno-bench": "packages/agentdyno-bench/src",
    "agentdyno-depth": "packages/agentdyno-depth/src",
    "agentdyno-train": "packages/agentdyno-train/src",
    "tests": "tests",
}
_TABLE = re.compile(r"(?<=<!-- lines -->\n).*?(?=<!-- /lines -->)", re.DOTALL)


def main(options: list[str]) -> int:
    lines, ceilings = count_lines(), read_ceilings()
    if "--lower" in options:
        ceilings = {name: min(lines[name], ceilings[name]) for name in FOLDERS}
        text = CEILINGS.read_text("utf-8")
        for name, ceiling in ceilings.items():
            text = re.sub(rf'(?m)^"?{name}"? = \d+', f'"{name}" = {ceiling}', text)
        CEILINGS.write_text(text, "utf-8")
    table = render(lines, ceilings)
    print(table, end="")
    if "--write" in options:
        PAGE.write_text(_TABLE.sub(lambda _: table, PAGE.read_text("utf-8")), "utf-8")
    above = [name for name in FOLDERS if lines[name] > ceilings[name]]
    for name in above:
        found = f"expected at most {ceilings[name]:,} lines, found {lines[name]:,}"
        print(f"{name}: {found}. Take out what is needless, or raise the ceiling with a decision.")
    return 1 if above else 0


def count_lines() -> dict[str, int]:
    """Of Python, by package; blank lines and docstrings count."""
    return {
        name: sum(len(file.read_bytes().splitlines()) for file in (ROOT / folder).rglob("*.py"))
        for name, folder in FOLDERS.items()
    }


def read_ceilings() -> dict[str, int]:
    """The most that each may have."""
    found: dict[str, int] = tomllib.loads(CEILINGS.read_text("utf-8"))["lines"]
    return found


def render(lines: dict[str, int], ceilings: dict[str, int]) -> str:
    """A Markdown table."""
    rows = [f"| `{name}` | {lines[name]:,} | {ceilings[name]:,} |" for name in FOLDERS]
    packages = [name for name in FOLDERS if name != "tests"]
    whole = [sum(some[name] for name in packages) for some in (lines, ceilings)]
    rows.insert(-1, f"| all packages | {whole[0]:,} | {whole[1]:,} |")
    return "\n".join(["| lines of Python | there are | at most |", "|---|---:|---:|", *rows, ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
