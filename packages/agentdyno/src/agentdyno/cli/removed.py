"""Verbs, options and values that earlier versions had, and what to use instead of each."""

from collections.abc import Sequence

from agentdyno.cli.verb import load_verbs

REMOVED = {
    "bench --refresh": "the bundled tasks are fixed; `agentdyno bench toolfail --tasks FOLDER` "
    "takes tasks of your own",
    "board": "run the benchmark with `agentdyno bench tir --model M` and put two ledgers "
    "beside each other with `agentdyno compare A B`",
    "calibrate": "name the card with `agentdyno measure --hardware NAME`; theory was as close on "
    "runs that no fit had seen",
    "export --as chrome": "`agentdyno export LEDGER --as otel --to FILE` has spans with times",
    "export --as focus": "`agentdyno export LEDGER --table turns --to turns.csv` has what every "
    "turn cost, and `agentdyno report LEDGER --by project` the sums",
    "export --as openai": "`agentdyno export LEDGER --as atif --to FOLDER` writes every message, "
    "call and result",
    "findings": "`agentdyno report LEDGER` shows them by pattern with their evidence, and "
    "`agentdyno view LEDGER` lists all",
    "ledger compact": "it changed no row; `agentdyno ledger forget --secrets` removes secrets "
    "and earlier generations",
    "ledger diff": "`agentdyno report LEDGER --as-of DAY` prints the totals as they were",
    "ledger history": "`agentdyno report LEDGER --as-of DAY` prints the totals as they were, or "
    "lists the days that are kept",
    "measure --columns": "tables of runs are no longer read; measure the traces of the runs",
    "plugins": "`agentdyno about doctor` names plug-ins that failed to load, `agentdyno about "
    "formats` and `agentdyno about architectures` list what came in",
    "prices alias": "write the name into the table that `agentdyno about prices` names, under "
    "[aliases]",
    "prices check": "`agentdyno about prices TEXT` says what a model costs here, and by whose list",
    "prices list": "`agentdyno about prices TEXT` lists them",
    "prices update": "write the model into the table that `agentdyno about prices` names",
    "proof": "compare the days before and after with `agentdyno report LEDGER --until DAY` and "
    "`agentdyno report LEDGER --since DAY`",
    "quota": "`agentdyno statusline` shows how much of a plan's limits is used, "
    "`agentdyno report LEDGER --by session` what the sessions cost",
    "reconcile": "put the days of `agentdyno report LEDGER --by day` beside the other tool's",
    "report --grid": "energy and carbon are no longer estimated; "
    "`agentdyno report LEDGER --unit gpu-seconds` says what the cards were used for",
    "rewards": "what they were made of is in the ledger's tables: "
    "`agentdyno export LEDGER --table verdicts --to FILE`",
    "shipped": "`agentdyno report LEDGER --by branch` says what each branch cost, and `--by file` "
    "what reading and editing each file cost",
    "sheet": "run `agentdyno bench tps --model M` for each agent and put their ledgers beside each "
    "other with `agentdyno compare A B`",
    "tables": "`agentdyno export LEDGER --table NAME --to FILE` writes one and lists them for an "
    "unknown name; what their columns say is in agentdyno.records.ledger",
    "train --verl": "`agentdyno train --write-lessons FILE` writes the training tasks for another "
    "trainer",
    "whatif": "`agentdyno apply` lists settings with what they would have saved, `agentdyno cache "
    "LEDGER` other lifetimes, and `agentdyno compare A B` measures what a change did",
    "ledger migrate": "measure the traces again: `agentdyno measure TRACES --out LEDGER`",
    "ledger repair": "measure the traces again: `agentdyno measure TRACES --out LEDGER`, or into "
    "a new folder where they are gone",
}
"""By what was typed: a verb, a verb and the word after it, a verb and an option, with or without
its value."""
MOVED = {
    "ablate": "`agentdyno worth`",
    "arch": "`agentdyno about architectures`",
    "doctor": "`agentdyno about doctor`",
    "formats": "`agentdyno about formats`",
    "hardware": "`agentdyno about hardware`",
    "notes": "`agentdyno about notes`",
    "prices": "`agentdyno about prices`",
    "undo": "`agentdyno apply --undo NUMBER`, which lists your changes without a number",
}
"""Verbs that have another name, or are part of another one."""


def advise(words: Sequence[str]) -> str | None:
    """What to use instead of the command line's words; None where nothing of it was removed."""
    verb = next(iter(words), "")
    values = [part for word in words[1:] for part in word.split("=", 1)]
    options = [i for i, word in enumerate(values) if word.startswith("--")]
    typed = [
        *([verb] if verb in REMOVED and verb not in load_verbs() else []),
        *(f"{verb} {word}" for word in values[:1]),
        *(f"{verb} {' '.join(values[i : i + n])}" for i in options for n in (1, 2)),
    ]
    name = next((name for name in typed if name in REMOVED), None)
    if name is not None:
        return f"`agentdyno {name}` was removed: {REMOVED[name]}."
    return f"`agentdyno {verb}` is now {MOVED[verb]}." if verb in MOVED else None
