"""What GPU-seconds mean in a ledger, in words: the load, the bounds, how far they were off."""

from agentdyno.reports.numbers import dollars, label, seconds
from agentdyno.studies.cost.served_summary import ServedSummary
from agentdyno.studies.cost.summary_results import Summary

SOURCES = {
    "theory": "by theory",
    "measured": "as calibrated",
    "transferred": "by theory with this machine's efficiency",
    "mixed": "as calibrated or by theory",
}


def seconds_basis(s: Summary) -> str:
    """What GPU-seconds mean here; empty where they are not the unit."""
    served = s.served
    if s.unit != "gpu_seconds" or served is None:
        return ""
    lines = [*served.too_small]
    if s.gpu_seconds is not None:
        money = "" if s.gpu_usd is None else f", {dollars(s.gpu_usd)} of GPU time"
        how = SOURCES.get(served.source, "by theory")
        lines.append(f"GPU-seconds are {_load_words(served)}, {how}{money}{_bounds(served)}")
        lines += [served.evidence.describe()] if served.evidence else []
    if served.cards:
        cards = ", ".join(f"{label(name)} on {many}" for name, many in served.cards.items())
        lines.append(f"Too large for one {label(s.hardware)}: {cards}")
    return "".join(f"{line}. " for line in lines).strip()


def _bounds(served: ServedSummary) -> str:
    """What the same turns take however many run at once."""
    if served.full_seconds is None or served.alone_seconds is None:
        return ""
    full, alone = seconds(served.full_seconds), seconds(served.alone_seconds)
    return f"; {full} on a full server, {alone} one request at a time"


def _load_words(served: ServedSummary) -> str:
    """How many ran at once, and who says so."""
    if served.load == "recorded":
        mean = "" if served.mean_at_once is None else f" ({served.mean_at_once:.1f} at once)"
        return f"as the traces were recorded{mean}"
    return f"at {served.concurrency} at once" if served.concurrency else "as recorded"


def seconds_range(s: Summary) -> str:
    """All GPU-seconds; a range to two digits where an architecture is unknown."""
    served = s.served
    if served is None or served.low_seconds is None or served.high_seconds is None:
        return seconds(s.gpu_seconds)
    both = served.low_seconds, served.high_seconds
    low, high = (f"{float(f'{v:.2g}'):,.10g}" for v in both)
    return f"{low} to {high}"
