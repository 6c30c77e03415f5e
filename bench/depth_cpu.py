"""Depth on a processor, against the plain ways of computing it, everything in one run.

    python bench/depth_cpu.py [--tokens 512] [--threads N]

The same comparison as `depth_gpu.py`, for people without a GPU: the naive loop, ours, ours without
proofs, whole profiles and the bare products, on the states of the embedded model for text that it
generates itself; then decoding with online depth against decoding without.
"""

import argparse
import json
import math
import sys

import torch
from depth_gpu import Bench, _prompt_ids, _versions

from agentdyno_depth.engines.smollm2 import cache_directory, load_smollm2
from agentdyno_depth.probes.generating import Batch, Sampling
from agentdyno_depth.probes.loading import open_loaded
from agentdyno_depth.probes.recording import record_states


def main() -> int:
    """Prints a table on stderr and one JSON line on stdout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    torch.set_grad_enabled(False)
    options = argparse.Namespace(
        device="cpu",
        small=True,
        no_compile=True,
        smollm2=str(cache_directory()),
        seconds=math.inf,
        out=None,
    )
    bench = Bench(options)
    model = open_loaded("smollm2", *load_smollm2())
    batch = Batch(model, _prompt_ids(model, 16), Sampling(top_p=0.95, seed=0))
    batch.advance(-(-asked.tokens // 16))
    blocks = list(record_states(model.model, model.family, batch.sequences()))
    states = torch.cat([block.states for block in blocks], 1)[:, : asked.tokens]
    results = {
        "threads": asked.threads,
        "smollm2": bench._compare("smollm2", states, model.readout),
        "online": bench._decode(model, 8, 32),
        "versions": _versions("cpu"),
    }
    print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
