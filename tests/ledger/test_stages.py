"""No stage gives other rows than before under the same version.

`stage_digests.json` holds what every stage made of the sample traces, by version. When a stage's
output changes, raise its version where `WHERE` says, then write the digests anew:

    AGENTDYNO_UPDATE_STAGES=1 pytest tests/ledger/test_stages.py

A change that comes from a stage before is that stage's: it alone needs a new version.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from agentdyno.intake import identity
from agentdyno.intake.format import load_formats
from agentdyno.records.stages import reader_stage
from tests.ledger.stage_outputs import Sample, build_samples, run_stages, stage_versions, traces

FILE = Path(__file__).with_name("stage_digests.json")
UPDATE = "AGENTDYNO_UPDATE_STAGES=1 pytest tests/ledger/test_stages.py"
WHERE = {
    "reader": "`version` of its Format",
    "pattern": "`version` of its Detector",
    "schedule": "findings/scheduling/table.py, VERSIONS",
    "check": "findings/failures/unlabelled.py, CHECK_VERSIONS",
    "sums": "ledger/volume_tables.py, SUMS_VERSION",
}
"""Where a version stands, by the first word of its stage; the others are in records/stages.py."""


class Digests(Struct, frozen=True):
    """What the stages made when their versions were last raised."""

    versions: dict[str, int]
    """Stages by name."""
    samples: dict[str, Sample]
    """Digests by sample."""


def changed_stages(kept: Digests, now: Digests) -> dict[str, list[str]]:
    """Stages whose output changed while what goes in did not, with the samples that show it."""
    found: dict[str, list[str]] = {}
    for name, sample in now.samples.items():
        before = kept.samples.get(name)
        if before is None or before.contents != sample.contents:
            continue
        for stage in _first_changes(before.outputs, sample.outputs):
            found.setdefault(stage, []).append(name)
    return found


def _first_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The stage that changed first; of those that do not build on each other, all."""
    changed = [s for s in {**before, **after} if before.get(s) != after.get(s)]
    chained = [s for s in changed if s.split()[0] in ORDER]
    return sorted(chained, key=lambda s: ORDER.index(s.split()[0]))[:1] or changed


ORDER = ("reader", "identity", "tokens", "cost", "duplicates", "secrets", "sums")
"""Stages that build on each other, by their first word."""


def problems(kept: Digests, now: Digests) -> list[str]:
    """What has to be done before the digests may be written anew."""
    lines = []
    for stage, names in sorted(changed_stages(kept, now).items()):
        version, was = now.versions.get(stage, 0), kept.versions.get(stage, 0)
        is_removed = was and not version
        if version <= was and not is_removed:
            place = WHERE.get(stage.split()[0], "records/stages.py, STAGES")
            lines.append(
                f"output of stage {stage} changed on {', '.join(names[:3])}: raise its version "
                f"from {was} to {was + 1} ({place}) and update the digest with: {UPDATE}"
            )
    lowered = [s for s, v in now.versions.items() if v < kept.versions.get(s, 0)]
    return [*lines, *(f"the version of stage {stage} was lowered" for stage in lowered)]


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Digests:
    return Digests(stage_versions(), build_samples(tmp_path_factory.mktemp("stages") / "work"))


@pytest.mark.daily
def test_a_stage_whose_output_changes_has_a_new_version(now: Digests) -> None:
    kept = msgspec.json.decode(FILE.read_bytes(), type=Digests) if FILE.exists() else now
    assert problems(kept, now) == []
    if os.environ.get("AGENTDYNO_UPDATE_STAGES"):
        text = msgspec.json.format(msgspec.json.encode(now, order="sorted"), indent=1)
        FILE.write_bytes(text + b"\n")
        kept = now
    assert kept == now, f"versions or samples are new; update the digests with: {UPDATE}"


@pytest.mark.daily
def test_every_format_and_stage_has_a_sample_that_shows_its_output(now: Digests) -> None:
    shown = {stage for sample in now.samples.values() for stage in sample.outputs}
    assert {reader_stage(name) for name in load_formats()} <= shown
    assert {"identity", "tokens", "cost", "duplicates", "secrets"} <= shown


def _digests(versions: dict[str, int], **outputs: dict[str, str]) -> Digests:
    samples = {name: Sample("same", output) for name, output in outputs.items()}
    return Digests(versions, samples)


BEFORE = _digests({"identity": 4, "tokens": 2}, a={"identity": "1", "tokens": "1"})


def test_a_change_without_a_new_version_says_which_and_where() -> None:
    after = _digests({"identity": 4, "tokens": 2}, a={"identity": "1", "tokens": "9"})
    (line,) = problems(BEFORE, after)
    assert line.startswith(
        "output of stage tokens changed on a: raise its version from 2 to 3 (records/stages.py"
    )


def test_a_new_version_allows_the_change_and_what_follows_from_it() -> None:
    both = {"tokens": "9", "identity": "9"}
    after = _digests({"identity": 5, "tokens": 2}, a=both)
    assert problems(BEFORE, after) == []
    still = _digests({"identity": 4, "tokens": 3}, a=both)
    assert ["identity" in line for line in problems(BEFORE, still)] == [True]


def test_a_sample_that_is_new_or_changed_asks_for_no_version() -> None:
    other = Digests(BEFORE.versions, {"a": Sample("edited", {"tokens": "9"})})
    assert problems(BEFORE, other) == []
    assert problems(BEFORE, _digests(BEFORE.versions, b={"tokens": "9"})) == []


def test_an_output_that_is_lost_is_a_change_and_a_version_is_never_lowered() -> None:
    lost = _digests(BEFORE.versions, a={"identity": "1"})
    assert len(problems(BEFORE, lost)) == 1
    lowered = _digests({"identity": 3, "tokens": 2}, a={"identity": "1", "tokens": "1"})
    assert problems(BEFORE, lowered) == ["the version of stage identity was lowered"]


def test_a_stage_that_is_gone_with_its_version_asks_for_nothing() -> None:
    gone = _digests({"identity": 4}, a={"identity": "1"})
    assert problems(BEFORE, gone) == []


def test_a_stage_that_is_changed_in_the_code_is_found_by_its_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = next(each for each in traces() if each.format == "openai_chat")
    before = run_stages(found)
    assert run_stages(found) == before
    monkeypatch.setattr(identity, "TITLE_CHARACTERS", 10)
    after = run_stages(found)
    assert [stage for stage in before if before[stage] != after[stage]] == ["identity"]
