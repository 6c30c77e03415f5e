"""The steps of `action.yml`, run as a runner would, on versions of an agent."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

ACTION = msgspec.yaml.decode((Path(__file__).parent.parent / "action.yml").read_bytes())


def _write_agent(file: Path, answer_tokens: int, failing: int = 0) -> Path:
    """Conversations of one call at twenty tasks, all solved."""
    with file.open("w") as lines:
        for number in range(20):
            result = "Error: no such file" if number < failing else f"{number} lines"
            call = {"id": "c1", "function": {"name": "count", "arguments": "{}"}}
            usage = {"prompt_tokens": 500 + number, "completion_tokens": answer_tokens}
            messages = [
                {"role": "user", "content": f"How long is file {number}?"},
                {"role": "assistant", "tool_calls": [call], "usage": usage},
                {"role": "tool", "tool_call_id": "c1", "content": result},
                {"role": "assistant", "content": f"{number} lines.", "usage": usage},
            ]
            conversation = {"task_id": f"t{number}", "model": "gpt-4.1", "benchmark": "files",
                            "correct": True, "messages": messages}  # fmt: skip
            lines.write(msgspec.json.encode(conversation).decode() + "\n")
    return file


def _compare(folder: Path, candidate: Path, gates: str, **inputs: str) -> tuple[int, str]:
    """The step `Compare`, with the values that the action's inputs have."""
    step = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "compare")
    defaults = {name: value.get("default", "") for name, value in ACTION["inputs"].items()}
    values = {"traces": str(candidate), "baseline": "main", "gates": gates, **inputs}
    env = dict(os.environ, RUNNER_TEMP=str(folder), GITHUB_OUTPUT=str(folder / "output"),
               GITHUB_STEP_SUMMARY=str(folder / "summary"))  # fmt: skip
    for variable, expression in step["env"].items():
        name = expression.removeprefix("${{ inputs.").removesuffix(" }}")
        env[variable] = (defaults | values)[name]
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A runner's folder: AgentDyno installed, the baseline's ledger beside it."""
    (tmp_path / "agentdyno").symlink_to(Path(sys.executable).parent.parent)
    traces = _write_agent(tmp_path / "main.jsonl", 100)
    measure = [
        Path(sys.executable).with_name("agentdyno"),
        "measure",
        traces,
        "--out",
        tmp_path / "main",
    ]
    subprocess.run(measure, check=True, capture_output=True)
    return tmp_path


GATES = "usd:typical<=+5%\naccuracy>=-2pt\n\nfailed_calls<=+2pt\n"


def test_an_equal_agent_passes_and_the_comparison_is_in_the_summary(folder: Path) -> None:
    candidate = _write_agent(folder / "equal.jsonl", 101)
    status, printed = _compare(folder, candidate, GATES)
    assert status == 0, printed
    assert "accuracy is the same in all 20 tasks" in (folder / "summary").read_text()
    [output] = (folder / "output").read_text().splitlines()
    assert Path(output.removeprefix("comparison=")).read_text() in (folder / "summary").read_text()


def test_an_agent_that_got_dearer_ends_with_one(folder: Path) -> None:
    status, printed = _compare(folder, _write_agent(folder / "dear.jsonl", 300), GATES)
    assert status == 1, printed
    assert r"| usd:typical\<=+5% | BROKEN |" in (folder / "summary").read_text()


def test_calls_that_fail_are_seen(folder: Path) -> None:
    candidate = _write_agent(folder / "failing.jsonl", 100, failing=12)
    status, printed = _compare(folder, candidate, GATES)
    assert status == 1, printed
    assert r"failed\_calls\<=+2pt | BROKEN | +60.0 pt" in (folder / "summary").read_text()
