"""HAL: uploaded runs of the Holistic Agent Leaderboard."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for an upload; its logs may lie beyond the beginning."""
    if head.is_list or not head.keys >= {"config", "results"}:
        return 0.0
    is_upload = "raw_logging_results" in head.keys or b'"raw_eval_results"' in head.data
    return 0.95 if is_upload or head.path.name.endswith("_UPLOAD.json") else 0.0


FORMAT = Format(
    name="hal",
    title="HAL uploads (<run>_UPLOAD.json, decrypted)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.hal.read"),
    description=(
        "Read: every logged model call with messages, tools, tokens with cache reads and writes, "
        "times, by task; whether a task was solved. Sums on the operations around a call are not "
        "added. Missing: times of tools; prices (the run's total is not shared out); published "
        "runs are encrypted and have to be decrypted first."
    ),
)
