"""Two ledgers, or two settings of one: is B cheaper than A, and as good?

    sides        one row per attempt on each side, sub-agents included     compare.sides
    comparable   refuse or warn where PTE would not mean the same          compare.comparable
    pairing      the same tasks on both sides, or why not                  compare.pairing
    measures     effect, interval and p of every metric                    compare.measures
    gates        what the data say about each limit                        compare.gates, judging

Takes the tables of both, returns a `Comparison`.
"""

from msgspec import Struct

from agentdyno.cost.physical import DEFAULT_CONCURRENCY
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.serving_evidence import Evidence, pick_worst, worst_evidence
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.comparable import check_comparable, refuse_missing_prices
from agentdyno.studies.comparison.gates import parse_gate
from agentdyno.studies.comparison.judging import doubt_seconds, judge_gate
from agentdyno.studies.comparison.measures import compare_metrics
from agentdyno.studies.comparison.pairing import Pairing, pair
from agentdyno.studies.comparison.results import Comparison
from agentdyno.studies.comparison.sides import Side, load_side
from agentdyno.studies.comparison.verdict import say_verdict
from agentdyno.studies.cost.seconds import servings_of
from agentdyno.studies.cost.unit import name_pte
from agentdyno.studies.tables import Tables


class CompareOptions(Struct, frozen=True):
    """What the user may choose."""

    setting_a: str = ""
    """Which trajectories of the first ledger: `model=gpt-4.1,variant=lean`; empty for all."""
    setting_b: str = ""
    """Which trajectories of the second."""
    gates: tuple[str, ...] = ()
    """Limits such as `pte<=+5%`."""
    confidence: float = 0.95
    """Of intervals and gates."""
    unit: CostUnit | None = None
    """What costs are compared in; None: money where most attempts of both sides have a price."""
    cache: CacheAssumption | None = None
    """The cache assumption for both; None takes the ledgers', which must then agree."""
    concurrency: int | None = None
    """Requests in progress at once on both sides, behind GPU-seconds; None: the hardware
    profile's, or the default."""

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise InputError(f"--confidence: expected a share like 0.95, found {self.confidence}.")


def study_comparison(a: Tables, b: Tables, options: CompareOptions | None = None) -> Comparison:
    """Compares B with A."""
    options = options or CompareOptions()
    gates = [parse_gate(text) for text in options.gates]
    at_once = _concurrency(a, options)
    first = load_side(a, options.setting_a, options.cache, "A", at_once)
    second = load_side(b, options.setting_b, options.cache, "B", at_once)
    warnings = check_comparable(first, second, options.cache)
    refuse_missing_prices(first, second, gates)
    pairing: Pairing = pair(first, second)
    metrics = compare_metrics(pairing, options.confidence)
    evidence = pick_worst([_evidence(side, at_once) for side in (first, second)])
    judged = [
        doubt_seconds(judge_gate(gate, pairing, options.confidence), evidence) for gate in gates
    ]
    unit = options.unit or choose_unit(first, second, pairing)
    return Comparison(
        a=first.summary,
        b=second.summary,
        paired=pairing.paired,
        pairing=pairing.sentence,
        confidence=options.confidence,
        cache=options.cache or first.cache,
        pte_name=name_pte(first.options, options.cache),
        hardware=first.hardware,
        concurrency=at_once,
        verdict=say_verdict(metrics, pairing, unit),
        metrics=metrics,
        gates=judged,
        warnings=warnings,
        unit=unit,
        evidence=evidence,
    )


def _evidence(side: Side, at_once: int) -> Evidence | None:
    """How far GPU-seconds of a side's models were off where such were measured."""
    servings = servings_of(side.options, at_once)
    models = side.attempts["model"].unique().to_list()
    return None if servings is None else worst_evidence(servings.of(model) for model in models)


def choose_unit(a: Side, b: Side, pairing: Pairing) -> CostUnit:
    """Money where both sides have attempts with a price; otherwise PTE, or over several
    architectures GPU-seconds."""
    if all(side.attempts["usd"].count() for side in (a, b)):
        return "usd"
    return "gpu_seconds" if pairing.apart else "pte"


def _concurrency(side: Tables, options: CompareOptions) -> int:
    """The same for both: how many ran at once when they were recorded is no property of either."""
    servings = servings_of(side.options, options.concurrency)
    concurrency = servings.concurrency if servings else options.concurrency
    return concurrency or DEFAULT_CONCURRENCY


__all__ = ["CompareOptions", "choose_unit", "study_comparison"]
