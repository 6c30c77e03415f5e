"""Sessions are joined to commits by what they wrote, and a hostile repository runs nothing."""

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.repository import read_history
from agentdyno.pipelines.shipped import find_shipped
from agentdyno.studies.shipped.results import Shipped
from tests.cli.run import Agentdyno
from tests.pipelines.scripted_repository import Script, write_repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
GOAL = 0.95


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Script:
    return write_repository(tmp_path_factory.mktemp("scripted"))


@pytest.fixture(scope="module")
def ledger(script: Script) -> Path:
    out = script.repo.parent / "ledger"
    measure([script.traces], out, MeasureOptions(workers=1, costs_only=True))
    return out


@pytest.fixture(scope="module")
def found(script: Script, ledger: Path) -> Shipped:
    return find_shipped(ledger, script.repo)


def test_lines_and_dollars_of_thirty_sessions_are_in_their_commits(
    script: Script, ledger: Path, found: Shipped, capsys: pytest.CaptureFixture[str]
) -> None:
    subjects = {each.name: each.subject for each in found.commits}
    names = dict(
        Ledger(ledger).read("trajectories").select("trajectory_id", "session_id").iter_rows()
    )
    lines: dict[str, Counter[str | None]] = {}
    usd: Counter[tuple[str, str | None]] = Counter()
    for join in found.joins:
        home = subjects[join.commit] if join.commit else None
        lines.setdefault(names[join.session], Counter())[home] += join.lines
        usd[names[join.session], home] += join.usd  # type: ignore[assignment]
    all_lines = sum(truth.total() for truth in script.truth.values())
    right = sum(
        (truth & lines.get(name, Counter())).total() for name, truth in script.truth.items()
    )
    expected = _expected_money(script, ledger)
    all_usd = sum(expected.values())
    right_usd = sum(min(usd[key], expected[key]) for key in expected)
    with capsys.disabled():
        print(f"\nlines in their commits: {right} of {all_lines} ({right / all_lines:.3f})")
        print(f"dollars in theirs: {right_usd:.2f} of {all_usd:.2f} ({right_usd / all_usd:.3f})")
    assert right / all_lines >= GOAL
    assert right_usd / all_usd >= GOAL


def _expected_money(script: Script, ledger: Path) -> Counter[tuple[str, str | None]]:
    tables = Ledger(ledger)
    names = dict(tables.read("trajectories").select("trajectory_id", "session_id").iter_rows())
    spent: dict[str, dict[int, float]] = {}
    for name, turn, usd in tables.read("turns").select("trajectory_id", "turn", "usd").iter_rows():
        spent.setdefault(names[name], {})[turn] = usd
    expected: Counter[tuple[str, str | None]] = Counter()
    for session, stretches in script.money.items():
        first = 0
        for last, became in sorted(stretches, key=lambda row: row[0]):
            usd = sum(each for turn, each in spent[session].items() if first <= turn <= last)
            first = last + 1
            for home in became:
                expected[session, home] += usd / len(became)  # type: ignore[assignment]
    return expected


def test_every_dollar_is_in_one_place(found: Shipped) -> None:
    parts = (found.on_main_usd, found.on_branch_usd, found.no_commit_usd, found.nothing_written_usd)
    assert sum(parts) == pytest.approx(found.usd)
    assert found.usd == pytest.approx(sum(each.usd or 0 for each in found.sessions))
    in_commits = sum(each.usd for each in found.commits)
    assert in_commits == pytest.approx(found.on_main_usd + found.on_branch_usd)
    assert sum(each.usd for each in found.units) == pytest.approx(in_commits)
    assert found.nothing_written_usd > 0


def test_pull_requests_have_the_money_of_their_commits(found: Shipped) -> None:
    units = {each.name: each for each in found.units}
    assert {"#1", "#2", "#3", "#4", "#5", "main", "never-merged"} == units.keys()
    assert units["#1"].commits == 2
    assert len(units["#4"].sessions) == 2
    assert not units["never-merged"].on_main
    assert all(units[f"#{number}"].usd > 0 for number in range(1, 6))


def test_lines_that_were_never_touched_again_stand_two_weeks_later(found: Shipped) -> None:
    assert found.survived.value == pytest.approx(1.0, abs=0.01)


def test_lines_of_a_person_are_of_no_session(found: Shipped) -> None:
    assert not [each for each in found.commits if "hand" in (each.subject or "") and each.usd]
    assert 0.5 < found.written / found.added < 0.9


