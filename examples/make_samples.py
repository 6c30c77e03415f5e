"""Writes the sample traces that come with the package: `python examples/make_samples.py [FOLDER]`.

Nothing here was recorded: shop, questions and numbers are invented. Token counts are those of the
texts in the o200k vocabulary plus a constant per message. The same seed writes the same bytes.
"""

import json
import random
import sys
from pathlib import Path

from sample_traces.desk import SETTINGS, desk_talks
from sample_traces.pairs import (
    Pair,
    coding_pairs,
    inbox_pairs,
    maths_pairs,
    research_pairs,
    retail_talks,
)
from sample_traces.shapes import anthropic_line, chat_line, log_lines, session_lines, tau_record
from sample_traces.talk import Talk

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "packages/agentdyno/src/agentdyno/samples"
SEED = 7


def main(folder: Path) -> None:
    """Writes every file of the sample set."""
    rng = random.Random(SEED)
    files = {
        f"support-desk/{model}.{variant}.jsonl": _desk(model, variant)
        for model, variant in SETTINGS
    }
    files["word-problems.jsonl"] = [chat_line(t) for t in _both(maths_pairs())]
    files["research-log.jsonl"] = [
        line
        for number, talk in enumerate(_both(research_pairs()))
        for line in log_lines(talk, f"research-{number + 1}", rng)
    ]
    files["inbox.anthropic.jsonl"] = [anthropic_line(t) for t in _both(inbox_pairs())]
    for session, talk in zip(
        ("5e551011-re-read", "5e551012-clean"), _both(coding_pairs()), strict=True
    ):
        files[f"coding/{session}.jsonl"] = session_lines(talk, session, rng)
    retail = [tau_record(talk, trial) for trial, talk in enumerate(retail_talks())]
    files["gpt-4o-retail.tau.json"] = [json.dumps(retail, indent=1)]
    for name, lines in files.items():
        _write(folder / name, lines)


def _desk(model: str, variant: str) -> list[str]:
    return [chat_line(talk) for talk in desk_talks(model, variant)]


def _both(pairs: list[Pair]) -> list[Talk]:
    return [talk for pair in pairs for talk in (pair.shown, pair.clean)]


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES)
