"""The examples run, and the guides' code is what the package accepts."""

import re
import subprocess
import sys
import types

from tests.conftest import ROOT


def test_measuring_one_trace_prints_turns_and_calls() -> None:
    script = ROOT / "examples" / "measure_one_trace.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "context_tokens" in done.stdout
    assert "result_tokens" in done.stdout


def test_the_format_of_the_guide_reads_its_log(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from agentdyno.intake.format import Source
    from agentdyno.intake.head import Head
    from agentdyno.records import BadRecord, Trajectory

    guide = (ROOT / "docs" / "guides" / "add-a-format.md").read_text()
    module = types.ModuleType("my_agent")
    exec(re.findall(r"```python\n(.*?)```", guide, re.S)[0], module.__dict__)
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"my_agent_version": 1, "task": "a", "events": ['
        '{"kind": "user", "text": "hi"},'
        '{"kind": "answer", "text": "hello", "prompt_tokens": 9, "output_tokens": 2}]}\n'
        '{"my_agent_version": 1, "task": 5}\n'
    )
    assert module.FORMAT.detect(Head(log)) == 0.95
    good, bad = module.FORMAT.read(Source(log, "log.jsonl"))
    assert isinstance(good, Trajectory)
    assert good.turns[0].prefill.tokens == 9
    assert isinstance(bad, BadRecord)
    assert bad.place == "line 2"
