"""The verbs of the core."""

from agentdyno.cli.verb import DEEPER, EVERY_DAY, Verb

VERBS = (
    Verb("measure", EVERY_DAY, "agentdyno.cli.measure:command"),
    Verb("report", EVERY_DAY, "agentdyno.cli.report:command"),
    Verb("view", EVERY_DAY, "agentdyno.cli.view:command"),
    Verb("compare", EVERY_DAY, "agentdyno.cli.compare:command"),
    Verb("whatif", EVERY_DAY, "agentdyno.cli.whatif:command"),
    Verb("statusline", EVERY_DAY, "agentdyno.cli.statusline:command"),
    Verb("doctor", EVERY_DAY, "agentdyno.cli.doctor:command"),
    Verb("follow", DEEPER, "agentdyno.cli.follow:command"),
    Verb("receive", DEEPER, "agentdyno.cli.receive:command"),
    Verb("cache", DEEPER, "agentdyno.cli.cache:command"),
    Verb("capacity", DEEPER, "agentdyno.cli.capacity:command"),
    Verb("proof", DEEPER, "agentdyno.cli.proof:command"),
    Verb("findings", DEEPER, "agentdyno.cli.findings:app"),
    Verb("ledger", DEEPER, "agentdyno.cli.ledger:app"),
    Verb("export", DEEPER, "agentdyno.cli.export:command"),
    Verb("arch", DEEPER, "agentdyno.cli.arch:command"),
    Verb("hardware", DEEPER, "agentdyno.cli.hardware:command"),
    Verb("prices", DEEPER, "agentdyno.cli.prices:app"),
    Verb("formats", DEEPER, "agentdyno.cli.formats:command"),
    Verb("plugins", DEEPER, "agentdyno.cli.plugins:command"),
    Verb("tables", DEEPER, "agentdyno.cli.tables:command"),
)
"""In the order of the help text."""
