"""Counts that a gateway made: what gives them away, and what they are not taken for."""

from pathlib import Path
from uuid import UUID

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.cache import cache_economics
from agentdyno.pipelines.report import build_overview
from agentdyno.reports.topics.cost.headline import describe_headline
from agentdyno.studies.gateways import GATEWAY, find_gateways
from tests.intake.formats.conformance import read_as
from tests.studies.test_cache import Talk

pytestmark = pytest.mark.daily

READS = (10_000, 30_000, 5_000, 42_000, 12_000, 50_000, 8_000, 60_000)


def _speak(*, ids: bool, ratio: bool, steps: bool) -> Talk:
    """Eight turns, each of the three signs there or not; the cache goes up and down by itself."""
    talk, uncached = Talk(), 3
    for number, read in enumerate(READS):
        talk.turn(60, read, round(0.08 * read) if ratio else 700 * (1 + number * 7 % 5))
        answer = talk.lines[-1]["message"]
        uncached += (8, 9)[number % 2] if steps else (40, 900, 3)[number % 3]
        answer["usage"]["input_tokens"] = uncached
        if ids:
            answer["id"] = str(UUID(int=0x1234_5678_9ABC_4DEF_8ABC_DEF0_1234_5678 + number * 77))
    return talk


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ({"ids": True, "ratio": True, "steps": True}, 1),
        ({"ids": True, "ratio": False, "steps": True}, 1),
        ({"ids": False, "ratio": True, "steps": True}, 1),
        # One sign alone is none: a server of one's own may number its responses with UUIDs.
        ({"ids": True, "ratio": False, "steps": False}, 0),
        ({"ids": False, "ratio": False, "steps": True}, 0),
        ({"ids": False, "ratio": False, "steps": False}, 0),
    ],
)
def test_two_of_three_signs_say_that_a_gateway_counted(
    tmp_path: Path, signs: dict[str, bool], expected: int
) -> None:
    ledger = _speak(**signs).measure(tmp_path)
    assert len(find_gateways(Ledger(ledger))) == expected


def test_its_losses_have_one_cause_and_the_first_line_says_whose_counts_they_are(
    tmp_path: Path,
) -> None:
    ledger = _speak(ids=True, ratio=True, steps=True).measure(tmp_path)
    economics = cache_economics(ledger)[0]
    # The context falls four times below what was cached before.
    assert {cause.name: cause.losses for cause in economics.causes} == {
        "first turn": 1, GATEWAY: economics.rewritten.losses,
    }  # fmt: skip
    assert economics.rewritten.losses >= 3
    assert economics.unexplained_share == 0
    summary = build_overview(ledger, only=("glance",)).results["glance"].summary
    assert summary.gateway_turns == len(READS)
    assert summary.gateway_usd == pytest.approx(summary.usd)
    assert "of it by a gateway's own counts, not the provider's)" in describe_headline(summary)


def test_a_session_of_the_provider_is_none(tmp_path: Path) -> None:
    talk = Talk().turn(0, 0, 40_000)
    for number in range(9):
        talk.turn(60, 40_000 + 900 * number, 900)
    ledger = talk.measure(tmp_path)
    assert find_gateways(Ledger(ledger)).is_empty()


@pytest.mark.parametrize(("finish", "source"), [(None, None), ("end_turn", "reported")])
def test_a_dip_between_equal_neighbours_without_a_reason_is_no_report(
    tmp_path: Path, finish: str | None, source: str | None
) -> None:
    talk = Talk().turn(0, 0, 40_000).turn(60, 0, 300).turn(60, 40_000, 700)
    talk.lines[3]["message"]["stop_reason"] = finish
    talk.measure(tmp_path)
    [run], _ = read_as("claude_code", tmp_path / "traces" / "s1.jsonl")
    prefill = run.turns[1].prefill
    assert (prefill and prefill.source) == source
    assert [turn.prefill.tokens for turn in run.turns[::2] if turn.prefill] == [40_010, 40_710]
