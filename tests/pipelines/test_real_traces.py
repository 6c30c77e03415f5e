"""`measure` over real traces: the counts were established by hand from the raw files.

By hand means with small scripts over the raw JSON that know nothing of our readers; the per-file
figures are in the tests of each format.
"""

from pathlib import Path

from agentdyno.pipelines.measure import MeasureOptions, measure

# format -> trajectories, model calls, tool calls, bad records
COUNTS = {
    # 25 logged requests, two of them to Gemini's own API; the one that Groq refused is a turn.
    "openai_chat": (10, 23, 15, 2),
    "anthropic_messages": (8, 21, 17, 0),
    # log_tool_call_error.json holds tool results and no model call; log_formats.json is
    # log_formats.eval once more.
    "inspect_ai": (24, 33, 9, 1),
    "tau_bench": (100, 1229, 572, 0),
    # Canned greetings and the simulated user's calls left out.
    "tau2_bench": (36, 359, 213, 0),
    # Two calls started agents of which only the last answer is written down.
    "claude_code": (13, 123, 139, 0),
    "otel_genai": (5, 8, 3, 0),
    "atif": (10, 28, 15, 0),
    # One line of each constructed clean-up sample is no JSON.
    "codex": (2, 6, 5, 1),
    "copilot_cli": (2, 2, 2, 1),
    # 60 messages of the model, two of which only hold the calls of the one before.
    "gemini_cli": (14, 58, 44, 0),
    "qwen_code": (2, 5, 5, 0),
}


def test_real_costs_split_exactly(real_traces: Path, tmp_path: Path) -> None:
    import polars as pl

    from agentdyno.ledger.reader import Ledger

    paths = [real_traces / format for format in COUNTS]
    ledger = Ledger(
        measure(paths, tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True)).ledger
    )
    sums = ledger.read("parts").group_by("trajectory_id").agg(pl.col("pte", "pte_growth").sum())
    joined = ledger.read("trajectories").join(sums, on="trajectory_id", suffix="_parts")
    assert len(joined) == sum(count[0] for count in COUNTS.values())
    for column in ("pte", "pte_growth"):
        off = (joined[column] - joined[f"{column}_parts"]).abs() / joined[column]
        assert off.max() < 1e-9
