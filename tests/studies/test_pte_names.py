"""One figure under one name: PTE is the paper's, and any other choice stands in the name."""

from pathlib import Path

import msgspec
import pytest

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.gamma import gamma
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.ledger.manifest import load, save
from agentdyno.ledger.reader import Ledger
from agentdyno.measures import pte
from agentdyno.pipelines.compare import compare
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.records import InputError
from agentdyno.reports.pte_names import name_pte
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.views import View
from tests.ledger.traces import write_jsonl

OPTIONS = MeasureOptions(workers=1, costs_only=True)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    return measure([write_jsonl(folder / "a.jsonl", range(3))], folder / "ledger", OPTIONS).ledger


def _summary(ledger: Path, view: View | None = None) -> Summary:
    summary: Summary = build_report(ledger, ("glance",), view).results["glance"].summary
    return summary


def test_a_ledgers_pte_are_the_papers_formula_over_its_turns(ledger: Path) -> None:
    rows = Ledger(ledger)
    turns = rows.read("turns").select("context_tokens", "decode_tokens").rows()
    architecture = rows.read("trajectories")["architecture"].unique().item()
    expected = pte.trajectory(turns, architecture=load_architectures()[architecture])
    assert _summary(ledger).pte == pytest.approx(expected)
    assert _summary(ledger).pte_name == "PTE"


@pytest.mark.parametrize(
    ("view", "name"),
    [
        (View(gamma="width"), "PTE (width)"),
        (View(cache="observed"), "PTE (observed cache)"),
        (View(gamma="width", cache="kept"), "PTE (width, kept cache)"),
    ],
)
def test_another_choice_stands_in_the_name_and_changes_the_figure(
    ledger: Path, view: View, name: str
) -> None:
    other = _summary(ledger, view)
    assert other.pte_name == name
    assert other.pte != pytest.approx(_summary(ledger).pte)


def test_a_report_says_the_name_wherever_it_says_pte(ledger: Path) -> None:
    topics = build_report(ledger, ("glance", "method"), View(gamma="width")).topics
    texts = msgspec.json.encode([topic for topic in topics if topic.anchor != "sheet"]).decode()
    assert "PTE (width)" in texts
    assert texts.count("PTE") == texts.count("PTE (width)")
    assert [name_pte(topic, "PTE") for topic in topics] == topics


def test_a_ledger_from_before_the_choice_is_relabelled_not_recomputed(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(2))
    old = MeasureOptions(workers=1, costs_only=True, gamma="width", cache="observed")
    folder = measure([traces], tmp_path / "old", old).ledger
    before = _summary(folder).pte
    manifest = load(folder)
    del manifest.options["gamma"]
    save(folder, manifest)
    assert (_summary(folder).pte, _summary(folder).pte_name) == (
        before, "PTE (width, observed cache)",
    )  # fmt: skip


def test_pte_of_two_forms_are_not_compared(ledger: Path, tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    wide = MeasureOptions(workers=1, costs_only=True, gamma="width")
    other = measure([traces], tmp_path / "wide", wide).ledger
    with pytest.raises(InputError, match="Pass --gamma paper"):
        compare(ledger, other)
    assert compare(ledger, other, view=View(gamma="paper")).pte_name == "PTE"


@pytest.mark.parametrize(
    ("name", "ratio"), [("glm-4.5", 2.40), ("qwen3-30b-a3b", 2.46), ("gpt-oss-120b", 0.80)]
)
def test_gamma_by_width_over_the_papers(name: str, ratio: float) -> None:
    """GLM-4.5: 96 heads of 128 are 2.4 times as wide as 5,120. Qwen3-30B-A3B: twice as wide, and
    3.3 over 2.68 billion parameters. GPT-OSS: half of the layers grow, 4,096 over 2,880 wide, 5.1
    over 4.52 billion."""
    shape, hardware = load_architectures()[name], resolve_hardware()
    width = gamma(shape, hardware, form="width").value
    assert width / gamma(shape, hardware).value == pytest.approx(ratio, abs=0.005)
