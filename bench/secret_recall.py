"""How many kinds of secrets the rules find, beside gitleaks' rules and detect-secrets.

python bench/secret_recall.py [-v]        (detect-secrets is compared where it is installed)

A kind is drawn from several seeds; it is found when no eight characters in a row of any draw are
left. The kinds of `tests/hostile/secret_kinds.py` are those that the rules were written for, so
their recall says that nothing broke. Those of `held_out_secrets.jsonl` no rule was written for and
no test asserts: their recall is what to expect of a kind that nobody thought of.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile.secret_kinds import Draw, Kind, group_kinds, kinds
from tests.labelled import read_table

from agentdyno.records.secrets import clean_text
from agentdyno.records.secrets.randomness import shannon
from agentdyno.records.secrets.vendors import gitleaks_rules

SEEDS = range(200, 205)
HALF = 8
Scanner = Callable[[str], str]
"""Takes a text, returns it without what it finds."""


def main(is_verbose: bool) -> None:
    scanners = {"AgentDyno": clean_text, "gitleaks' rules": _by_gitleaks}
    try:
        from detect_secrets.settings import default_settings

        context = default_settings()
        context.__enter__()
        scanners["detect-secrets"] = _by_detect_secrets
    except ImportError:
        print("detect-secrets is not installed; it is left out.")
    sets = {name: partial(_draw_group, name) for name in group_kinds(SEEDS[0])}
    sets |= {"all that rules were written for": kinds, "held out": _draw_held_out}
    for name, drawn in sets.items():
        found = {scanner: _find_kinds(scan, drawn) for scanner, scan in scanners.items()}
        many = len(drawn(SEEDS[0]))
        line = ", ".join(f"{scanner} {len(own) / many:.2f}" for scanner, own in found.items())
        print(f"{name}: {many} kinds: {line}")
        if is_verbose and drawn is not kinds:
            _print_by_kind(drawn(SEEDS[0]), found)


def _draw_group(name: str, seed: int) -> dict[str, Kind]:
    return group_kinds(seed)[name]


def _print_by_kind(drawn: dict[str, Kind], found: dict[str, set[str]]) -> None:
    print(f"| kind | {' | '.join(found)} |\n|---|{'---|' * len(found)}")
    for kind in drawn:
        marks = ("yes" if kind in own else "no" for own in found.values())
        print(f"| {kind} | {' | '.join(marks)} |")


def _find_kinds(scan: Scanner, drawn: Callable[[int], dict[str, Kind]]) -> set[str]:
    """The kinds of which nothing is left in any draw."""
    left = {
        kind
        for seed in SEEDS
        for kind, (text, secret) in drawn(seed).items()
        if any(half in scan(text) for half in _halves(secret))
    }
    return {*drawn(SEEDS[0])} - left


def _halves(secret: str) -> Iterator[str]:
    return (secret[at : at + HALF] for at in range(max(len(secret) - HALF + 1, 1)))


def _draw_held_out(seed: int) -> dict[str, Kind]:
    draw, found = Draw(seed), {}
    for name, (form, size) in read_table("hostile/held_out_secrets").items():
        secret = draw.text(size)
        found[name] = (form.replace("{}", secret), secret)
    return found


def _by_gitleaks(text: str) -> str:
    low, found = text.lower(), set[str]()
    for rule in gitleaks_rules():
        if any(keyword in low for keyword in rule.keywords):
            for match in _compile(rule.regex).finditer(text):
                secret = match[rule.group] or match[0]
                if shannon(secret) >= rule.entropy:
                    found.add(secret)
    return _without(text, found)


def _compile(regex: str) -> "re.Pattern[str]":
    return re.compile(regex, re.ASCII)


def _by_detect_secrets(text: str) -> str:
    """As it scans a file; a single line it searches without the limits that it has for files."""
    from detect_secrets.core.scan import scan_file

    with NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        found = {each.secret_value for each in scan_file(file.name)}
    return _without(text, {secret for secret in found if secret})


def _without(text: str, secrets: set[str]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[secret]")
    return text


if __name__ == "__main__":
    main("-v" in sys.argv[1:])
