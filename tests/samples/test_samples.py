"""The sample traces: what the generator writes, small, and readable."""

import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.records import BadRecord

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "packages/agentdyno/src/agentdyno/samples"


def test_committed_files_equal_what_the_generator_writes(tmp_path: Path) -> None:
    script = ROOT / "examples" / "make_samples.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    assert _contents(tmp_path) == _contents(SAMPLES)


def test_samples_stay_small() -> None:
    assert sum(map(len, _contents(SAMPLES).values())) < 330_000


@pytest.mark.daily
def test_every_file_is_recognised_and_every_record_read() -> None:
    formats = load_formats()
    everything = list(discover([SAMPLES], formats))
    found = [item for item in everything if isinstance(item, Found)]
    assert [Path(i.name).name for i in everything if i not in found] == ["README.md"]
    items = [
        trajectory
        for item in found
        for source in pieces_of(item)
        for trajectory in formats[item.format].read(source)
    ]
    assert not [item for item in items if isinstance(item, BadRecord)]
    # 48 at the desk, 6 word problems, 6 questions, 2 of the inbox, 2 sessions, 3 in retail.
    assert len(items) == 67
    got = {item.format for item in found}
    assert got == {"openai_chat", "anthropic_messages", "claude_code", "tau_bench"}


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*.json*"))
    }
