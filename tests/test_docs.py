"""What the documentation says is so: links and paths exist, commands parse, the status is fresh.

The changelog is left out, and the log may name what is gone; `test_examples.py` runs the guides'
code.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdyno.cli.verb import build_command, load_verbs
from tests.conftest import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
PRESENT = [page for page in PAGES if page.parent.name not in {"decisions", "log"}]
"""Pages about today; a decision or an experiment may name what was replaced."""
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"`((?:docs|bench|tests|examples|packages|src)/[\w./-]+\.\w+)(?:::\w+)?`")
_BLOCK = re.compile(r"```(?:console|bash|sh)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"(?:^|&& |\$ )(?:[A-Z_]+=\S+ )*(agentdyno [a-z].*)$")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [link.split("#")[0] for link in _LINK.findall(page.read_text("utf-8"))]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PRESENT, ids=name)
def test_paths_in_the_text_exist(page: Path) -> None:
    paths = _PATH.findall(page.read_text("utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.daily
@pytest.mark.parametrize("page", PRESENT, ids=name)
def test_commands_have_the_verbs_and_options_they_name(page: Path) -> None:
    wrong = [line for line in commands(page.read_text("utf-8")) if why_unknown(line)]
    assert wrong == []


@pytest.mark.parametrize("page", ["status", "papers"])
def test_a_generated_page_is_as_new_as_its_data(page: str) -> None:
    subprocess.run([sys.executable, "-m", f"bench.{page}", "--check"], cwd=ROOT, check=True)


@pytest.mark.daily
def test_outputs_in_guides_are_those_of_a_run() -> None:
    tool = ROOT / "tools" / "run_guides.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted(ROOT.glob("docs/decisions/*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_log_lists_every_page_of_it() -> None:
    listed = _LINK.findall((ROOT / "docs/log/README.md").read_text("utf-8"))
    pages = {path.name for path in ROOT.glob("docs/log/*.md")} - {"README.md"}
    assert pages == {link for link in listed if "/" not in link}


def commands(text: str) -> Iterator[str]:
    """Every command line of ours in a page's shell blocks."""
    for block in _BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if found := _COMMAND.search(line):
                yield found[1]


def why_unknown(line: str) -> str | None:
    """The verb or option of a command line that does not exist."""
    words = shlex.split(line, comments=True)[1:]
    words = words[: next((i for i, w in enumerate(words) if w in {"|", ">", "&&", ";"}), None)]
    verb = load_verbs().get(words[0])
    if verb is None:
        return f"no verb {words[0]}"
    command, words = build_command(verb), words[1:]
    while words and (inner := getattr(command, "commands", {}).get(words[0])):
        command, words = inner, words[1:]
    if hasattr(command, "commands"):
        return f"no verb {words[:1]}"
    options = {o for p in command.params for o in [*p.opts, *p.secondary_opts]} | {"--help"}
    named = [word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
    return next((f"no option {word}" for word in named if word not in options), None)


@pytest.mark.parametrize(
    "line",
    ["agentdyno nosuchverb x", "agentdyno measure x --nosuch", "agentdyno ledger nosuch LEDGER"],
)
def test_an_unknown_verb_or_option_is_noticed(line: str) -> None:
    assert why_unknown(line)
