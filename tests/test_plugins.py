"""Parts come in by entry points; a plug-in that fails costs only itself, and is named."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import msgspec
import polars as pl
import pytest

import agentdyno
from agentdyno.cli.app import app, run_guarded
from agentdyno.cost.architectures import GROUP as ARCHITECTURES
from agentdyno.cost.architectures import frontier_moe, load_architectures
from agentdyno.cost.shape import Architecture
from agentdyno.findings.patterns import DETECTORS, find_patterns, load_detectors
from agentdyno.findings.patterns.detector import GROUP as DETECTOR_GROUP
from agentdyno.findings.patterns.detector import Detector
from agentdyno.intake.format import GROUP, Format
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import empty_table
from agentdyno.pipelines.report import build_report
from agentdyno.plugins import load_plugins
from agentdyno.records import InputError
from agentdyno_bench.shared.judging.choosing import Truth, choose_kind, load_kinds
from tests.findings.patterns.trajectories import Call, Turn, trajectory
from tests.old_ledger import unpack
from tests.plugins import install

DETECTOR = """
from agentdyno.findings.patterns.detector import Detector
from agentdyno.records.patterns import Finding


def detect(reading):
    return [Finding("shouting", 0, None, "HELLO", "capital letters")]


DETECTOR = Detector("shouting", 3, detect)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_built_in_parts_are_registered_in_pyproject_like_any_others() -> None:
    assert list(load_detectors()) == [detector.name for detector in DETECTORS]
    assert list(load_kinds()) == ["utility", "failure", "answer", "completion"]
    assert "qwen3-32b" in load_plugins(ARCHITECTURES, Architecture)[0]
    assert load_plugins(GROUP, Format)[1] == []


def test_an_installed_detector_stands_beside_ours(here: Path) -> None:
    install(here, "shouts", DETECTOR, detectors="shouting = DETECTOR")
    found = load_detectors()
    assert (list(found)[-1], found["shouting"].version) == ("shouting", 3)
    seen = find_patterns(trajectory(Turn("hi")), detectors=tuple(found.values()))
    assert [finding.pattern for finding in seen] == ["shouting"]


def test_a_package_may_bring_several_parts_at_once(here: Path) -> None:
    more = DETECTOR + "\nBOTH = [DETECTOR, Detector('whispering', 1, detect)]\n"
    install(here, "voices", more, detectors="voices = BOTH")
    assert list(load_detectors())[-2:] == ["shouting", "whispering"]


def test_a_plug_in_that_fails_to_load_costs_only_itself_and_is_named(here: Path) -> None:
    install(here, "broken", "raise RuntimeError('no licence')", detectors="broken = DETECTOR")
    install(here, "leaves", "raise SystemExit(3)", detectors="leaves = DETECTOR")
    install(here, "wrong", "DETECTOR = len", detectors="wrong = DETECTOR")
    install(here, "shouts_", DETECTOR, detectors="shouting = DETECTOR")
    found, refused = load_plugins(DETECTOR_GROUP, Detector)
    assert "shouting" in found
    got = [(one.distribution, one.name) for one in refused]
    assert got == [("broken", "broken"), ("leaves", "leaves"), ("wrong", "wrong")]
    assert str(refused[0]) == "broken of broken (broken:DETECTOR): RuntimeError: no licence"
    assert "expected a agentdyno.findings.patterns.detector.Detector" in refused[2].error
    assert "found a builtin_function_or_method" in refused[2].error


def test_a_plug_in_cannot_take_a_name_of_ours(here: Path) -> None:
    install(
        here,
        "thief",
        DETECTOR.replace('"shouting", 3', '"reread_lines", 9'),
        detectors="x = DETECTOR",
    )
    found, refused = load_plugins(DETECTOR_GROUP, Detector)
    assert found["reread_lines"] in DETECTORS
    (one,) = refused
    assert one.error == "the name 'reread_lines' is taken; expected another one"


def test_hostile_text_of_a_plug_ins_error_is_made_printable(here: Path) -> None:
    install(here, "loud", "raise ValueError('\\x1b[2J' + 'a' * 999)", detectors="loud = X")
    (refused,) = load_plugins(DETECTOR_GROUP, Detector)[1]
    assert "\x1b" not in refused.error
    assert len(refused.error) <= 240


def test_a_detector_that_raises_is_told_and_the_others_find_what_they_find() -> None:
    def clumsy(reading: object) -> list[object]:
        raise KeyError("turn")

    wrong = "File does not exist."
    given = trajectory("find it", Turn("", [Call("Read", {"file_path": "/a.py"}, wrong, wrong)]))
    theirs = Detector("clumsy", 1, clumsy)  # type: ignore[arg-type]
    with pytest.warns(RuntimeWarning, match="clumsy failed on t: KeyError: 'turn'"):
        found = find_patterns(given, detectors=(theirs, *DETECTORS))
    assert found == find_patterns(given)
    assert [each.pattern for each in found] == ["lack_of_tool_priors"]


