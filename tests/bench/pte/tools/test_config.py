"""The tools' configuration, and how a failure is worded."""

import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.pte.tools import ToolConfig, load_tool_config, read_tool_config
from agentdyno_bench.pte.tools.failure import ToolFailedError, clean
from tests.labelled import from_set


def test_a_file_sets_what_it_names_and_leaves_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "tools.toml"
    path.write_text('[python]\ntime_seconds = 5\n[visit]\nbackend = "http"\nports = [80]\n')
    config = load_tool_config(path)
    assert (config.python.time_seconds, config.visit.ports) == (5.0, (80,))
    assert config.search == ToolConfig().search


@from_set("bench/pte/tools/config", "text", "found")
def test_a_wrong_file_is_told_with_the_place(text: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=found):
        load_tool_config(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_tool_config(tmp_path / "tools.toml")


def test_unsafe_python_is_off_unless_asked_for() -> None:
    assert read_tool_config(None).python.unsafe_python is False
    assert read_tool_config(None, unsafe_python=True).python.unsafe_python is True


def test_importing_the_tools_imports_no_inspect() -> None:
    code = "import agentdyno_bench.pte.tools, sys; print('inspect_ai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@from_set("bench/pte/tools/config", "text")
def test_keys_do_not_show(text: str) -> None:
    assert "[key]" in clean(text)
    for part in ("abcdef1234567890", "eyJhbGciOi", "0123456789abcdef", "aaaaaaaaaa"):
        assert part not in clean(text)


def test_escapes_do_not_show_and_lines_stay() -> None:
    text = "\x1b[31mred\x1b[0m\nnext\x1b]0;title\x07 line\x07"
    shown = ToolFailedError(text).text
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert shown.splitlines()[0] == "red"
    assert shown.count("\n") == 1
