"""A verb's options come from a Struct, and its help from the sentences under the fields."""

import py_compile
from pathlib import Path

import pytest

from agentdyno.cli.verb import Verb, build_command

MODULE = '''
from msgspec import Struct
from agentdyno.cli.option_structs import takes_options

class Shared(Struct, frozen=True, kw_only=True):
    times: int = 1
    """How often."""

class Options(Shared, frozen=True, kw_only=True):
    word: str
    """What to say."""
    loud: bool = False

@takes_options
def command(given: Options) -> int:
    """Say a word."""
    print((given.word.upper() if given.loud else given.word) * given.times)
    return 0
'''


@pytest.mark.parametrize("has_source", [True, False])
def test_a_verb_runs_also_where_its_source_is_not_installed(
    has_source: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"a_verb_{'with' if has_source else 'without'}_source"
    source = tmp_path / f"{name}.py"
    source.write_text(MODULE)
    if not has_source:
        py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")))
        source.unlink()
    monkeypatch.syspath_prepend(tmp_path)
    command = build_command(Verb("say", "Other", f"{name}:command"))
    assert command is not None
    helps = {param.name: getattr(param, "help", None) for param in command.params}
    given = {"times": "How often.", "word": "What to say."} if has_source else {}
    assert helps == {"times": None, "word": None, "loud": None} | given
    assert command.main(["--word", "no", "--loud", "--times", "2"], standalone_mode=False) == 0
    assert capsys.readouterr().out == "NONO\n"
