"""Five packages, one version: what their pyproject files say fits together."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from packaging.requirements import Requirement

from agentdyno.cli.app import PACKAGES
from agentdyno.cli.guard import EXTRAS
from agentdyno.cli.verb import load_verbs
from agentdyno.ledger.manifest import load
from agentdyno.pipelines import versions
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.pipelines.versions import describe_unshown
from agentdyno.plugins import OURS
from agentdyno.version import __version__
from tests.ledger.traces import write_jsonl

ROOT = Path(__file__).resolve().parents[1]
NAMES = [name.replace("_", "-") for name in OURS]


def project(name: str) -> dict[str, Any]:
    text = (ROOT / "packages" / name / "pyproject.toml").read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


def required(lines: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~ ]", line)[0] for line in lines}


@pytest.mark.parametrize("name", NAMES)
def test_every_package_has_the_one_version_and_asks_for_it(name: str) -> None:
    stated = project(name)
    assert (stated["name"], stated["version"]) == (name, __version__)
    extras = [line for lines in stated.get("optional-dependencies", {}).values() for line in lines]
    ours = [line for line in stated["dependencies"] + extras if line.startswith("agentdyno")]
    assert all(line.endswith(f"=={__version__}") for line in ours)


def test_packages_that_ask_for_the_same_bound_it_alike() -> None:
    bounds: dict[str, set[str]] = {}
    for name in NAMES:
        extras = project(name).get("optional-dependencies", {}).values()
        for line in [*project(name)["dependencies"], *(line for lines in extras for line in lines)]:
            bounds.setdefault(min(required([line])), set()).add(line)
    assert {name: lines for name, lines in bounds.items() if len(lines) > 1} == {}


def test_the_lock_fits_what_the_packages_ask_for_and_names_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert all(re.fullmatch(r"[a-z0-9.-]+==[A-Za-z0-9.]+", line) for line in lines[1:])
    for name in NAMES:
        for line in project(name)["dependencies"]:
            asked = Requirement(line)
            if asked.name not in NAMES:
                assert asked.specifier.contains(pins[asked.name], prereleases=True), line
    assert f"torch=={pins['torch']}" in (ROOT / "Makefile").read_text("utf-8")


def test_the_core_needs_nothing_heavy_and_none_of_the_others() -> None:
    needed = required(project("agentdyno")["dependencies"])
    heavy = {"torch", "inspect-ai", "pandas", "scipy", "statsmodels", "vl-convert-python"}
    assert needed.isdisjoint({*heavy, *NAMES})


@pytest.mark.parametrize("name", NAMES[1:])
def test_what_a_package_needs_is_named_with_its_extra_when_it_is_missing(name: str) -> None:
    known = {module.replace("_", "-") for modules in EXTRAS.values() for module in modules}
    assert required(project(name)["dependencies"]) - set(NAMES) <= known


@pytest.mark.daily
def test_the_word_to_whoever_misses_a_verb_knows_every_verb_of_ours() -> None:
    for package, verbs in PACKAGES.items():
        place = f"agentdyno_{package}."
        found = {verb.name for verb in load_verbs().values() if verb.place.startswith(place)}
        assert found == set(verbs)


def test_tables_of_a_package_that_is_missing_are_named_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "a.jsonl", range(2))
    measure([tmp_path / "a.jsonl"], tmp_path / "l", MeasureOptions(workers=1))
    manifest = load(tmp_path / "l")
    held = structs.replace(manifest, derived={**manifest.derived, "verdicts": [None]})
    assert describe_unshown(held) == []
    monkeypatch.setattr(versions, "find_spec", lambda name: None)
    assert describe_unshown(manifest) == []
    assert describe_unshown(held) == [
        "the tables verdicts are kept, and not in this report: pip install 'agentdyno[bench]'"
    ]


LOADED = """
import os
import sys
from agentdyno.cli.app import app, run_guarded
for words in (
    ["measure", "traces", "--out", "L", "--workers", "1"],
    ["report", "L", "-o", "r.html"],
    ["report", "L", "--json"],
):
    assert run_guarded(lambda **how: app(words, **how)) == 0, words
import agentdyno_daily.cli.home
import agentdyno.view.server
print(*sorted(name for name in sys.modules if name.startswith("agentdyno_bench")), file=sys.stderr)
"""


@pytest.mark.daily
def test_measuring_and_reporting_sessions_loads_no_benchmark(tmp_path: Path) -> None:
    """Of the package, which is installed here, no more than what names its places."""
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(6))
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.splitlines()[-1].split())
    names_places = {
        "", ".app", ".app.cli", ".app.cli.verbs", ".app.plugins", ".app.task_schedules",
    }  # fmt: skip
    assert loaded == {f"agentdyno_bench{name}" for name in names_places}


def test_the_core_names_daily_only_in_the_order_of_packages() -> None:
    """What comes from there comes by entry points; words for people name the extra."""
    core = ROOT / "packages" / "agentdyno" / "src"
    naming = [path.name for path in core.rglob("*.py") if "agentdyno_daily" in path.read_text()]
    assert naming == ["plugins.py"]
