"""Turns gitleaks' rules into the file that `records/secrets` reads.

    python bench/gitleaks_rules.py gitleaks.toml > gitleaks.json

gitleaks (MIT) writes its rules for Go; this translates what Python spells otherwise, lets escaped
quotes stand where plain ones may, and leaves out what our own rules cover more widely. gitleaks
wants a quote or a space behind a key; a redactor takes the key whatever stands behind it, so that
end is left out too.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

LEFT_OUT = {
    "curl-auth-header", "curl-auth-user", "generic-api-key", "jwt", "kubernetes-secret-yaml",
    "pkcs12-file", "private-key", "sourcegraph-access-token",
}  # fmt: skip
"""Covered more widely by our own rules, no text, or (the last) any git hash near a word."""
NOT_SECRET = re.compile(r"-(?:client-id|access-id|public-key|pub-key|pub-api-key|user-api-id)$")
END = re.compile(
    r"(?:\(\?:\[\\x60'\"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)|\(\?:\[\^[^\]]+\]\|\\z\)"
    r"|\(\?:\$\|\[[^\]]+\]\)|\\b)$"
)


def main() -> None:
    rules = tomllib.loads(Path(sys.argv[1]).read_text())["rules"]
    kept = [rule for rule in rules if rule["id"] not in LEFT_OUT]
    kept = [rule for rule in kept if not NOT_SECRET.search(rule["id"])]
    print("[\n" + ",\n".join(json.dumps(translated(rule)) for rule in kept) + "\n]")


def translated(rule: dict) -> dict:
    pattern = rule["regex"].replace(r"[[:alnum:]]", "[A-Za-z0-9]")
    pattern = pattern.replace(r"[\w.-]{0,50}?", "").replace("(?P<", "(?P<_")
    # A value behind a vendor's name ends where it ends; a token may be longer than it used to be.
    end = "(?![A-Za-z0-9_-])" if "x60'" in END.sub("", pattern) else ""
    pattern = (END.sub("", pattern) + end).replace(r"\z", r"\Z")
    pattern = pattern.replace(r"""[\s'"]{0,3}""", r"""[\s'"\\]{0,6}""")
    pattern = pattern.replace(r"""[\x60'"\s=]{0,5}""", r"""[\x60'"\s=\\]{0,6}""")
    pattern = scoped(pattern)
    re.compile(pattern, re.ASCII)
    group = rule.get("secretGroup") or min(re.compile(pattern).groups, 1)
    return {
        "id": rule["id"],
        "keywords": rule["keywords"],
        "regex": pattern,
        "group": group,
        "entropy": rule.get("entropy", 0),
    }


def scoped(pattern: str) -> str:
    """Go's `(?i)` holds from where it stands to the end of its group; Python wants that marked."""
    if pattern.startswith("(?i)"):
        return f"(?i:{scoped(pattern[4:])})"
    if (at := pattern.find("(?i)")) < 0:
        return pattern
    end = group_end(pattern, at + 4)
    return pattern[:at] + f"(?i:{scoped(pattern[at + 4 : end])})" + scoped(pattern[end:])


def group_end(pattern: str, start: int) -> int:
    depth, in_class, at = 0, False, start
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif in_class:
            in_class = sign != "]"
        elif sign == "[":
            in_class = True
        elif sign == "(":
            depth += 1
        elif sign == ")":
            if depth == 0:
                return at
            depth -= 1
        at += 1
    return at


if __name__ == "__main__":
    main()
