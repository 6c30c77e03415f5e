"""Formats come through one door, and the surest one reads the file."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from agentdyno import plugins as doors
from agentdyno.intake.format import GROUP, Format, choose_format, find_format, load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, InputError, Trajectory


def nothing(source: Source) -> Iterator[Trajectory | BadRecord]:
    return iter(())


def sure(name: str, sureness: float) -> Format:
    return Format(name, name, lambda head: sureness, nothing)


def broken(head: Head) -> float:
    raise RuntimeError("a stranger's mistake")


THEIRS = sure("theirs", 1.0)


@pytest.fixture
def head(tmp_path: Path) -> Head:
    path = tmp_path / "file.json"
    path.write_text("{}")
    return Head(path)


def register(monkeypatch: pytest.MonkeyPatch, *entries: metadata.EntryPoint) -> None:
    installed = metadata.entry_points(group=GROUP)
    both = metadata.EntryPoints([*entries, *installed])
    monkeypatch.setattr(doors, "_list_installed", lambda path: both)


def test_built_in_formats_are_found_through_the_entry_points() -> None:
    assert {"openai_chat", "otel_genai"} <= load_formats().keys()
    assert all(name == format.name for name, format in load_formats().items())


def test_a_format_that_reads_no_file_is_not_imported() -> None:
    code = """
import sys
from agentdyno.intake.format import load_formats
load_formats()
print([name for name in sys.modules if name.startswith("agentdyno") and name.endswith(".read")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_third_partys_format_comes_in_by_the_same_door(
    monkeypatch: pytest.MonkeyPatch, head: Head
) -> None:
    register(monkeypatch, metadata.EntryPoint("theirs", f"{__name__}:THEIRS", GROUP))
    formats = load_formats()
    assert formats["theirs"] is THEIRS
    assert choose_format(head, formats) is THEIRS
    assert list(formats)[-1] == "theirs"


def test_a_third_party_cannot_take_a_built_in_name(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, metadata.EntryPoint("openai_chat", f"{__name__}:THEIRS", GROUP))
    assert load_formats()["openai_chat"] is not THEIRS


def test_the_surest_format_is_chosen(head: Head) -> None:
    formats = {name: sure(name, value) for name, value in (("a", 0.3), ("b", 0.9), ("c", 0.6))}
    chosen = choose_format(head, formats)
    assert chosen.name == "b"


def test_nothing_is_chosen_when_nobody_knows_the_file(head: Head) -> None:
    assert choose_format(head, {"a": sure("a", 0.0)}) is None
    assert choose_format(head, {}) is None


def test_a_detector_that_fails_does_not_stop_the_others(head: Head) -> None:
    formats = {"x": Format("x", "x", broken, nothing), "y": sure("y", 0.1)}
    assert choose_format(head, formats) is formats["y"]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"No format 'atfi'\. Known: atif\."):
        find_format("atfi", {"atif": sure("atif", 1)})


def test_ids_join_the_source_and_the_place(tmp_path: Path) -> None:
    assert Source(tmp_path, "run/a.jsonl").id_of("41") == "run/a.jsonl#41"


def test_a_format_is_read_whole_unless_it_says_otherwise(head: Head) -> None:
    assert sure("a", 1).by_line(head) is False


def test_the_likely_format_is_asked_first_and_taken_only_when_it_is_sure(head: Head) -> None:
    asked: list[str] = []

    def note(name: str, sureness: float) -> Format:
        return Format(name, name, lambda _: asked.append(name) or sureness, nothing)

    formats = {each.name: each for each in (note("a", 0.95), note("b", 0.97))}
    assert choose_format(head, formats, [formats["b"]]) is formats["b"]
    assert asked == ["b"]
    assert choose_format(head, formats, [formats["a"]]) is formats["b"]
