"""tau2-bench: customer service with tools on both sides, against a simulated user."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.tau2_bench.detect import detect

FORMAT = Format(
    name="tau2_bench",
    title="tau2-bench results: one document, or results.json with simulations/*.json",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.tau2_bench.read"),
    description=(
        "Read: the agent's messages, calls, results, errors, tokens and costs, schemas, policy, "
        "reward; calls of the simulated user are not the agent's. Missing: in stripped results, "
        "tokens (counted from the texts); times of tools; cache unless the raw answer is kept."
    ),
)
