"""What the verbs print: one JSON object for programs, tables for people, nothing on stderr."""

import os
import re
import signal
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path

import pytest

from agentdyno import __version__
from agentdyno.cli.verb import build_command, load_verbs
from agentdyno.cli.verbs import VERBS
from tests.cli.run import Agentdyno
from tests.conftest import ROOT
from tests.ledger.traces import write_jsonl
from tests.plugins import install

SETTING = {
    "model", "benchmark", "variant", "trajectories", "accuracy", "pte_mean", "tokens_mean",
    "calls_mean",
}  # fmt: skip


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "traces" / "a.jsonl", range(6)).parent


def test_measure_json_has_what_programs_rely_on(agentdyno: Agentdyno, traces: Path) -> None:
    assert agentdyno.measure(traces, "--json") == 0
    found = agentdyno.object()
    assert (found["trajectories"], found["turns"], found["calls"]) == (6, 12, 6)
    assert (found["bad_records"], found["by_format"]) == (0, {"openai_chat": 6})
    assert found["ledger"] == str(agentdyno.ledger)
    (setting,) = found["settings"]
    assert setting.keys() >= SETTING
    # Tasks 0 and 3 of 0 to 5 were solved.
    assert setting["accuracy"] == pytest.approx(2 / 6)
    assert (setting["model"], setting["benchmark"], setting["calls_mean"]) == ("qwen3-32b", None, 1)
    tools = {tool["tool"]: tool for tool in found["tools"]}
    assert tools.keys() == {"search", "idle"}
    assert all(tool.keys() >= {"tool", "calls", "cost", "share"} for tool in tools.values())
    assert (tools["search"]["calls"], tools["idle"]["calls"]) == (6, 0)
    assert tools["idle"]["cost"] > 0
    assert (found["files"], found["new_files"], found["read_again"]) == (1, 1, 0)
    assert agentdyno.err == ""


def test_the_first_screen_of_attempts_is_the_dyno_sheet(agentdyno: Agentdyno, traces: Path) -> None:
    assert agentdyno.measure(traces) == 0
    for words in ("Dyno sheet", "33 % [10, 70]", "PTE a solved task", "DTR: agentdyno", "next: "):
        assert words in agentdyno.out
    assert agentdyno.err == ""


@pytest.mark.daily
def test_the_first_screen_of_sessions_fits_and_is_in_dollars(agentdyno: Agentdyno) -> None:
    assert agentdyno.measure(ROOT / "examples" / "week") == 0
    lines = agentdyno.out.splitlines()
    *screen, notes, command = lines
    assert len(lines) <= 24
    assert max(map(len, screen)) <= 80
    assert notes.startswith("How these figures were made: agentdyno about notes ")
    assert command.startswith("next: agentdyno report ")
    assert lines[0].startswith("$0.908: ")
    assert "No single change would surely save 1 % or more." in lines


@pytest.mark.daily
def test_sessions_are_summed_up_by_what_is_asked_for(agentdyno: Agentdyno) -> None:
    agentdyno.measure()
    assert agentdyno.run("report", agentdyno.ledger, "--by", "model") == 0
    heads = (
        "| model | cost | sessions | turns | fresh input | cache writes | cache reads | output |"
    )
    assert heads in agentdyno.out
    assert (
        agentdyno.run("report", agentdyno.ledger, "--by", "session", "--unit", "gpu-seconds") == 0
    )
    assert "| session | date | GPU-seconds | duration |" in agentdyno.out


def test_report_gives_the_same_numbers_as_markdown_and_json(
    agentdyno: Agentdyno, traces: Path, tmp_path: Path
) -> None:
    agentdyno.measure(traces, "--json")
    measured = agentdyno.object()
    assert agentdyno.run("report", agentdyno.ledger, "--format", "json") == 0
    as_json = agentdyno.object()
    summary = as_json["results"]["glance"]["summary"]
    assert {key: measured[key] for key in summary} == summary
    assert agentdyno.run("report", agentdyno.ledger, "--json") == 0
    assert agentdyno.object() == as_json
    assert agentdyno.run("report", agentdyno.ledger, "--format", "md") == 0
    assert agentdyno.out.startswith("# What it cost, and why: ")
    markdown = agentdyno.out
    assert agentdyno.run("report", agentdyno.ledger, "--format", "md", "-o", tmp_path / "r.md") == 0
    assert agentdyno.out == ""
    assert (tmp_path / "r.md").read_text() == markdown


