"""What was removed says what to use instead, in one sentence, and what it names exists."""

import re

import pytest

from agentdyno.cli.removed import REMOVED, advise
from agentdyno.cli.verb import load_verbs
from tests.cli.run import Agentdyno
from tests.test_docs import why_unknown

GONE = sorted(name for name in REMOVED if " " in name or name not in load_verbs())


@pytest.mark.parametrize("name", GONE)
def test_what_was_removed_says_what_to_use_instead(name: str, agentdyno: Agentdyno) -> None:
    assert agentdyno.run(*name.split(), "LEDGER") == 2
    assert agentdyno.out == ""
    assert agentdyno.err == f"agentdyno: `agentdyno {name}` was removed: {REMOVED[name]}.\n"


@pytest.mark.daily
@pytest.mark.parametrize("name", GONE)
def test_what_is_advised_instead_exists(name: str) -> None:
    commands = re.findall(r"`(agentdyno [^`]+)`", REMOVED[name])
    assert [why_unknown(line) for line in commands if why_unknown(line)] == []


@pytest.mark.parametrize("words", [["measure", "reconcile"], ["report", "LEDGER"], ["nosuch"], []])
def test_a_path_of_the_same_name_and_an_unknown_verb_are_not_meant(words: list[str]) -> None:
    assert advise(words) is None
