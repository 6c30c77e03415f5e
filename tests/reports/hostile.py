"""A ledger whose every text attacks the page, and one that is merely large."""

import random
from pathlib import Path

from tests.pipelines.ledger_builder import LedgerRows

ATTACKS = (
    "<script>window.__pwned=1</script>",
    "</script><script>window.__pwned=2</script>",
    '"><img src=x onerror="window.__pwned=3">',
    "<svg onload=window.__pwned=4><animate onbegin=window.__pwned=5 attributeName=x dur=1s>",
    "'-alert(1)-'<iframe srcdoc='<script>parent.__pwned=6</script>'></iframe>",
    "</style><style>body{display:none}</style>",
    "javascript:window.__pwned=7//<a href=javascript:window.__pwned=7>x</a>",
    "]]><!--<b id=injected>--><b id=injected>",
    "\u202egnp.exe\u2066 \u05d0\u05d1\u05d2 \u0627\u0644\u0639 \u200f<u id=injected>rtl</u>",
    "${window.__pwned=8} {{constructor.constructor('window.__pwned=9')()}} \\u003cb\\u003e",
    "</title><meta http-equiv=refresh content='0;url=data:text/html,x'><base href=//x.invalid>",
    "\x00\x1b[31m\u2028\u2029<details open ontoggle=window.__pwned=10>",
)


def hostile_ledger(folder: Path) -> Path:
    """Attacks in every text field of every table."""
    rows = LedgerRows()
    for place, attack in enumerate(ATTACKS):
        for attempt in range(3):
            name = f"{attack}#{attempt}"
            rows.trajectory(
                name, 1000.0 + 17 * place + 5 * attempt, source=attack, model=attack,
                benchmark=attack if place % 2 else ATTACKS[0], variant=attack, task_id=attack,
                level=str(attempt), correct=attempt != 1, turns=2, calls=2,
                format=attack, token_source=attack, gamma_source=attack, architecture=attack,
                latency_seconds=3.0 + place, usd=0.01, title=attack, project=attack, branch=attack,
                session_id=attack, parent_id=f"{attack}#0" if attempt else None,
                parent_call_id=attack if attempt else None,
            )  # fmt: skip
            for turn in range(3):
                rows.turn(
                    name, turn, 300.0 + place + turn, model=attack, finish=attack, error=attack,
                    token_source=attack, latency_seconds=1.0 + place + turn, decode_tokens=9 + turn,
                )  # fmt: skip
            rows.call(
                name, 0, attack, call_id=attack, error=attack, pte=50.0, result_tokens=9.0,
                subject_kind="file", subject=attack,
            )  # fmt: skip
            rows.call(name, 1, attack[::-1], call_id=attack, error=attack, pte=40.0)
            rows.part(name, "schema", 200.0, name=attack)
            rows.part(name, "result", 500.0, name=attack, tokens=5000.0, turn=0, call=0, enters=1)
            rows.part(name, "system", 300.0)
            rows.pattern(name, attack, evidence=attack, detail=attack, pte=50.0)
        rows.tables["bad_records"].append(
            dict.fromkeys(("source", "place", "expected", "found", "format"), attack)
        )
    return rows.write(folder)


def large_ledger(folder: Path, trajectories: int) -> Path:
    """As many trajectories, of ten turns and eight calls on average, with ordinary names."""
    rows, rng = LedgerRows(), random.Random(7)
    for i in range(trajectories):
        name = f"runs/agent-{i % 7}/session-{i:05d}.jsonl#{rng.getrandbits(64):016x}"
        model, turns = f"model-{i % 5}", rng.randint(2, 18)
        costs = [rng.lognormvariate(9, 1) for _ in range(turns)]
        rows.trajectory(
            name, sum(costs), model=model, benchmark="bench", variant=f"suite-{i % 3}",
            task_id=f"task-{i // 3}", correct=rng.random() < 0.6, level=str(1 + i % 5),
            turns=turns, source=f"runs/agent-{i % 7}/session-{i:05d}.jsonl",
            latency_seconds=float(turns),
        )  # fmt: skip
        for turn, pte in enumerate(costs):
            rows.turn(name, turn, pte, model=model, prefill_tokens=rng.randint(1000, 90000),
                      context_tokens=rng.randint(1000, 90000), finish="tool_calls",
                      decode_tokens=rng.randint(20, 3000), cached_tokens=rng.randint(0, 50000),
                      latency_seconds=rng.random() * 20)  # fmt: skip
            failed = "it did not work: " + "x" * 60 if rng.random() < 0.1 else None
            if rng.random() < 0.8:
                rows.call(name, turn, f"tool_{rng.randint(0, 60)}", pte=pte / 3,
                          request_tokens=40.0, result_tokens=rng.random() * 3000,
                          error=failed)  # fmt: skip
        for kind in ("system", "schema", "user", "reasoning", "text", "request", "result"):
            rows.part(name, kind, sum(costs) / 7, name=f"tool_{i % 60}")
        if i % 4 == 0:
            rows.pattern(
                name, "lack_of_tool_priors", evidence="lookup {'id': 7} " * 8, detail="again"
            )
    return rows.write(folder)
