"""What is left out of the wasteful habits is said."""

from pathlib import Path

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.reports.topics.cost.waste import render_waste
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.results import Waste
from tests.pipelines.ledger_builder import LedgerRows


def test_findings_of_unmeasured_patterns_are_counted_and_named(tmp_path: Path) -> None:
    hidden = unshown_patterns()[0]
    rows = LedgerRows().trajectory("a").turn("a", 0).pattern("a", hidden).pattern("a", hidden)
    found = patterns(rows.pattern("a", "lack_of_tool_priors").frames(tmp_path))
    assert (found.found, found.unproven) == (1, {hidden: 2})
    said = " ".join(render_waste(Waste(found, [])).notes)
    assert f"{hidden.replace('_', ' ')} (2)" in said
    assert "--unproven" in said
