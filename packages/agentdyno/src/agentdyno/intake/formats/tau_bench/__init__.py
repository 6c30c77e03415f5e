"""tau-bench: airline and retail customer service against a simulated user."""

import re

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_KEYS = frozenset({"task_id", "reward", "traj"})

# The benchmark's own naming: strategy, model, temperature, `_range_`, …
_OWN_NAME = re.compile(r"(?:tool-calling|few-shot|react|act)-(.+?)-\d+(?:\.\d+)?_range_")
_MODEL_AND_DOMAIN = re.compile(
    r"((?:gpt|o[134]|claude|sonnet|haiku|opus|gemini|gemma|llama|qwen|deepseek|mistral|mixtral"
    r"|grok|glm|kimi|phi|nova|command)[\w.-]*?)[-_](?:airline|retail)(?![a-z])",
    re.IGNORECASE,
)
_DOMAIN = re.compile(r"(?:^|[\W_])(airline|retail)(?:$|[\W_])", re.IGNORECASE)


def detect(head: Head) -> float:
    """0.95 for records that hold a task, its reward and its `traj`; nobody else writes those."""
    return 0.95 if head.keys >= _KEYS else 0.0


def one_per_line(head: Head) -> bool:
    """JSON lines; the benchmark itself writes one list, indented or not."""
    has_trajectories = any(isinstance(line, dict) and "traj" in line for line in head.lines)
    return not head.is_list and has_trajectories and b"\n" in head.data.strip()


def model_in(file_name: str) -> str | None:
    """The agent's model, where the file name leaves no doubt; the records never name it."""
    match = _OWN_NAME.match(file_name) or _MODEL_AND_DOMAIN.match(file_name)
    return match[1] if match else None


def domain_in(text: str) -> str | None:
    """`airline` or `retail`, where the text has the word."""
    match = _DOMAIN.search(text)
    return match[1].lower() if match else None


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
