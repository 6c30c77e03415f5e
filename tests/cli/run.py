"""Runs the command inside this process, and says what no output may hold."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.cli.app import app, run_guarded


class Agentdyno:
    """The command with its output captured."""

    def __init__(self, captured: pytest.CaptureFixture[str], out: Path) -> None:
        self._captured = captured
        self.ledger = out
        self.out = ""
        self.err = ""

    def run(self, *words: object) -> int:
        """The exit code; checks what holds for every output."""
        self._captured.readouterr()
        args = [str(word) for word in words]
        code = run_guarded(lambda **how: app(args, **how))
        self.out, self.err = self._captured.readouterr()
        assert "Traceback" not in self.out + self.err
        assert "should not have happened" not in self.err
        assert_harmless(self.out)
        assert_harmless(self.err)
        return code

    def measure(self, *words: object) -> int:
        return self.run("measure", *words, "--out", self.ledger, "--workers", 1)

    def object(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        assert self.out.endswith("}\n")
        assert self.out.count("\n") == 1
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


def assert_harmless(text: str) -> None:
    """No character but line feeds that a terminal would act on."""
    assert {c for c in text if not c.isprintable()} <= {"\n"}
