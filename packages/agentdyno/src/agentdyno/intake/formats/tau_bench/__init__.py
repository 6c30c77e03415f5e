"""tau-bench: airline and retail customer service against a simulated user."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.tau_bench.detect import detect, one_per_line

FORMAT = Format(
    name="tau_bench",
    title="tau-bench results: task_id, reward and traj (JSON list, JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.tau_bench.read"),
    by_line=one_per_line,
    description=(
        "Read: messages, calls, results, reward. Missing: tokens (counted from the texts), schemas "
        "and most of the prompt, times, prices, response ids."
    ),
)
