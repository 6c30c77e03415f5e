"""`agentdyno follow`: it says at once what it watches, for nothing may come for a while."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.run import Agentdyno
from tests.conftest import ROOT


def test_it_says_what_it_watches_before_anything_changes(
    agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watch_nothing(paths: list[Path], ledger: Path) -> Iterator[set[Path]]:
        return iter(())

    monkeypatch.setattr("agentdyno.pipelines.live.watch", watch_nothing)
    week = ROOT / "examples" / "week"

    assert agentdyno.run("follow", week, "--out", agentdyno.ledger) == 0
    assert f"Watching 1 folder: {week}. Ctrl-C ends it." in agentdyno.err
