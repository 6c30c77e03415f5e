"""Does the core hold with the lowest versions that it claims?

python tools/lowest.py [FOLDER]        (make lowest)

A fresh environment, in FOLDER or one that goes again, gets the lowest version of every dependency
of `packages/agentdyno/pyproject.toml`; there the demo and some tests of the core run. Fails where
a bound is untrue: raise it, and say why in docs/decisions/0003-dependencies.md.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "packages" / "agentdyno"
DAILY = ROOT / "packages" / "agentdyno-daily"
# Those that need no other package of ours, and no newer polars to compare frames.
TESTS = (
    "tests/records", "tests/ledger/test_generations.py", "tests/ledger/test_volume_sums.py",
    "tests/ledger/test_whole_folder.py", "tests/reports/test_markdown.py",
)  # fmt: skip
_BOUND = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?>=([0-9][^,; ]*)")


def list_lowest(dependencies: list[str]) -> list[str]:
    """`polars>=1.31,<2` -> `polars==1.31`; raises where a dependency has no lower bound."""
    matches = {text: _BOUND.match(text) for text in dependencies}
    if unbound := [text for text, found in matches.items() if found is None]:
        raise SystemExit(f"expected a lower bound (name>=version), found {', '.join(unbound)}")
    return [f"{found[1]}=={found[2]}" for found in matches.values() if found is not None]


def main(folder: Path) -> None:
    project = tomllib.loads((CORE / "pyproject.toml").read_text("utf-8"))["project"]
    constraints = folder / "lowest.txt"
    constraints.write_text("\n".join(list_lowest(project["dependencies"])) + "\n")
    venv.create(folder / "venv", with_pip=True, clear=True)
    bin = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = bin / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run(*install, "-c", constraints, CORE, DAILY, "pytest", "hypothesis")
    ledger = folder / "ledger"
    _run(bin / "agentdyno", "measure", ROOT / "examples" / "week", "--out", ledger)
    _run(bin / "agentdyno", "ledger", "verify", ledger)
    # Newer packages below ours may warn of what the old ones ask of them.
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=default"]
    _run(python, "-m", "pytest", *options, *TESTS)


def _run(*command: str | Path) -> None:
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT)


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]).resolve())
    else:
        with tempfile.TemporaryDirectory(prefix="agentdyno-lowest-") as temporary:
            main(Path(temporary))