def test_an_installed_architecture_answers_by_its_name_and_leaves_ours_alone(
    tmp_path: Path,
) -> None:
    code = """
from msgspec import structs
from agentdyno.cost.registry import ARCHITECTURES
OWN = structs.replace(ARCHITECTURES[0], name="acme-9b", aliases=("acme/nine", "qwen3-32b"))
"""
    install(tmp_path, "acme", code, architectures="acme = OWN")
    ask = """
from agentdyno.cost.architectures import frontier_moe, load_architectures
from agentdyno.cost.architectures import match_architecture
import msgspec
names = [match_architecture(m).name for m in ("acme/nine", "ACME-9B", "Qwen/Qwen3-32B")]
known = list(load_architectures())
print(msgspec.json.encode([names, known, frontier_moe()]).decode())
"""
    names, known, proxy = json.loads(_python(tmp_path, ask))
    assert names == ["acme-9b", "acme-9b", "qwen3-32b"]
    assert known == [*load_architectures(), "acme-9b"]
    assert proxy == json.loads(msgspec.json.encode(frontier_moe()))


def test_an_installed_kind_can_be_asked_for_and_refuses_what_it_cannot_use(here: Path) -> None:
    code = """
from agentdyno_bench.shared.judging.choosing import JudgeKind
KIND = JudgeKind("politeness", "Was the agent polite", lambda options, truth: None)
"""
    install(here, "manners", code, judge_kinds="politeness = KIND")
    assert choose_kind("politeness", Truth()).title == "Was the agent polite"
    with pytest.raises(InputError, match="--tasks goes with --kind failure or completion, found"):
        choose_kind("politeness", Truth(tasks="bundled"))
    with pytest.raises(InputError, match=r"No kind 'rudeness'\. Known: .*completion, politeness"):
        choose_kind("rudeness", Truth())


def test_verdicts_of_an_installed_kind_are_in_the_report(ledger: Path) -> None:
    said = {"trajectory_id": ["traces/a.jsonl#1"], "kind": ["politeness"], "judge": ["plain"],
            "model": ["m"], "label": ["polite"], "attempts": [1]}  # fmt: skip
    frame = pl.concat([empty_table("verdicts"), pl.DataFrame(said)], how="diagonal_relaxed")
    add_derived(ledger, "verdicts", frame, next(iter(load(ledger).volumes)))
    text = agentdyno.report(ledger, form="md")
    assert "Politeness, by judge" in text
    assert "Politeness: 1 of 1 verdict with a label." in text


TELLER = """
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder


def study(inquiry):
    return {"trajectories": inquiry.summary.trajectories}


def tell(result):
    return Topic("mine", "A section of mine", f"{result['trajectories']} of them.", [], [], [])


def find(inquiry):
    yield Lever(name="mine", what="do it my way", where=[], amount=1.0, share=0.5,
                certainty="at most", assumption="none")


def fail(*given):
    raise RuntimeError("no licence")


SECTION = Section("mine", study, tell, dict)
FINDER = LeverFinder("mine", find)
MUTE = Section("mute", fail, tell, dict)
TONGUE_TIED = Section("tongue_tied", study, fail, dict)
NO_JSON = Section("no_json", lambda inquiry: object(), tell, dict)
BLIND = LeverFinder("blind", fail)
FAILING = [MUTE, TONGUE_TIED, NO_JSON]
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return unpack(tmp_path / "old")[0]


def test_an_installed_section_and_lever_are_in_every_form_of_the_report(
    here: Path, ledger: Path
) -> None:
    install(here, "teller", TELLER, topics="mine = SECTION", levers="mine = FINDER")
    for form in ("html", "md", "json"):
        text = agentdyno.report(ledger, form=form)
        assert "do it my way" in text.lower()
        said = '"mine":{"trajectories":3}' if form == "json" else "3 of them."
        assert said in text


def test_sections_and_levers_that_raise_are_told_and_cost_only_themselves(
    here: Path, ledger: Path
) -> None:
    before = build_report(ledger)
    install(here, "failing", TELLER, topics="failing = FAILING", levers="blind = BLIND")
    with pytest.warns(RuntimeWarning) as told:
        after = build_report(ledger)
    assert [topic.anchor for topic in after.topics] == [topic.anchor for topic in before.topics]
    assert {str(one.message) for one in told} == {
        "blind failed to find levers: RuntimeError: no licence",
        "mute failed to answer: RuntimeError: no licence",
        "no_json failed to answer: TypeError: Encoding objects of type object is unsupported",
        "tongue_tied failed to tell its result: RuntimeError: no licence",
    }


@pytest.mark.parametrize("verb", ["formats", "architectures", "doctor"])
def test_the_verbs_that_list_parts_name_those_that_failed(
    here: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    group = "architectures" if verb == "architectures" else "formats"
    install(here, "broken", "raise RuntimeError('no licence')", **{group: "broken = X"})
    assert run_guarded(partial(app, ["about", verb])) == 0
    expected = "failed to load: broken of broken (broken:X): RuntimeError: no licence\n"
    assert capsys.readouterr().err == expected
    assert run_guarded(partial(app, ["about", verb, "--json"])) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["error"] for one in told["refused"]] == ["RuntimeError: no licence"]


def test_doctor_names_a_part_of_any_group_that_failed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(here, "broken", "raise RuntimeError('no licence')", judge_kinds="broken = X")
    run_guarded(partial(app, ["about", "doctor"]))
    assert "failed to load: broken of broken (broken:X): RuntimeError" in capsys.readouterr().err


def _python(folder: Path, code: str) -> str:
    """What a fresh process prints that has the folder on its path."""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
