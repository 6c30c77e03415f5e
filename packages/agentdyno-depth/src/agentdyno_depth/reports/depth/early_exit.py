"""What early exit would save: takes an `EarlyExit`, returns a topic."""

from agentdyno.reports.numbers import label
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno_depth.metrics.early_exit import ExitRule
from agentdyno_depth.studies.depth.early_exit import AT_ONCE, EarlyExit

NOTES = [
    "A step lasts until its deepest token has left, so a batch saves less than one request alone; "
    "every check multiplies with the output head. Prefill and steps that prefill save nothing.",
    "Upper bounds: the keys and values of skipped layers are taken as free, and the served model "
    "to settle at the same share of its layers as the model that read.",
    "The oracle knows the layers above: no engine can do that. Agreement is with the choice of the "
    "whole model, each token behind the recorded text.",
]


def render_early_exit(found: EarlyExit) -> Topic:
    """Rules by layers saved, agreement and GPU-seconds saved."""
    names = [f"saved, {n} at once:share" for n in AT_ONCE]
    heads = ["leaves when", "checked every:count", "layers saved:share", "agreement:share"]
    rows: list[list[Value]] = [
        [
            describe_rule(row.rule),
            row.rule.every,
            row.layers_saved,
            row.agreement,
            *(row.seconds_saved[n] for n in AT_ONCE),
        ]
        for row in found.rows
    ]
    served = ", ".join(map(label, found.architectures))
    took = ", ".join(f"{found.gpu_seconds[n]:,.1f} with {n} at once" for n in AT_ONCE)
    return Topic(
        anchor="early-exit",
        title="What early exit would save",
        lead=f"{found.tokens:,} tokens through the {found.layers} layers of {label(found.model)}; "
        f"the ledger's turns on {served} take {took} GPU-seconds.",
        notes=NOTES,
        charts=[],
        tables=[TopicTable("rules", columns(*heads, *names), rows, False)],
    )


def describe_rule(rule: ExitRule) -> str:
    """The rule in words."""
    if rule.signal == "oracle":
        return "oracle: nothing changes above"
    if rule.signal == "agreement":
        return f"{rule.least:.0f} checks in a row agree"
    return f"{rule.signal} at least {rule.least:g}"
