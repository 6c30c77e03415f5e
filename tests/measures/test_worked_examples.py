"""Every example in the docstrings of the measures holds; each module has at least five."""

import doctest
from importlib import import_module

import pytest

MEASURES = ("gamma", "pte", "patterns", "utility", "depth", "planning", "failures")


@pytest.mark.parametrize("name", MEASURES)
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    found = doctest.testmod(import_module(f"agentdyno.measures.{name}"))
    assert found.failed == 0
    assert found.attempted >= 5
