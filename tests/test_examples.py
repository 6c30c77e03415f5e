"""The examples run, and the guides' code is what the package accepts."""

import json
import re
import runpy
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.plugins import install


def test_measuring_one_trace_prints_turns_and_calls() -> None:
    script = ROOT / "examples" / "measure_one_trace.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "context_tokens" in done.stdout
    assert "result_tokens" in done.stdout


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("ask_a_ledger", "search_help"),
        ("compare_tool_suites", "without export_report, gpu_seconds: -"),
        ("own_detector", "samples/word-problems.jsonl#1 turn 0: "),
    ],
)
def test_the_examples_of_the_library_run(
    script: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / f"{script}.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path)])
        runpy.run_path(str(path), run_name="__main__")
    assert said in capsys.readouterr().out


def test_the_plug_in_of_the_guide_finds_advises_and_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import agentdyno

    guide = (ROOT / "docs" / "guides" / "extend.md").read_text()
    code = re.findall(r"```python\n(.*?)```", guide, re.S)[0]
    named = {"detectors": "x = DETECTOR", "levers": "x = LEVER", "topics": "x = SECTION"}
    site = install(tmp_path / "site", "my_package", code, **named)
    monkeypatch.syspath_prepend(str(site))
    log = tmp_path / "a.jsonl"
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "Sorry, no."}]
    log.write_text(json.dumps({"model": "m", "messages": said}) + "\n")
    text = agentdyno.report(agentdyno.measure(log, tmp_path / "ledger"), form="md")
    assert "apology" in text
    assert "end one turn earlier" in text.lower()
    assert "1 models." in text


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
