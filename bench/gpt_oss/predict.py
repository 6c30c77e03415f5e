"""Which constant is missing for GPT-OSS? Predictions before the run, and the score after it.

    python bench/gpt_oss/predict.py predict   predictions.json, before the run
    bash bench/gpt_oss/run.sh …               on the GPU machine
    python bench/gpt_oss/predict.py score     every cell against what was predicted

Theory is 33 % too fast on what ML.ENERGY published of GPT-OSS 20B, and our own rows of it are no
guide: with vLLM's dummy weights the router's bias sends all tokens of a layer to the same four
experts (`plugin.py`). Five engines, one card. What is expected of each:

`triton`     vLLM's own choice on this card. Routed evenly: theory as shipped, which is expected to
             be 20 to 40 % too fast from 8 at once on. All tokens to the same four: what earlier
             runs measured (4.08, 4.47, 4.77 and 7.39 ms at 1, 8, 32 and 128), within 5 %.
`marlin`     the other kernel for 4 bits: at least 10 % off `triton` at 1 and at 8, or the kernel
             is not what matters.
`bf16`       16-bit experts: within 10 % of theory from 8 at once on, as other mixtures were.
`no-sinks`   attention without sinks: within 3 % of `triton`.
             Each token taken as it comes ("streamed") instead of whole answers: 40 us more for each
             sequence in a step, which ML.ENERGY's chats, streamed over HTTP, lack in ours.
`piecewise`  as ML.ENERGY served on the H100: .5 to 1.5 ms a step more than `triton`, at any batch.

Added before the second run, since the first one's rows were lost (its steps with all tokens sent
to the same four were seen, nothing else): ML.ENERGY's vLLM 0.11.1 schedules a step only when the
one before has ended, and what its rows lack in our theory is much alike for every model, .3 ms and
38 us for each sequence.

`synchronous`        asynchronous scheduling off: `triton`'s steps as measured and SERVED_MS more,
                     streamed or not, within 20 % of that difference at 32 and 128.
`dense-synchronous`  the same with Qwen3 8B's shape: theory and SERVED_MS more, within 5 %.
"""

import json
import sys
from pathlib import Path

import numpy as np
from measure import CELLS, LONG, PREFILLS, SAME_CELLS, SHORT

from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import numbers_read, prefill_flops, theoretical_steps

HERE = Path(__file__).parent
HARDWARE = "h200-sxm"
STREAMED_MS = 0.04
SERVED_MS = 0.3, 0.038
SHAPES = {
    "triton": "gpt-oss-20b",
    "bf16": "gpt-oss-20b-bf16",
    "synchronous": "gpt-oss-20b",
    "dense-synchronous": "qwen3-8b",
}
"""Theory knows the precision, and neither kernels nor sinks nor graphs."""


def architecture(name: str) -> Architecture:
    shape = SHAPES.get(name, SHAPES["triton"])
    return architecture_from_config(HERE.parent / "serving/shapes" / shape / "config.json")


def step_ms(shape: Architecture, batch: int, context: int) -> float:
    """A decoding step halfway through the tokens that the difference of two answers covers."""
    steps = theoretical_steps(shape, resolve_hardware(HARDWARE))
    tokens = context + (SHORT + LONG) / 2
    read = steps.read_seconds * float(numbers_read(shape, tokens, 1.0)) * batch
    return 1e3 * (float(steps.decoding(np.array([float(batch)]))[0]) + read)


def prefill_ms(shape: Architecture, tokens: int) -> float:
    """A prompt alone, with what the request waits outside of its step."""
    steps = theoretical_steps(shape, resolve_hardware(HARDWARE))
    seconds = float(steps.mixed(np.array([float(tokens)]))[0])
    seconds += steps.attend_seconds * float(prefill_flops(shape, float(tokens), float(tokens)))
    return 1e3 * (seconds + steps.request_seconds + steps.send_token_seconds * tokens)


def predict() -> None:
    rows = []
    for name in SHAPES:
        shape = architecture(name)
        more = SERVED_MS if name.endswith("synchronous") else (0.0, 0.0)
        decode = [[b, c, round(step_ms(shape, b, c) + more[0] + more[1] * b, 4)] for b, c in CELLS]
        prefill = [[t, round(prefill_ms(shape, t), 3)] for t in PREFILLS]
        rows.append({"name": name, "decode": decode, "prefill": prefill})
    same = dict(zip(SAME_CELLS, (4.08, 4.47, 4.77, 7.39), strict=True))
    rows.append({"name": "triton, same four", "decode": [[*k, v] for k, v in same.items()]})
    (HERE / "predictions.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(*rows, sep="\n")


def read_rows() -> list[dict[str, object]]:
    """Every row that came back, with the engine it is of."""
    found = []
    for path in sorted(HERE.glob("steps_*.jsonl")):
        name = path.stem.removeprefix("steps_")
        found += [{"engine": name, **json.loads(line)} for line in path.read_text().splitlines()]
    return found


def score() -> None:
    """Decoding steps by engine and cell, then prompts, each beside what was predicted of it."""
    plan = {row["name"]: row for row in json.loads((HERE / "predictions.json").read_text())}
    print("| engine | routed | at once x context | predicted, ms | measured, ms | error |")
    print("|---|---|---:|---:|---:|---:|")
    for row in read_rows():
        if row["kind"] in ("decode", "streamed"):
            same = row["routing"] == "same"
            source = plan.get("triton, same four" if same else str(row["engine"]), plan["triton"])
            said = {(b, c): ms for b, c, ms in source["decode"]}[row["batch"], row["context"]]
            streamed = row["kind"] == "streamed"
            if row["engine"] == "triton":
                said += STREAMED_MS * row["batch"] * streamed
            how = "streamed" if streamed else row["routing"]
            took = quickest_step(row["pairs"])  # type: ignore[arg-type]
            _print(row, f"{how} | {row['batch']} x {row['context']}", said, took)
        elif row["kind"] == "prefill":
            source = plan.get(str(row["engine"]), plan["triton"])
            took = min(row["ms"])  # type: ignore[call-overload]
            _print(row, f"a prompt | {row['tokens']}", dict(source["prefill"])[row["tokens"]], took)


def quickest_step(pairs: list[list[float]]) -> float:
    """Milliseconds of a step from the quickest short and the quickest long answer: some of the
    others wait half a second and more for a Triton kernel that is compiled for another size."""
    short, long = (min(times) for times in zip(*pairs, strict=True))
    return 1e3 * (long - short) / (LONG - SHORT)


def _print(row: dict[str, object], cell: str, said: float, took: object) -> None:
    error = said / float(took) - 1  # type: ignore[arg-type]
    print(f"| {row['engine']} | {cell} | {said:.2f} | {took:.2f} | {error:+.1%} |")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["predict"]:
            predict()
        case ["score"]:
            score()
        case _:
            raise SystemExit(__doc__)
