"""How often the interval of `agentdyno proof` holds the truth, over scripted months of commands.

    python bench/applied_months.py [--months 200] [--sessions 40] [--scatter 0.6]

A month: sessions of a scripted agent, `measure`, `apply` of the lever that writes the cache for 5
minutes, sessions under the new settings (longer ones), `measure`, which proves by itself, `undo`.
The true effect is the geometric mean over 20,000 sessions billed both ways. Prints the share of the
months whose 95 % interval holds it, the verdicts, what was predicted, and whether every settings
file was put back byte for byte. `proof_coverage.py` has other effects, without readers.
"""

import argparse
import io
import json
import math
import os
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from agentdyno.cli.app import app, run_guarded
from agentdyno.estimates.proportions import wilson
from agentdyno.ledger.applied_changes import read_applied

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.pipelines.scripted_month import DAY, ScriptedAgent, true_effect

SHORTER, LONGER = 12, 20
SETTINGS = '{\n  "model": "opus"\n}\n'


def main() -> None:
    """Prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--months", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--scatter", type=float, default=0.6)
    given = parser.parse_args()
    truth = true_effect(random.Random(0), (SHORTER + LONGER) // 2, given.scatter, 20_000)
    verdicts, widths, predicted, held, same = Counter[str](), [], [], 0, 0
    for seed in range(given.months):
        with tempfile.TemporaryDirectory() as folder:
            realised, ratio, is_same = run_month(Path(folder), seed, given.sessions, given.scatter)
        same += is_same
        predicted.append(ratio)
        if realised is None:
            verdicts["without an interval"] += 1
            continue
        outcome, low, high = realised
        verdicts[outcome] += 1
        held += low <= truth <= high
        widths.append(math.log(high / low))
    share = wilson(held, len(widths))
    print(f"true effect {truth:.3f}; {given.months} months of {given.sessions} sessions")
    print(f"held by {held} of {len(widths)} intervals, {share.value or 0:.3f} "
          f"[{share.low or 0:.3f}, {share.high or 0:.3f}]")  # fmt: skip
    print(f"mean width {math.exp(sum(widths) / len(widths)):.2f}x; verdicts {dict(verdicts)}")
    print(f"predicted {min(predicted):.3f} to {max(predicted):.3f}, "
          f"mean {sum(predicted) / len(predicted):.3f}")  # fmt: skip
    print(f"put back byte for byte: {same} of {given.months}")


def run_month(
    folder: Path, seed: int, sessions: int, scatter: float
) -> tuple[tuple[str, float, float] | None, float, bool]:
    """What came of the change, what was predicted, and whether `undo` restored the settings."""
    os.environ |= {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    agent = ScriptedAgent(folder, seed, scatter)
    agent.sessions.mkdir(parents=True)
    agent.settings.write_text(SETTINGS)
    ledger, now = folder / "ledger", time.time()
    agent.work(now - 14 * DAY, 13.5, sessions // 2, SHORTER)
    run("measure", agent.sessions, "--out", ledger, "--workers", 1)
    levers = json.loads(run("apply", ledger, "--json"))
    number = next(n for n, each in enumerate(levers, 1) if each["name"] == "cache_lifetime")
    run("apply", ledger, number, "--yes")
    agent.work(now + 60, 13.5, sessions - sessions // 2, LONGER)
    run("measure", agent.sessions, "--out", ledger, "--workers", 1)
    [note] = read_applied(ledger)
    run("undo", ledger, 1, "--yes")
    found = note.realised
    realised = None if found is None else (found.outcome, found.low, found.high)
    return realised, note.predicted, agent.settings.read_text() == SETTINGS


def run(*words: object) -> str:
    """What a command prints; raises where it fails."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run_guarded(lambda **how: app([str(word) for word in words], **how))
    if code:
        raise RuntimeError(f"{words}: exit {code}: {err.getvalue()}")
    return out.getvalue()


if __name__ == "__main__":
    main()
