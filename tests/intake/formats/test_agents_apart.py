"""No agent's file is taken for another's, although several share envelopes and shapes."""

from pathlib import Path

import pytest

from agentdyno.intake.format import choose_format, load_formats
from agentdyno.intake.head import Head

DATA = Path(__file__).resolve().parents[2] / "data"
AGENTS = ("claude_code", "codex", "copilot_cli", "gemini_cli", "qwen_code")


@pytest.mark.parametrize("agent", AGENTS)
def test_only_its_own_format_knows_a_file(agent: str) -> None:
    formats = load_formats()
    files = [p for p in (DATA / agent).rglob("*") if p.suffix in (".json", ".jsonl")]
    assert files
    for path in files:
        head = Head(path)
        assert choose_format(head, formats) is formats[agent]
        others = [name for name in AGENTS if name != agent and formats[name].detect(head)]
        assert not others, path


@pytest.mark.parametrize("agent", AGENTS)
def test_files_of_other_sources_are_declined(agent: str, real_traces: Path) -> None:
    detect = load_formats()[agent].detect
    endings = (".json", ".jsonl", ".traj", ".log")
    files = [p for p in real_traces.rglob("*") if p.suffix in endings and p.is_file()]
    taken = {p.relative_to(real_traces).parts[0] for p in files if detect(Head(p))}
    assert taken == {agent}
