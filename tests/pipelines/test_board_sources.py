"""The board's repositories: cloned at one commit, or taken from clones that are there."""

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import ROOT

SOURCE = {
    "name": "invented", "repository": "somebody/invented-runs", "paths": r"^runs/.*/log\.json$",
    "instead": "last.json", "set": ["path=(?P<task>t\\d)/"],
}  # fmt: skip


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build", ROOT / "bench" / "board" / "build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    command = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A bare repository whose commit stands on no branch, reached as if it were on GitHub."""
    work, bare = tmp_path / "work tree", tmp_path / "hub" / "somebody" / "invented-runs.git"
    for place in range(2):
        folder = work / "runs" / f"t{place}"
        folder.mkdir(parents=True)
        for name, answer in (("log", "yes"), ("last", "only the end")):
            messages = [{"role": "user", "content": f"{place}?"}]
            messages += [{"role": "assistant", "content": f"{answer} {place}"}]
            text = json.dumps({"messages": messages, "model": "gpt-4o"})
            (folder / f"{name}.json").write_text(text)
    (work / "other.json").write_text("{}")
    git(tmp_path, "init", "-q", str(work))
    git(work, "add", ".")
    git(work, "commit", "-q", "-m", "runs")
    commit = git(work, "rev-parse", "HEAD")
    git(work, "commit", "-q", "--allow-empty", "--amend", "-m", "another")
    git(tmp_path, "init", "-q", "--bare", str(bare))
    git(work, "push", "-q", str(bare), f"{commit}:refs/pull/1/head", "HEAD:refs/heads/main")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{tmp_path / 'hub'}/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    return {**SOURCE, "commit": commit}


def test_a_repository_is_cloned_at_its_commit_and_measured(
    build: ModuleType, published: dict[str, Any], tmp_path: Path
) -> None:
    found = build.measure(published, tmp_path / "out", None)
    assert (found["trajectories"], found["missing"]) == (2, 0)
    files = tmp_path / "out" / "files" / "invented"
    assert sorted(p.relative_to(files).as_posix() for p in files.rglob("*.json")) == [
        "runs/t0/log.json", "runs/t1/log.json",
    ]  # fmt: skip
    (tmp_path / "out" / "invented.json").unlink()
    (tmp_path / "hub").rename(tmp_path / "gone")
    again = build.measure(published, tmp_path / "out", None)
    assert again["trajectories"] == 2, "a clone that is whole is not fetched again"


def test_what_a_mirror_lacks_is_counted_and_taken_from_beside(
    build: ModuleType, published: dict[str, Any], tmp_path: Path
) -> None:
    mirror = tmp_path / "mirrors" / "somebody+invented-runs" / "repo"
    mirror.parent.mkdir(parents=True)
    (tmp_path / "hub" / "somebody" / "invented-runs.git").rename(mirror)
    blob = git(mirror, "rev-parse", f"{published['commit']}:runs/t1/log.json")
    (mirror / "objects" / blob[:2] / blob[2:]).unlink()
    found = build.measure(published, tmp_path / "out", tmp_path / "mirrors")
    assert (found["trajectories"], found["missing"]) == (2, 1)
    assert (tmp_path / "out" / "files" / "invented" / "runs" / "t1" / "last.json").is_file()
    row = build.describe([published], [found])
    assert "| somebody/invented-runs |" in row