def test_arch_json_has_both_gammas_on_the_hardware(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("about", "architectures", "--json", "--hardware", "h200") == 0
    found = agentdyno.object()
    assert found["hardware"] == "h200"
    assert len(found["architectures"]) > 13
    assert all(row["gamma"] > 0 and row["gamma_paper"] > 0 for row in found["architectures"])
    assert agentdyno.run("about", "architectures", "qwen3-32b", "--json") == 0
    (row,) = agentdyno.object()["architectures"]
    # 64 layers * 8 heads * 128 * 2 * 2 bytes = 262,144 bytes a token.
    assert row["kv_bytes_per_token"] == 262_144


@pytest.mark.daily
def test_hardware_and_formats_json(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("about", "hardware", "--json") == 0
    names = {row["name"] for row in agentdyno.object()["hardware"]}
    assert names >= {"h100-pcie", "h200", "a100", "v100", "mi300x", "b200", "l40s", "h100-sxm"}
    assert agentdyno.run("about", "formats", "--json") == 0
    rows = agentdyno.object()["formats"]
    names = {row["name"] for row in rows}
    assert {row["name"]: row["has_real_file"] for row in rows}["langsmith"] is False
    assert names >= {
        "openai_chat", "anthropic_messages", "inspect_ai", "tau_bench", "tau2_bench",
        "claude_code", "otel_genai", "atif",
    }  # fmt: skip


@pytest.mark.parametrize("subject", ["architectures", "hardware", "formats"])
def test_lists_are_readable_without_json(agentdyno: Agentdyno, subject: str) -> None:
    assert agentdyno.run("about", subject) == 0
    assert agentdyno.out.count("\n") > 5
    assert agentdyno.err == ""


HEAVY = ("polars", "numpy", "scipy", "torch", "inspect_ai", "splintr", "altair", "ray")
LOADED = f"""
import sys
from agentdyno.cli.app import app, run_guarded
run_guarded(lambda **how: app(["measure", "--help"], **how))
run_guarded(lambda **how: app(["--help"], **how))
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""


def test_help_loads_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"
    for verb in ("measure", "report", "about", "paper", "follow"):
        assert f" {verb} " in done.stdout
    assert "--max-record-mb" in done.stdout


@pytest.mark.parametrize(("own", "kept"), [(None, "1"), ("3", "3")])
def test_measuring_asks_for_no_threads_that_nobody_uses(
    agentdyno: Agentdyno, traces: Path, monkeypatch: pytest.MonkeyPatch, own: str | None, kept: str
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", own or "")
    if own is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    assert agentdyno.measure(traces) == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == kept


def _command(*words: object, **how: object) -> "subprocess.Popen[bytes]":
    code = "from agentdyno.cli import main; main()"
    args = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(args, stdout=-1, stderr=-1, **how)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "words", [["about", "architectures"], ["about", "architectures", "--json"], ["--help"]]
)
def test_a_reader_that_has_seen_enough_is_no_failure(words: list[str]) -> None:
    process = _command(*words)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_a_code_page_without_dashes_is_no_failure(tmp_path: Path, traces: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    out, err = _command("measure", traces, "--out", tmp_path / "l", env=environment).communicate()
    assert (b"6 trajectories" in out, err) == (True, b"")


@pytest.mark.skipif(os.name != "posix", reason="sends an interrupt as a terminal does")
def test_an_interrupt_is_answered_in_a_sentence(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", range(400), calls=6)
    path.write_text(path.read_text() * 12)
    process = _command("measure", path, "--out", tmp_path / "ledger", start_new_session=True)
    while not (tmp_path / "ledger" / "manifest.json").exists():
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == b""
    assert b"Interrupted. What was finished is kept" in err
    assert b"Traceback" not in err


def test_every_verb_stands_in_a_group_with_a_whole_sentence(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("--help") == 0
    verbs = load_verbs()
    assert {"measure", "judge", "bench", "depth", "train"} <= set(verbs)
    for verb in verbs.values():
        assert f"─ {verb.panel} ─" in agentdyno.out
        assert (f"│ {verb.name} " in agentdyno.out) is not verb.is_hidden
    assert "..." not in agentdyno.out.replace("[ARGS]...", "")
    sentences = [str(getattr(build_command(verb), "help", "")) for verb in verbs.values()]
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)


VERB = """
from agentdyno.cli.verb import Verb

VERBS = (
    Verb("greet", "Greetings", "greeting:greet"),
    Verb("broken", "Greetings", "greeting:nothing"),
)


def greet(name: str) -> int:
    \"\"\"Greet somebody.\"\"\"
    print(f"hello {name}")
    return 0
"""


def test_a_verb_of_a_third_party_comes_in_by_its_entry_point(
    agentdyno: Agentdyno, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "greeting", VERB, verbs="greeting = VERBS")
    assert agentdyno.run("greet", "you") == 0
    assert agentdyno.out == "hello you\n"
    with pytest.warns(RuntimeWarning, match="broken failed to load: AttributeError"):
        assert agentdyno.run("--help") == 0
    assert "Greet somebody." in agentdyno.out


def test_the_version_is_the_packages_own(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("--version") == 0
    assert agentdyno.out == f"agentdyno {__version__}\n"


@pytest.mark.parametrize(
    ("module", "extra"),
    [("inspect_ai", "bench"), ("bm25s", "bench"), ("math_verify", "bench"), ("mcp_types", "mcp"),
     ("torch.nn", "depth"), ("gguf", "depth"), ("ray", "scale"), ("trl", "train")],
)  # fmt: skip
def test_a_missing_package_is_answered_with_the_command_of_its_extra(
    agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch, module: str, extra: str
) -> None:
    def missing() -> None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr("agentdyno.cost.bundled_prices.price_collection", missing)
    assert agentdyno.run("about", "prices") == 2
    assert agentdyno.err.endswith(f"Install it: pip install 'agentdyno[{extra}]'\n")


def test_a_long_path_in_an_error_loses_its_middle(agentdyno: Agentdyno, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*(f"folder-{n:03}" for n in range(40)), "ledger")
    assert agentdyno.run("report", deep) == 2
    assert str(tmp_path)[:20] in agentdyno.err
    assert "…" in agentdyno.err
    assert "folder-039/ledger" in agentdyno.err


def test_the_readme_lists_every_verb() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    listed = text[text.index("## All commands") : text.index("## How it is built")]
    shown = [verb.name for verb in VERBS if not verb.is_hidden]
    assert not [name for name in shown if not re.search(rf"\b{name}\b", listed)]


@pytest.mark.daily
def test_no_flag_looks_as_if_a_word_had_to_follow(agentdyno: Agentdyno) -> None:
    for words in ([], ["report"], ["view"], ["ledger", "merge"], ["budget"]):
        assert agentdyno.run(*words, "--help") == 0
        assert "bool>" not in agentdyno.out
        assert "--help" in agentdyno.out


def test_the_help_has_at_most_24_verbs_in_three_groups() -> None:
    shown = [verb for verb in load_verbs().values() if not verb.is_hidden]
    assert len(shown) <= 24
    assert [panel for panel, _ in groupby(verb.panel for verb in shown)] == [
        "Measure", "The papers", "Every day",
    ]  # fmt: skip


def test_a_misspelt_verb_is_answered_with_the_one_that_was_meant() -> None:
    _, err = _command("reprot").communicate()
    assert b"report" in err


def test_verbs_that_moved_say_where_they_are_now(agentdyno: Agentdyno) -> None:
    for verb, now in (("formats", "about formats"), ("undo", "apply --undo")):
        assert agentdyno.run(verb) == 2
        assert f"agentdyno {now}" in agentdyno.err
