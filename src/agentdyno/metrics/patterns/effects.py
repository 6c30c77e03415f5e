"""Whether a call may have changed the world, by the tool's name and, in a shell, by the command.

When in doubt it may have: a changed world explains why somebody asks the same thing again.
"""

import re
from functools import lru_cache
from typing import Any, Literal

Effect = Literal["reads", "changes", "waits"]
"""`reads` leaves the world as it is · `changes` may not · `waits` asks if something is done."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WAITS = _listed("wait sleep poll status progress monitor screenshot todo think output")
_CHANGES_ANYWHERE = _listed(
    """cancel create delete edit insert modify remove rename replace send submit update upload
    write"""
)
_CHANGES = _CHANGES_ANYWHERE | _listed(
    """accept add append apply approve assign book buy change clear click close commit copy disable
    drag drop enable enter exchange execute fill goto grant hover import install issue kill login
    logout make merge move navigate open patch pay post press publish push put redo refresh refund
    register reset resolve restart restore return revert run save schedule scroll select set share
    start stop switch sync toggle transfer type undo upsert"""
)
_READS = _listed(
    """analyze browse calculate calc calculator cat check compare compute count describe details
    diff download estimate explain extract fetch find get glob grep help info inspect list load
    lookup ls match math parse peek query read recall retrieve search show summarize tail track
    translate validate verify view visit weather websearch webfetch wikipedia"""
)
_COMMANDS = _listed(
    """awk cat cd cut date df diff du echo egrep env fgrep file find grep head hexdump id jq less ls
    more nl od printenv pwd readlink realpath rg sed sort stat strings tail tree type uname uniq
    view wc which whoami xxd"""
)
_GIT_READS = _listed("blame branch describe diff grep log ls-files remote rev-parse show status")
_WRITING = re.compile(r"[`>]|\$\(|\s-(?:delete|exec|execdir|i|ok)\b|--in-place")
_HARMLESS = re.compile(r"\d?>\s*(?:/dev/null|&\d)")
_PARTS = re.compile(r"&&|\|\||[;|\n]")
_NAME_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def effect_of(tool: str, arguments: Any) -> Effect:
    """What the call may do; `arguments` as decoded, whatever they are."""
    if isinstance(arguments, dict):
        for key in ("command", "cmd", "keystrokes"):
            if isinstance(command := arguments.get(key), str):
                return effect_of_command(command)
    return effect_of_name(tool)


@lru_cache(maxsize=4096)
def effect_of_name(tool: str) -> Effect:
    """By the words of the name: `find_order` reads, `cancel_order` changes, `frobnicate` may."""
    found = [word.lower() for word in _NAME_WORDS.findall(tool)]
    if not _WAITS.isdisjoint(found):
        return "waits"
    # The first verb says what is done; nouns that look like verbs come behind it.
    verb = next((word for word in found if word in _READS or word in _CHANGES), None)
    return "reads" if verb in _READS and _CHANGES_ANYWHERE.isdisjoint(found) else "changes"


@lru_cache(maxsize=4096)
def effect_of_command(command: str) -> Effect:
    """Of a shell command: it only looks, or it may do anything."""
    if command.lstrip().startswith(("sleep", "wait")):
        return "waits"
    bare = _HARMLESS.sub("", command)
    looks = not _WRITING.search(bare) and all(map(_is_reading_part, _PARTS.split(bare)))
    return "reads" if looks else "changes"


def _is_reading_part(part: str) -> bool:
    first, *rest = part.split()[:2] or [""]
    if first == "git":
        return bool(rest) and rest[0] in _GIT_READS
    return not first or first in _COMMANDS
