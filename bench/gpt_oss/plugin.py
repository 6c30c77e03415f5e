"""Loaded by vLLM in each of its processes: weights that route like a trained model's, and switches.

vLLM fills a model without weights with numbers from -.001 to .001, biases too, and leaves 4-bit
weights at zero. GPT-OSS's router has a bias, which then decides alone: every token takes the same
four experts of a layer, so a step reads 4 of 32 however many sequences it holds. Here biases are
zero, norms one, and the router's weights spread the tokens evenly; 4-bit weights are random bytes
under a scale of 1/64.

`GPT_OSS_SINKS=off` builds the attention without sinks. `Worker` adds what the driver asks of the
running engine: `route` (evenly, or all to the same four), `start_trace`, `stop_trace`.
"""

import json
import math
import os
from typing import Any

import torch


def register() -> None:
    from vllm.model_executor.model_loader.dummy_loader import DummyModelLoader

    DummyModelLoader.load_weights = fill
    if os.environ.get("GPT_OSS_SINKS") == "off":
        from vllm.model_executor.models import gpt_oss

        kept = gpt_oss.Attention
        gpt_oss.Attention = lambda *given, sinks=None, **named: kept(*given, **named)


@torch.no_grad()
def fill(loader: Any, model: torch.nn.Module, config: Any) -> None:
    torch.manual_seed(57)
    for name, values in model.state_dict().items():
        if not values.is_floating_point():
            values.fill_(121) if "scale" in name else values.random_(0, 256)
        elif name.endswith(("bias", "sinks")):
            values.zero_()
        elif "norm" in name:
            values.fill_(1.0)
        elif name.endswith("router.weight"):
            values.normal_(0.0, 1 / math.sqrt(values.shape[-1]))
        else:
            width = 1.0 if "embedding" in name or "embed_tokens" in name else 0.03
            values.uniform_(-width, width)


class Worker:
    """What the driver calls by name; mixed into vLLM's worker."""

    @torch.no_grad()
    def route(self, how: str) -> str:
        """`evenly`: by the token · `same`: each layer's bias sends all tokens to the same four."""
        found = 0
        for name, values in self.get_model().named_parameters():  # type: ignore[attr-defined]
            if name.endswith("router.bias"):
                found += 1
                values.normal_(0.0, 1000.0) if how == "same" else values.zero_()
        return f"{how}: {found} routers"

    def start_trace(self) -> str:
        activities = [torch.profiler.ProfilerActivity.CUDA]
        self.trace = torch.profiler.profile(activities=activities)
        self.trace.start()
        return "started"

    def stop_trace(self) -> str:
        """Kernels by time: name, how often, microseconds."""
        torch.cuda.synchronize()
        self.trace.stop()
        rows = [
            (row.key[:160], row.count, round(row.self_device_time_total, 1))
            for row in self.trace.key_averages()
            if row.self_device_time_total
        ]
        return json.dumps(sorted(rows, key=lambda row: -row[2])[:48])
