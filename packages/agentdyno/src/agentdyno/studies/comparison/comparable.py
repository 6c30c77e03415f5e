"""Would the same number mean the same on both sides? Refuses where not, warns where in doubt."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from agentdyno.cost.price_lookup import tariff_of
from agentdyno.records import InputError, plural, printable
from agentdyno.studies.comparison.gates import Gate
from agentdyno.studies.comparison.sides import Side
from agentdyno.studies.cost.unit import name_pte


def check_comparable(a: Side, b: Side, cache: str | None) -> list[str]:
    """Warnings; raises where PTE of the two sides has different units."""
    if cache is None and a.cache != b.cache:
        raise InputError(
            f"PTE is not comparable: A was measured with the {a.cache} cache, B with {b.cache}. "
            "Pass --cache evicted (or reported, kept): a ledger holds all three."
        )
    _refuse_other_gammas(a, b)
    _refuse_other_hardware(a, b)
    checks = (_gammas, _architectures, _count_comparable, _token_sources, _prices, _mixtures)
    return [line for check in checks for line in check(a, b)]


def refuse_missing_prices(a: Side, b: Side, gates: Sequence[Gate]) -> None:
    """A limit on money needs the money of every attempt: those without a price would be free."""
    for gate in (gate for gate in gates if gate.metric == "usd" and gate.statistic == "mean"):
        for name, side in (("A", a), ("B", b))[gate.against == "mean" :]:
            unpriced = side.attempts.filter(pl.col("usd").is_null())
            if len(unpriced):
                raise InputError(
                    f"--gate {gate.text!r}: expected a price for every turn, found turns without "
                    f"one in {len(unpriced):,} of {plural(len(side.attempts), 'attempt')} of "
                    f"{name}: {_list_unpriced(unpriced, side)}. Pass --prices FILE with a price "
                    "for each model, or gate usd:typical (which leaves those tasks out), pte or "
                    "gpu_seconds."
                )


def _list_unpriced(attempts: pl.DataFrame, side: Side) -> str:
    """The models without a price, those of sub-agents included, by the attempts they are in."""
    counts = attempts.explode("unpriced").group_by("unpriced").agg(many=pl.len())
    rows = counts.sort("many", "unpriced", descending=[True, False]).rows()
    file = side.options.get("prices")
    path = Path(file) if file and Path(file).is_file() else None
    named = [f"{_describe_unpriced(model, path)} ({many:,})" for model, many in rows[:5]]
    return ", ".join(named) + (", …" if len(rows) > 5 else "")


def _describe_unpriced(model: str, prices: Path | None) -> str:
    if not model:
        return "turns that name no model"
    name = printable(model, 40)
    if tariff_of(model, prices) is None:
        return name
    return f"{name} (listed, but not for this service tier or for what was read from the cache)"


def _refuse_other_gammas(a: Side, b: Side) -> None:
    first, second = name_pte(a.options, "evicted"), name_pte(b.options, "evicted")
    if first != second:
        raise InputError(
            f"PTE is not comparable: A has {first}, B {second}. Pass --gamma paper (or width): "
            "both are then computed by it."
        )


def _refuse_other_hardware(a: Side, b: Side) -> None:
    first, second = (_with_digest(side, "hardware") for side in (a, b))
    if first != second:
        raise InputError(
            f"PTE is not comparable: A was measured for {printable(a.hardware, 60)}, B for "
            f"{printable(b.hardware, 60)}. Pass --hardware NAME: both are then seen on it."
        )


def _with_digest(side: Side, option: str) -> tuple[object, object]:
    """An option, and what its file held: the same name may stand for other contents."""
    return side.options.get(option), side.options.get("files", {}).get(option)


def _gammas(a: Side, b: Side) -> list[str]:
    first, second = (_values(side, "gamma_source") for side in (a, b))
    if first == second:
        return []
    unit = "PTE" if len(a.architectures | b.architectures) < 2 else "GPU-seconds"
    return [
        f"gamma comes from {_list(first)} in A and from {_list(second)} in B: part of a "
        f"difference in {unit} may be the stand-in's. Pass --arch NAME to see both as the same."
    ]


def _architectures(a: Side, b: Side) -> list[str]:
    first, second = (_values(side, "architecture") for side in (a, b))
    if first == second:
        return []
    if a.summary.models != b.summary.models:
        return [
            f"A ran on {_list(first)}, B on {_list(second)}: one PTE is a prefilled token of "
            "its own model, so PTE does not compare them. GPU-seconds do, on this hardware."
        ]
    return [
        f"the same models were measured as {_list(first)} in A and as {_list(second)} in B: "
        "PTE is not comparable. Pass --arch NAME to see both as the same."
    ]


def _count_comparable(a: Side, b: Side) -> list[str]:
    if all(_with_digest(a, o) == _with_digest(b, o) for o in ("count", "tokenizer")):
        return []
    return ["tokens were counted with other options (--count, --tokenizer) in A than in B."]


def _token_sources(a: Side, b: Side) -> list[str]:
    first, second = (_values(side, "token_source") for side in (a, b))
    if first == second:
        return []
    return [
        f"token counts are {_list(first)} in A and {_list(second)} in B: providers count "
        "chat templates and hidden prompts, texts do not show them."
    ]


def _prices(a: Side, b: Side) -> list[str]:
    lines = []
    for name, side in (("A", a), ("B", b)):
        many, priced = len(side.attempts), side.attempts["usd"].count()
        if 0 < priced < many:
            lines.append(
                f"{many - priced:,} of {many:,} attempts in {name} have no price for every turn "
                "and are not in the money."
            )
    if _with_digest(a, "prices") != _with_digest(b, "prices"):
        lines.append("money was computed with another price table in A than in B.")
    return lines


def _mixtures(a: Side, b: Side) -> list[str]:
    return [
        f"{name} mixes {side.summary.settings} settings (model x benchmark x variant); choose one "
        f"with --setting-{name.lower()} model=…,variant=…"
        for name, side in (("A", a), ("B", b))
        if side.summary.settings > 1
    ]


def _values(side: Side, column: str) -> list[str]:
    return sorted(side.attempts[column].drop_nulls().unique())


def _list(values: list[str]) -> str:
    return " and ".join(printable(value, 40) for value in values[:3]) or "nothing"
