"""tau2-bench: customer service with tools on both sides, against a simulated user."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for a document of simulations, 0.9 for a single one."""
    if head.is_list:
        return 0.0
    if is_results(head):
        return 0.95
    return 0.9 if is_simulation(head) else 0.0


def is_results(head: Head) -> bool:
    """The whole document; its tasks may fill the beginning before `simulations` shows."""
    if not head.keys >= {"info", "tasks"}:
        return False
    return bool(head.keys & {"simulations", "simulation_index"}) or (
        b'"environment_info"' in head.data and b'"agent_info"' in head.data
    )


def is_simulation(head: Head) -> bool:
    """One simulation alone, as the folder layout keeps them."""
    return head.keys >= {"id", "task_id", "termination_reason"} and bool(
        head.keys & {"messages", "ticks", "reward_info"}
    )


def one_per_line(head: Head) -> bool:
    """Simulations as JSON lines; the benchmark itself gives each a file."""
    has_messages = any(isinstance(line, dict) and "messages" in line for line in head.lines)
    return has_messages and b"\n" in head.data.strip()


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
