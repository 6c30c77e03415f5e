"""Runs tools that count an agent's tokens on homes whose true totals are known.

    python conformance/run.py                   every tool that is installed
    python conformance/run.py --tool agentdyno  one of them; exit 1 when a case fails
    python conformance/run.py --write           the matrix into README.md

A case is a folder `cases/AGENT/NAME` with `home/`, laid out as the agent leaves it, and
`expected.json`: totals worked out by hand, with the working. A number is exact, a pair of numbers
is a range where the agent's own files do not say. Needs nothing but Python; a tool needs its
command on the PATH.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KINDS = ("responses", "input", "cache_read", "cache_write", "output", "usd")
"""What is compared, where a tool prints it. `input` leaves out what the cache gave or took,
`output` has reasoning in it."""
DOLLARS_OFF = 0.001
"""The share that a rounded amount may be off."""
Totals = dict[str, float]


def run(command: list[str], home: Path) -> str:
    """The output of a command that has this folder as its home and no other agent's folders."""
    kept = {k: v for k, v in os.environ.items() if not re.match(r"XDG_|CLAUDE_|CODEX_|GEMINI_", k)}
    done = subprocess.run(
        command,
        env=kept | {"HOME": str(home), "USERPROFILE": str(home), "TZ": "UTC", "NO_COLOR": "1"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[:200] or f"exit {done.returncode}")
    return done.stdout


# Tools --------------------------------------------------------------------------------------------


def agentdyno(home: Path) -> Totals:
    run(["agentdyno"], home)
    ledger = str(home / ".local/share/agentdyno/ledger")
    run(["agentdyno", "export", ledger, "--table", "turns", "--to", "turns.csv"], home)
    return sum_turns(home / "turns.csv")


def sum_turns(file: Path) -> Totals:
    """Totals of a ledger's responses, as `agentdyno export --table turns` writes them."""
    with file.open(newline="") as lines:
        turns = list(csv.DictReader(lines))

    def sums(name: str) -> float:
        return sum(float(turn[name] or 0) for turn in turns)

    read, written = sums("cached_tokens"), sums("cache_write_tokens")
    return {
        "responses": len(turns),
        "input": sums("context_tokens") - read - written,
        "cache_read": read,
        "cache_write": written,
        "output": sums("decode_tokens"),
        "usd": sums("usd"),
    }


def ccusage(home: Path) -> Totals:
    total = json.loads(run(["ccusage", "daily", "--json", "--offline"], home))["totals"]
    known = ("inputTokens", "cacheReadTokens", "cacheCreationTokens")
    found = dict(zip(("input", "cache_read", "cache_write"), map(total.get, known), strict=True))
    # Of some agents reasoning is only in the sum of all tokens.
    output = total["totalTokens"] - sum(found.values())
    return found | {"output": output, "usd": total["totalCost"]}


def codeburn(home: Path) -> Totals:
    command = ["codeburn", "export", "-f", "json", "-o", "out.json"]
    run([*command, "--from", "2025-01-01", "--to", "2026-12-31"], home)
    [period] = json.loads((home / "out.json").read_text())["periods"]
    names = {"responses": "API Calls", "input": "Input Tokens", "cache_read": "Cache Read Tokens",
             "cache_write": "Cache Write Tokens", "output": "Output Tokens"}  # fmt: skip
    # It writes dollars with two decimals, so they are not compared.
    return {ours: sum(day[theirs] for day in period["daily"]) for ours, theirs in names.items()}


def agentsview(home: Path) -> Totals:
    try:
        run(["agentsview", "sync"], home)
        out = run(["agentsview", "usage", "daily", "--json", "--all", "--offline"], home)
    finally:
        run(["agentsview", "daemon", "stop"], home)
    total = json.loads(out)["totals"]
    names = {"input": "inputTokens", "cache_read": "cacheReadTokens",
             "cache_write": "cacheCreationTokens", "output": "outputTokens"}  # fmt: skip
    return {ours: total[theirs] for ours, theirs in names.items()} | {
        "usd": total["totalCost"]["microdollars"] / 1e6
    }


def tokscale(home: Path) -> Totals:
    # It fetches prices before it prints anything, unless it has fetched some within the hour.
    cache = home / ".cache" / "tokscale"
    cache.mkdir(parents=True)
    for name in ("litellm", "openrouter"):
        prices = {"timestamp": int(time.time()), "data": {}}
        (cache / f"pricing-{name}.json").write_text(json.dumps(prices))
    total = json.loads(run(["tokscale", "models", "--json", "--no-spinner"], home))
    reasoning = sum(entry["reasoning"] for entry in total["entries"])
    return {
        "responses": total["totalMessages"],
        "input": total["totalInput"],
        "cache_read": total["totalCacheRead"],
        "cache_write": total["totalCacheWrite"],
        "output": total["totalOutput"] + reasoning,
    }


TOOLS: dict[str, Callable[[Path], Totals]] = {
    "agentdyno": agentdyno,
    "ccusage": ccusage,
    "codeburn": codeburn,
    "agentsview": agentsview,
    "tokscale": tokscale,
}
"""Each takes a home and returns what the tool says of it. Add yours here."""


# Cases --------------------------------------------------------------------------------------------


def differences(found: Totals, expected: dict[str, Any]) -> list[str]:
    """What a tool says that is not so; kinds that it does not print are not compared."""
    return [
        f"{kind} {found[kind]:.6g}, not {_show(expected[kind])}"
        for kind in KINDS
        if kind in found and kind in expected and not _agrees(kind, found[kind], expected[kind])
    ]


def _agrees(kind: str, found: float, expected: Any) -> bool:
    low, high = expected if isinstance(expected, list) else (expected, expected)
    room = DOLLARS_OFF * high + 5e-7 if kind == "usd" else 1e-6
    return bool(low - room <= found <= high + room)


def _show(expected: Any) -> str:
    return f"{expected[0]:g} to {expected[1]:g}" if isinstance(expected, list) else f"{expected:g}"


def check(tool: str, case: Path, expected: dict[str, Any]) -> list[str]:
    """What a tool gets wrong in a case."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        shutil.copytree(case / "home", home)
        try:
            found = TOOLS[tool](home)
        except (RuntimeError, ValueError, KeyError, TypeError, OSError) as error:
            return [f"failed: {error}"]
    return differences(found, expected["totals"])


def version_of(tool: str) -> str:
    """What the tool says that it is."""
    with tempfile.TemporaryDirectory() as folder:
        found = re.search(r"\d+(?:\.\d+)+\S*", run([tool, "--version"], Path(folder)))
    return found[0] if found else "?"


def main() -> int:
    """Prints what was found; 1 when a tool that was asked for is wrong somewhere."""
    parser = argparse.ArgumentParser(description="Who counts an agent's tokens right?")
    parser.add_argument("--tool", choices=TOOLS, action="append", help="only this one")
    parser.add_argument("--case", help="only cases with this in their name")
    parser.add_argument("--write", action="store_true", help="put the matrix into README.md")
    given = parser.parse_args()
    if missing := [tool for tool in given.tool or () if not shutil.which(tool)]:
        parser.error(f"{missing[0]}: no such command on the PATH")
    tools = {tool: version_of(tool) for tool in given.tool or TOOLS if shutil.which(tool)}
    cases = {
        file.parent: json.loads(file.read_text())
        for file in sorted(HERE.glob("cases/*/*/expected.json"))
        if not given.case or given.case in str(file.parent)
    }
    results: dict[tuple[str, Path], list[str]] = {}
    for case, expected in cases.items():
        for tool in tools:
            wrong = results[tool, case] = check(tool, case, expected)
            name = case.relative_to(HERE / "cases")
            print(f"{'wrong' if wrong else 'right'}  {tool:<11} {name}", *wrong, sep="  ")
    for tool, version in tools.items():
        right = sum(not results[tool, case] for case in cases)
        print(f"{tool} {version}: {right} of {len(cases)} cases")
    if given.write:
        _write(tools, cases, results)
    return int(bool(given.tool) and any(map(bool, results.values())))


def _write(
    tools: dict[str, str],
    cases: dict[Path, dict[str, Any]],
    results: dict[tuple[str, Path], list[str]],
) -> None:
    head = ["case", "trap", *(f"{tool} {version}" for tool, version in tools.items())]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for case, expected in cases.items():
        name = f"`{case.relative_to(HERE / 'cases')}`"
        wrong = {tool: ", ".join(line.split()[0] for line in results[tool, case]) for tool in tools}
        cells = (wrong[tool] or "right" for tool in tools)
        lines.append("| " + " | ".join([name, expected["trap"], *cells]) + " |")
    right = [sum(not results[tool, case] for case in cases) for tool in tools]
    lines.append("| | right | " + " | ".join(f"{n} of {len(cases)}" for n in right) + " |")
    readme = HERE / "README.md"
    before, begin, rest = readme.read_text().partition("<!-- matrix -->\n")
    _, end, after = rest.partition("<!-- end -->")
    readme.write_text(before + begin + "\n".join(lines) + "\n" + end + after)


if __name__ == "__main__":
    sys.exit(main())
