"""What every stage makes of the repository's own sample traces, as digests.

Takes the bundled samples and `tests/data`, returns a digest per sample and stage.
Digests are of output and not of source text, so that moving or rewriting code costs nobody a second
reading. Floats count to nine digits: machines differ in the last ones.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.registry import ARCHITECTURES
from agentdyno.cost.tables import Frames, measure_costs
from agentdyno.cost.toml_files import read_bundled
from agentdyno.findings.patterns import DETECTORS
from agentdyno.findings.scheduling.table import VERSIONS
from agentdyno.intake.discover import Found, discover
from agentdyno.intake.format import load_formats
from agentdyno.intake.identity import identify
from agentdyno.intake.source import Source
from agentdyno.ledger.counted_rows import KIN
from agentdyno.ledger.file_names import SUMS
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.volume_sums import VolumeSums
from agentdyno.ledger.volume_tables import SUMS_VERSION
from agentdyno.pipelines.derivations import PATTERNS, SCHEDULES
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.report import build_overview
from agentdyno.pipelines.versions import current_versions
from agentdyno.records import Trajectory
from agentdyno.records.secrets import clean_text
from agentdyno.records.stages import reader_stage
from agentdyno.studies.derivation import Ground, derive_rows
from agentdyno_bench.toolfail.findings.unlabelled import CHECK_VERSIONS
from agentdyno_bench.toolfail.studies.doubt_rows import check_rows
from tests.fake_secrets import FAKES
from tests.pipelines.session_corpus import write_corpus

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("packages/agentdyno/src/agentdyno/samples", "tests/data")
SCHEDULED = {
    "dependencies": "schedule edges",
    "scheduling": "schedule missed_parallelism",
    "joins": "schedule missed_parallelism",
    "planning": "schedule planning",
    "placements": "schedule planning",
}
"""Tables of schedules, with the stage that decides each."""
_COST = ("pte", "usd", "gamma", "architecture")
"""How columns begin that the stage `cost` decides."""
_IDENTITY = ("identity", "title")
COUNTS = ("fast", "exact")


class Sample(Struct, frozen=True):
    """One trace, or one list of data that decides rows."""

    contents: str
    """A digest of what goes in: where that changed, no stage is asked why its output did."""
    outputs: dict[str, str]
    """A digest of what each stage makes of it, in the order of the stages."""


def stage_versions() -> dict[str, int]:
    """Every stage that decides rows, with its version now."""
    return {
        **current_versions(),
        **{f"pattern {detector.name}": detector.version for detector in DETECTORS},
        **{f"schedule {name}": version for name, version in VERSIONS.items()},
        **{f"check {name}": version for name, version in CHECK_VERSIONS.items()},
        "sums": SUMS_VERSION,
    }


def build_samples(folder: Path) -> dict[str, Sample]:
    """Every sample by name; `folder` is an empty one to work in."""
    samples = {each.name: Sample(_digest_file(each.path), run_stages(each)) for each in traces()}
    return {**samples, "copied sessions": _copied_sessions(folder), **_data()}


def _data() -> dict[str, Sample]:
    """Tables that decide rows of models which no sample has."""
    # Bits decide GPU-seconds, which no row of a ledger holds.
    shapes = [{k: v for k, v in _fields(a).items() if k != "precision"} for a in ARCHITECTURES]
    cleaned = [clean_text(text) for text, _ in FAKES.values()]
    return {
        "prices and tiers": Sample("", {"cost": _digest(read_bundled("prices.toml"))}),
        "architectures": Sample("", {"cost": _digest(shapes)}),
        "calibration": Sample("", {"tokens": _digest(read_bundled("token_calibration.toml"))}),
        "made-up secrets": Sample(_digest(FAKES), {"secrets": _digest(cleaned)}),
    }


# One trace ----------------------------------------------------------------------------------------


def traces() -> Iterator[Found]:
    formats = load_formats()
    for folder in FOLDERS:
        for item in discover([ROOT / folder], formats):
            if isinstance(item, Found) and "ledger_0.1.0" not in item.name:
                yield item


def run_stages(found: Found) -> dict[str, str]:
    """A trace through every stage; a stage without output is left out."""
    source, formats = Source(found.path, found.name), load_formats()
    items = list(formats[found.format].read(source))
    made: dict[str, Any] = {reader_stage(found.format): [_fields(item) for item in items]}
    good = [identify(item, source) for item in items if isinstance(item, Trajectory)]
    made["identity"] = [_identities(trajectory) for trajectory in good]
    fast, exact = (measure_costs(good, build_meter(MeterOptions(count=c))) for c in COUNTS)
    both = [*fast.items(), *exact.items()]
    made["tokens"] = [(name, _rows(frame, cost=False)) for name, frame in both if len(frame)]
    made["cost"] = [(name, _rows(frame, cost=True)) for name, frame in both if len(frame)]
    made |= _derive(good, fast, Ground("evicted", {found.name: (str(found.path), found.format)}))
    return {stage: _digest(output) for stage, output in made.items() if output}


def _derive(good: list[Trajectory], measured: Frames, ground: Ground) -> dict[str, Any]:
    """What detectors, schedules and checks make of it."""
    made: dict[str, list[Any]] = {}
    makers = [derivation.begin(ground) for derivation in (PATTERNS, SCHEDULES)]
    for table, frame in derive_rows(makers, good, measured):
        for row in frame.to_dicts():
            stage = SCHEDULED.get(table) or f"pattern {row['pattern']}"
            made.setdefault(stage, []).append([table, row])
    for row in chain.from_iterable(check_rows(each, unproven=True) for each in good):
        made.setdefault(f"check {row['rule']}", []).append(row)
    return dict(sorted(made.items()))


def _identities(trajectory: Trajectory) -> list[Any]:
    turns = [(turn.identity, turn.stands_for) for turn in trajectory.turns]
    return [trajectory.trajectory_id, trajectory.title, turns]


def _rows(frame: pl.DataFrame, cost: bool) -> list[dict[str, Any]]:
    """The columns that the stage `cost` decides, or all others but those of identity."""
    own = [c for c in frame.columns if c.startswith(_COST) == cost and c not in _IDENTITY]
    return frame.select(own).to_dicts()


def _copied_sessions(folder: Path) -> Sample:
    """Sessions that were forked, resumed and copied: which of their responses count."""
    write_corpus(folder / "sessions")
    files = [each for each in discover([folder], load_formats()) if isinstance(each, Found)]
    each_alone = [run_stages(found) for found in files]
    outputs = {stage: _digest([o.get(stage) for o in each_alone]) for stage in each_alone[0]}
    chained = {stage: outputs[stage] for stage in outputs if stage.split()[0] in _BEFORE}
    shutil.copytree(folder / "sessions", folder / "backup" / "sessions")
    options = MeasureOptions(workers=1, costs_only=True)
    measure([folder / "sessions", folder / "backup"], folder / "ledger", options)
    ledger = Ledger(folder / "ledger")
    kin = ledger.read("trajectories").select("trajectory_id", *KIN).sort("trajectory_id")
    repeats = ledger.read("repeats").sort("trajectory_id", "turn")
    contents = _digest([_digest_file(found.path) for found in files])
    counted = {"duplicates": _digest([kin.to_dicts(), repeats.to_dicts()])}
    return Sample(contents, {**chained, **counted, "sums": _digest(_sums(folder / "ledger"))})


def _sums(ledger: Path) -> list[str]:
    """What is kept of every volume for the first screen, in an order that does not matter."""
    build_overview(ledger)
    found = []
    for path in (ledger / SUMS).iterdir():
        for name, kept in VolumeSums(ledger, path.name)._kept.items():
            frames = {k: pl.read_ipc_stream(bytes(data)) for k, data in kept.frames.items()}
            rows = {k: sorted(map(_digest, frame.to_dicts())) for k, frame in frames.items()}
            found.append(_digest([name, rows]))
    return sorted(found)


_BEFORE = ("reader", "identity", "tokens", "cost")
"""Stages before responses are compared, by their first word."""


# Digests ------------------------------------------------------------------------------------------


def _fields(value: Any) -> Any:
    if isinstance(value, Struct):
        return {name: _fields(field) for name, field in structs.asdict(value).items()}
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        return msgspec.to_builtins(value, enc_hook=str)
    return [_fields(each) for each in value]


def _digest(value: Any) -> str:
    text = json.dumps(_plain(value), sort_keys=True, ensure_ascii=True)
    return blake2b(text.encode(), digest_size=6).hexdigest()


def _plain(value: Any) -> Any:
    """What is unknown is left out: a column that is new and empty changes nothing."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, str | int) or value is None:
        return value
    return [_plain(each) for each in value] if isinstance(value, Iterable) else str(value)


def _digest_file(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=6).hexdigest()
