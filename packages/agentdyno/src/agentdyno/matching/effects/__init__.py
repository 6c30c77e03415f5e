"""The effect of a call: what it reads, changes and waits for, and which programs it runs.

    effect_of(tool, arguments, schema)   of any call                       calls
    effect_of_command(line)              of a shell line, by its parse     shell, programs
    effect_of_sql(text)                  of SQL, by its words              sql
    proves_reading(tool, arguments)      nothing can have changed, for advice  proof
    load_rules(path)                     the bundled rules, or a user's    rules

Unknown means that it may write. Nothing is ever executed.
"""

from agentdyno.matching.effects.calls import (
    effect_of,
    effect_of_name,
    is_shell,
    read_declared_effect,
)
from agentdyno.matching.effects.effect import Action, Certainty, Effect
from agentdyno.matching.effects.proof import proves_reading
from agentdyno.matching.effects.rules import Rules, default_rules, load_rules
from agentdyno.matching.effects.shell import effect_of_command, shell_line
from agentdyno.matching.effects.sql import effect_of_sql

__all__ = [
    "Action",
    "Certainty",
    "Effect",
    "Rules",
    "default_rules",
    "effect_of",
    "effect_of_command",
    "effect_of_name",
    "effect_of_sql",
    "is_shell",
    "load_rules",
    "proves_reading",
    "read_declared_effect",
    "shell_line",
]
