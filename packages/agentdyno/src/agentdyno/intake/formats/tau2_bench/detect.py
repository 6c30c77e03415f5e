"""Recognises tau2-bench results, whole or one simulation to a file."""

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
    whole = any(isinstance(line, dict) and "messages" in line for line in head.lines)
    return whole and b"\n" in head.data.strip()
