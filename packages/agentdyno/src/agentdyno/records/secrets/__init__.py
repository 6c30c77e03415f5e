"""Keys, tokens, private keys and passwords in texts, replaced by a mark that says what stood there.

Takes a text, returns it without the secrets that its rules find. Traces hold what agents were
given: keys in environments, tokens in headers, passwords in addresses. Costs do not need them, and
reports are passed on. Pure, and used wherever a text of a trace goes into something that is kept or
shown: the ledger's tables, judges' prompts, reports, errors.

Rules are of four kinds: beginnings that vendors give their tokens (`vendors`, with gitleaks' rule
set), forms such as headers, addresses and commands (`structures`), names that say that a secret
follows (`named_values`), and randomness alone (`random_tokens`). No set of rules finds every
secret: what is written must never say so, but how many rules looked.
"""

from agentdyno.records.secrets.cleaning import clean_field, clean_name, clean_text
from agentdyno.records.secrets.spans import Counts

__all__ = [
    "Counts",
    "clean_field",
    "clean_name",
    "clean_text",
]