def test_the_verb_prints_where_the_money_went(
    script: Script, ledger: Path, agentdyno: Agentdyno
) -> None:
    assert agentdyno.run("shipped", ledger, "--repo", script.repo) == 0
    assert "never reached a commit" in agentdyno.out
    assert "never-merged" in agentdyno.out
    assert agentdyno.run("shipped", ledger, "--repo", script.repo, "--json") == 0
    assert agentdyno.object()["main"] == "main"
    assert agentdyno.run("shipped", ledger, "--repo", script.traces) != 0
    assert "expected a git repository" in agentdyno.err


def test_what_was_rewritten_within_two_weeks_did_not_last(tmp_path: Path) -> None:
    script = Script(tmp_path)
    name, lines, _ = script.new_file("src/short.py", 4)
    script.commit("Short lived")
    script.now += 3 * 86_400
    script.write("src/short.py", lines[: len(lines) // 2])
    script.commit("Half of it goes")
    script.now += 30 * 86_400
    script.write("src/other.py", ["x = 1"])
    script.commit("Later")
    measure([script.traces], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))
    (commit,) = find_shipped(tmp_path / "ledger", script.repo).commits
    assert name
    assert commit.survived == pytest.approx(0.5, abs=0.05)


HOSTILE = """
[core]
    fsmonitor = {run}
    hooksPath = {folder}/hooks
    pager = {run}
    sshCommand = {run}
    gitProxy = {run}
    editor = {run}
    attributesFile = {folder}/attributes
    alternateRefsCommand = {run}
[diff]
    external = {run}
[diff "evil"]
    textconv = {run}
    command = {run}
[filter "evil"]
    clean = {run}
    smudge = {run}
    process = {run}
    required = true
[alias]
    rev-list = !{run}
    cat-file = !{run}
    diff-tree = !{run}
    for-each-ref = !{run}
[credential]
    helper = !{run}
[gpg]
    program = {run}
[log]
    showSignature = true
[extensions]
    partialClone = evil
[remote "evil"]
    url = ext::{run}
    promisor = true
    uploadpack = {run}
    partialclonefilter = blob:none
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[uploadpack]
    packObjectsHook = {run}
[submodule]
    recurse = true
"""


def _make_hostile(script: Script) -> Path:
    """Everything that a repository can name to be run; says where a run would leave its mark."""
    folder = script.repo.parent
    mark, run = folder / "ran", folder / "run.sh"
    run.write_text(f'#!/bin/sh\necho "$@" >> {mark}\n')
    run.chmod(0o755)
    git = script.repo / ".git"
    for hooks in (folder / "hooks", git / "hooks"):
        hooks.mkdir(exist_ok=True)
        for name in ("reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc",
                     "fsmonitor-watchman", "post-commit"):  # fmt: skip
            shutil.copy(run, hooks / name)
    (folder / "attributes").write_text("* diff=evil filter=evil\n")
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    with (git / "config").open("a") as file:
        file.write(HOSTILE.format(run=run, folder=folder))
    return mark


def test_a_hostile_repository_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(tmp_path)
    script.new_file("src/a.py")
    (script.repo / ".gitattributes").write_text("* diff=evil filter=evil\n")
    script.commit("First")
    blob = script.git("rev-parse", "HEAD:src/a.py").strip()
    script.write("src/a.py", ["x = 1"])
    script.commit("Second")
    mark = _make_hostile(script)
    # The test can fail: plain git runs what is named there.
    subprocess.run(["git", "-C", str(script.repo), "status"], capture_output=True, check=False)
    assert mark.exists()
    mark.unlink()
    before = _stat_all(script.repo)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(tmp_path / "run.sh"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    history = read_history(script.repo)
    assert [each.subject for each in history.commits] == ["Begin", "First", "Second"]
    assert not mark.exists()
    assert _stat_all(script.repo) == before
    # An object that is missing is fetched from a promisor by a program of the repository's choice.
    object = script.repo / ".git" / "objects" / blob[:2] / blob[2:]
    object.chmod(0o644)
    object.unlink()
    monkeypatch.delenv("GIT_DIR")
    command = ["git", "-C", str(script.repo), "cat-file", "-p", blob]
    subprocess.run(command, capture_output=True, check=False)
    assert mark.exists()
    mark.unlink()
    assert read_history(script.repo).skipped == 2
    assert not mark.exists()


def _stat_all(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }
