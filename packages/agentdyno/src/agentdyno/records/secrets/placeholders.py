"""Placeholders, which stand where a secret would: a variable, a type, a word about it."""

import re

from agentdyno.records.secrets.randomness import has_digit

_NONE = re.compile(
    r"""
    [\W_]*                                       # nothing but signs
    | <[^>]*>? | \[[^\]]*\]? | \{.*  | \(.*      # <token>, [key], {name}, (none)
    | \$[A-Za-z_({].* | %[\w(].* | \#\{.*        # $TOKEN, ${TOKEN}, $(cat x), %TOKEN%
    | \\[\w(\[{^$*+?.\\].*                        # \s*, \w+
    | .*\*{3}.*                                   # hf_***
    | @[\w./-]+                                  # @file, @param
    | [xX*•.·_?#0-]{3,}.{0,4}                    # xxxx, ****, ....
    | (?:sk|pk|ghp|AKIA|key|token)?[-_]?[xX*.…]{3,}.*
    | (?:example|sample|dummy|placeholder|changeme|redacted|masked|hidden|removed|todo
        |omitted|filtered)
    | (?:os|process|env|self|this|cls|settings|config|conf|cfg|options|opts|args|params|ctx|context
        |request|req|res|response|data|user|account|state|props|secrets|vars|var|local|module|vault
        |client|session|app|kwargs|credentials|body|form|input|obj|item|row|payload|json|result)
        (?:\.|\[|\?\.|->|::).*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"""
    .*(?:your|my|the|some|any|insert|enter|put|add|replace|example|sample|dummy|placeholder|changeme
        |change_me|redacted|masked|hidden|removed|todo|fixme|foobar)
    [-_ ]?(?:api|own|key|token|secret|pass|password|value|here|me|it|the|with|new|old|actual|real
        |account|access|auth|client).*
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""`your-api-key-here`; with a digit in it, it may be a password after all."""
WORDS = frozenset(
    """
    a an and any are as array at auto base64 bcrypt be been bearer bool boolean but by bytes
    callable cannot char character characters check clear config correct could credentials current
    data date default defaults denied dict disabled does email empty enabled encrypted env error
    exist exists expired expires fail failed failure false fetch field final float fields file for
    forgotten form from function generate generated get given goes has have header here hidden if
    in incorrect int integer invalid is it its key keys known label least length list login long
    longer manager match matches may missing mismatch mixed must name new nil no none not null
    number object of off ok on only optional or out param parameter pass password passwords path
    plain please policy prompt protected provided random rejected replace required reset resets
    result return returns revoked same secret secrets see set should show skipped str string strings
    strong success test text that the then this to token tokens true type undefined union unknown
    unset update updated use used user username uuid valid value values varchar verified via void
    was weak what when where which will with without wrong yes you your
    """.split()
)
"""Words that follow a name and a colon in prose, in types and in messages."""


def is_placeholder(value: str) -> bool:
    """True when the text is not a value itself but stands for one."""
    if _NONE.fullmatch(value) or value.lower().strip(".,;:!?)]}") in WORDS:
        return True
    return not has_digit(value) and _INSTEAD.fullmatch(value) is not None
