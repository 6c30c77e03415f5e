"""Names for contents."""

from agentdyno.judges.digests import digest


def test_digests_know_borders() -> None:
    assert digest("ab", "c") != digest("a", "bc")


def test_digests_take_text_that_is_no_proper_unicode() -> None:
    assert digest("\ud800") != digest("\ud801")
