"""Summaries to render: one in which all is known, one in which nothing is."""

from typing import Any

from agentdyno.studies.cost.summary_results import KindSummary, SettingSummary, Summary, ToolSummary


def setting(**fields: Any) -> SettingSummary:
    known: dict[str, Any] = {
        "model": "qwen3-32b", "benchmark": "gaia", "variant": None, "trajectories": 1234,
        "graded": 4, "accuracy": 0.75, "accuracy_low": 0.301, "accuracy_high": 0.954,
        "pte_mean": 12_345.0, "pte_total": 49_380.0, "pte_growth_mean": 12_400.0,
        "gpu_seconds_mean": 0.5,
        "tokens_mean": 1000.0, "turns_mean": 2.5, "calls_mean": 1.25, "usd_mean": 0.0123,
        "gamma": 0.003, "gamma_source": "model",
    }  # fmt: skip
    return SettingSummary(**known | fields)


def tool(name: str, **fields: Any) -> ToolSummary:
    known: dict[str, Any] = {
        "calls": 3, "errors": 1, "offered": 4, "cost": 600.0, "share": 0.25,
        "schema_cost": 100.0, "request_cost": 200.0, "result_cost": 300.0,
        "result_tokens_mean": 50.0,
    }  # fmt: skip
    return ToolSummary(tool=name, **known | fields)


def summary(**fields: Any) -> Summary:
    known: dict[str, Any] = {
        "ledger": "out/ledger", "trajectories": 4, "turns": 10, "calls": 3, "bad_records": 0,
        "by_format": {"openai_chat": 4}, "by_token_source": {"reported": 10}, "cost": 49_380.0,
        "pte": 49_380.0,
        "pte_growth": 49_600.0, "gpu_seconds": 2.0, "gpu_usd": None,
        "architectures": 1,
        "usd": 1.5, "estimated_usd": 0.0, "unpriced": 0, "unpriced_models": {},
        "unpriced_turns": 0, "context_tokens": 9000, "decode_tokens": 800, "unit_chosen": True,
        "unmeasured": 0, "cache": "evicted",
        "hardware": "h100-pcie", "settings": [setting()], "tools": [tool("search")],
        "kinds": [KindSummary("result", 500.0, 24_690.0, 0.5)], "bad": [],
    }  # fmt: skip
    return Summary(**known | fields)


def unknown() -> Summary:
    """Nothing but counts is known."""
    nothing = dict.fromkeys(
        ["accuracy", "accuracy_low", "accuracy_high", "pte_mean", "pte_total", "pte_growth_mean",
         "gpu_seconds_mean", "tokens_mean", "usd_mean", "gamma", "gamma_source", "model",
         "benchmark"]
    )  # fmt: skip
    shares = dict.fromkeys(["cost", "share", "schema_cost", "request_cost", "result_cost"])
    return summary(
        cost=None,
        pte=None,
        pte_growth=None,
        gpu_seconds=None,
        usd=None,
        estimated_usd=None,
        unpriced=4,
        unmeasured=1,
        cache="reported",
        by_token_source={"reported": 7, "counted": 3},
        settings=[setting(**nothing, graded=0)],
        tools=[tool("search", **shares)],
        kinds=[KindSummary("result", 500.0, None, None)],  # type: ignore[arg-type]
    )
