"""The two charts: CTUR against UTR per model, and RIR by domain. Vega-Lite specifications."""

from typing import Any

from agentdyno.pipelines.toolfail.report import FailureReport

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def profile_chart(report: FailureReport) -> dict[str, Any]:
    """Where each model stands: clean use to the right, needless calls to the top."""
    rows = [
        {
            "model": s.model,
            "CTUR": s.rates.rates["CTUR"].estimate,
            "UTR": s.rates.rates["UTR"].estimate,
            "profile": s.profile.name,
        }
        for s in report.leaderboard.standings
        if s.rank is not None
    ]
    return {
        "$schema": SCHEMA,
        "title": "Clean tool use against unnecessary tool use",
        "data": {"values": rows},
        "mark": {"type": "point", "filled": True, "size": 90, "tooltip": True},
        "encoding": {
            "x": _share("CTUR", "CTUR, share of required tasks"),
            "y": _share("UTR", "UTR, share of controls"),
            "color": {"field": "profile", "type": "nominal"},
            "tooltip": [{"field": name} for name in ("model", "CTUR", "UTR", "profile")],
        },
    }


def domain_chart(report: FailureReport) -> dict[str, Any]:
    """How often returns are ignored, domain by domain, over all scored models."""
    rows = [
        {"model": s.model, "domain": domain, "RIR": rates.rates["RIR"].estimate}
        for s in report.leaderboard.standings
        if s.rank is not None
        for domain, rates in s.by_domain.items()
        if rates.rates["RIR"].estimate is not None
    ]
    return {
        "$schema": SCHEMA,
        "title": "Result-Ignore Rate by domain",
        "data": {"values": rows},
        "mark": {"type": "boxplot", "extent": "min-max"},
        "encoding": {
            "x": {"field": "domain", "type": "nominal", "title": None},
            "y": _share("RIR", "RIR, share of required tasks"),
        },
    }


def _share(field: str, title: str) -> dict[str, Any]:
    scale = {"domain": [0, 1]}
    axis = {"format": ".0%"}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": axis}
