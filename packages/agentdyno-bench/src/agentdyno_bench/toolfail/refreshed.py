"""Which tasks a run takes, fresh ones from a seed included, and whether a suite keeps its word."""

from pathlib import Path

from agentdyno.records import InputError
from agentdyno_bench.toolfail.generate import generate_suite
from agentdyno_bench.toolfail.task_suites import write_suite
from agentdyno_bench.toolfail.validate import validate


def write_refreshed_tasks(seed: int, out: Path) -> Path:
    """A variant of the suite that no model can have been trained on, written below the run's
    folder."""
    folder = out / "tasks" / f"seed-{seed}"
    suite = generate_suite(seed, multi=True)
    broken = validate(suite)
    if broken:
        raise InputError(
            f"--refresh {seed}: this seed breaks a promise ({broken[0]}). Take another."
        )
    write_suite(suite, folder)
    return folder
