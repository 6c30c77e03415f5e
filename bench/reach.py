"""Which modules and functions each verb runs on a folder of sessions: rooms nobody enters show.

    python bench/reach.py FOLDER [--list]

Runs measure, report (as JSON and HTML), view's first page, compare, whatif and export over the
folder, each in a process of its own, and notes every function of ours that began. Prints, for each
verb and room, modules imported and functions that ran of those there are; `--list` names the
modules that no verb entered.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from structure import ROOT, imports, working_tree

WATCH = """
import json, os, sys
ran = set()
def note(code, offset):
    ran.add((code.co_filename, code.co_qualname))
    return sys.monitoring.DISABLE
def watch():
    if hasattr(sys, "monitoring"):
        sys.monitoring.use_tool_id(4, "reach")
        sys.monitoring.register_callback(4, sys.monitoring.events.PY_START, note)
        sys.monitoring.set_events(4, sys.monitoring.events.PY_START)
    else:
        def each(frame, event, arg):
            ran.add((frame.f_code.co_filename, frame.f_code.co_qualname))
        sys.setprofile(each)
watch()
from agentdyno.cli import main
sys.argv[1:] = json.loads(os.environ["REACH_WORDS"])
try:
    main()
except SystemExit as stop:
    code = stop.code or 0
else:
    code = 0
sys.setprofile(None)
ours = [name for name in sys.modules if name.partition(".")[0].startswith("agentdyno")]
ran = [where for where in ran if "agentdyno" in where[0]]
open(os.environ["REACH_OUT"], "w").write(json.dumps([code, ours, ran]))
"""


def main(folder: Path, options: list[str]) -> int:
    with tempfile.TemporaryDirectory() as work:
        ledger = f"{work}/ledger"
        verbs = {
            "measure": ["measure", str(folder), "--out", ledger, "--workers", "1", "--json"],
            "report": ["report", ledger, "--json"],
            "report html": ["report", ledger, "-o", f"{work}/r.html"],
            "compare": ["compare", ledger, ledger, "--json"],
            "whatif": ["whatif", ledger, "--cap-results", "1000", "--json"],
            "cache": ["cache", ledger, "--json"],
            "export": ["export", ledger, "--as", "otel", "--to", f"{work}/t.jsonl"],
        }
        found = {verb: run_verb(words, Path(work) / "reach.json") for verb, words in verbs.items()}
    sources = working_tree()
    modules = sorted(imports(sources, lazy=True))
    entered: set[str] = set().union(*(set(loaded) for _, loaded, _ in found.values()))
    rooms = Counter(map(room_of, modules))
    print(f"{'room':34}{'modules':>9}" + "".join(f"{verb:>13}" for verb in found))
    for room, many in sorted(rooms.items()):
        cells = [sum(room_of(m) == room for m in set(loaded) & set(modules))
                 for _, loaded, _ in found.values()]  # fmt: skip
        print(f"{room:34}{many:>9}" + "".join(f"{n or '–':>13}" for n in cells))
    print(f"{'functions that ran':43}" + "".join(f"{len(r):>13,}" for _, _, r in found.values()))
    never = [module for module in modules if module not in entered]
    lines = {_module_of(path): text.count("\n") for path, text in sources.items()}
    unused = sum(lines[module] for module in never)
    print(f"{len(never):,} of {len(modules):,} modules, {unused:,} lines, were never imported.")
    if "--list" in options:
        print(*(f"{lines[module]:6} {module}" for module in never), sep="\n")
    return max(code for code, _, _ in found.values())


def run_verb(words: list[str], out: Path) -> tuple[int, list[str], list[list[str]]]:
    """Exit code, modules of ours that were imported, functions that ran."""
    env = {**os.environ, "REACH_WORDS": json.dumps(words), "REACH_OUT": str(out)}
    done = subprocess.run([sys.executable, "-c", WATCH], env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"agentdyno {' '.join(words)}: {done.stderr}")
    code, modules, functions = json.loads(out.read_text())
    return code, modules, functions


def room_of(module: str) -> str:
    """The package and its first folder; files beside the folders are the package's own."""
    parts = module.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


def _module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.path.insert(0, str(ROOT / "bench"))
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
