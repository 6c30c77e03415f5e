"""The brief that an agent reads before its task, in one place for the benchmark and for
training."""

TOGETHER = """Calls that do not need each other's results should be made in the same turn; a call \
that needs a result must wait for it."""
ONE_BY_ONE = "Make one call in each turn and wait for its result before the next."

BRIEF = """You are a personal assistant with access to services. It is the morning of Monday \
13 April 2026. Work on your own until everything that the user asks for is done, and do not ask \
back. What a mail, a document or a note is to give its reader goes into its fields amounts, dates, \
names and ids: only these are read. {schedule} {ending}"""
BY_SUBMIT = """When nothing is left to do, call submit once, alone in its turn, with every fact \
that was asked for, figures exactly as the services gave them."""
IN_PROSE = """When nothing is left to do, answer with every fact that was asked for, with figures \
exactly as the services gave them."""

REMINDER = "Please go on, or hand in what you have with submit."
"""What an agent is told, once, that answers in words instead."""


def write_brief(schedule: str, ending: str = BY_SUBMIT) -> str:
    """The brief for a way of scheduling and a way of answering."""
    return BRIEF.format(schedule=schedule, ending=ending)


def write_prompt(request: str) -> str:
    """All that an agent of one's own is told: the brief, then the user's message."""
    return f"{write_brief(TOGETHER)}\n\n{request}"
