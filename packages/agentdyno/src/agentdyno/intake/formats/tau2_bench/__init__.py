"""tau2-bench: customer service with tools on both sides, against a simulated user."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.tau2_bench.detect import detect

FORMAT = Format(
    name="tau2_bench",
    title="tau2-bench results: one document, or results.json with simulations/*.json",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.tau2_bench.read"),
)
