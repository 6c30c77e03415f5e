"""Is the lean tool suite cheaper than the full one?

    python examples/compare_tool_suites.py

Two settings of one ledger, compared on the tasks that both attempted. Two models ran them, so costs
are compared in GPU-seconds; with one, `pte` is there as well.
"""

import tempfile
from pathlib import Path

import agentdyno
from agentdyno import CompareOptions

SAMPLES = Path(agentdyno.__file__).parent / "samples"


def main(out: Path) -> None:
    ledger = agentdyno.measure(SAMPLES, out)

    limit = ("gpu_seconds<=+5%",)
    sides = CompareOptions("variant=full-tools", "variant=lean-tools", gates=limit)
    comparison = agentdyno.compare(ledger, ledger, sides)
    print(comparison.verdict)
    for metric in comparison.metrics:
        if metric.effect is not None and metric.low is not None and metric.high is not None:
            print(f"  {metric.metric}: {metric.effect:.3g} [{metric.low:.3g}, {metric.high:.3g}]")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder) / "ledger")
