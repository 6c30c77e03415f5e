"""What a receiver counts of itself, and how Prometheus reads it."""

import threading
from collections import Counter
from collections.abc import Callable

_HELP = {
    "requests_total": ("counter", "Requests answered, by signal and status."),
    "records_total": ("counter", "Records, by signal and outcome."),
    "bytes_total": ("counter", "Bytes of records written to segments."),
    "secrets_total": ("counter", "Secrets replaced before anything was written."),
    "commits_total": ("counter", "Writes to disk, each for all requests that waited."),
    "commit_seconds_total": ("counter", "Seconds spent on them, the sync included."),
    "held_bytes": ("gauge", "Bytes of requests that are being read or wait for the disk."),
    "connections": ("gauge", "Open HTTP connections."),
    "folds_total": ("counter", "Times that segments were measured into the ledger, by outcome."),
    "fold_seconds": ("gauge", "How long the last of them took."),
    "folded_timestamp_seconds": ("gauge", "When the last one ended, in seconds since 1970."),
}
Sample = tuple[str, tuple[tuple[str, str], ...]]
"""A metric and its labels."""


class Counters:
    """Counts by metric and labels, from several threads; gauges are asked for when read."""

    def __init__(self) -> None:
        self._counts: Counter[Sample] = Counter()
        self._gauges: dict[Sample, Callable[[], float]] = {}
        self._lock = threading.Lock()

    def add(self, metric: str, amount: float = 1, **labels: str) -> None:
        """Counts one more, or so many."""
        with self._lock:
            self._counts[metric, tuple(sorted(labels.items()))] += amount  # type: ignore[assignment]

    def watch(self, metric: str, read: Callable[[], float], **labels: str) -> None:
        """Asks for the value each time it is read."""
        self._gauges[metric, tuple(sorted(labels.items()))] = read

    def render(self) -> str:
        """The text that Prometheus reads."""
        with self._lock:
            samples: dict[Sample, float] = dict(self._counts)
        samples |= {sample: read() for sample, read in self._gauges.items()}
        lines = []
        for metric, (kind, text) in _HELP.items():
            name = f"agentdyno_receive_{metric}"
            lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
            lines += [
                f"{name}{_render_labels(labels)} {value:g}"
                if isinstance(value, float)
                else f"{name}{_render_labels(labels)} {value}"
                for (held, labels), value in sorted(samples.items())
                if held == metric
            ]
        return "\n".join(lines) + "\n"


def _render_labels(labels: tuple[tuple[str, str], ...]) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
