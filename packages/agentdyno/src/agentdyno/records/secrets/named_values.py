"""Values whose name says that they are secret: key = value in any of the ways that is written.

`.env` lines, YAML, JSON (escaped or not), TOML, INI, headers, query strings, connection strings,
flags of commands, XML, assignments and calls in code, pairs of `name` and `value`. The name decides
how little the value must look like a secret (`key_names`); what is plainly an expression, a type, a
placeholder or a word is left alone.
"""

import re
from collections.abc import Iterator
from functools import cache
from re import Match
from typing import NamedTuple

from agentdyno.records.secrets.key_names import Strength, judge_name
from agentdyno.records.secrets.placeholders import WORDS, is_placeholder
from agentdyno.records.secrets.randomness import (
    has_digit,
    has_letter,
    is_hex,
    is_uuid,
    is_wordy,
    looks_random,
    shannon,
)
from agentdyno.records.secrets.spans import Span

_TRIGGER = (
    r"pass|pwd|pswd|pw|secret|token|key|auth|cred|bearer|jwt|cookie|sess|signature|sig|sid|sas|pat|pin"
    r"|otp|cvv|cvc|code|salt|seed|nonce|dsn|ticket|assertion|hmac|csrf|xsrf|login|appid|psk|webhook|conn"
    r"|licen[sc]e|verifier|kennwort|contrase|senha|wachtwoord|has[lł]o|parola|clave|mdp"
    r"|mot[ _]de[ _]passe"
    r"|密码|密碼|口令|パスワード|비밀번호|암호|пароль"
)
_NAMED = (
    rf"(?P<word>{_TRIGGER})(?P<rest>[\w.\-]{{0,48}})"
    r"(?P<close>(?:\\{0,3}[\"'`])?[\])]?)"
    r"(?P<sep>"
    # A name, and then a value that is called so.
    r"[\s\\,;/{]{0,8}(?:\\{0,3}[\"'`])?(?:value|default|body"
    r"|content)(?:\\{0,3}[\"'`])?[ \t]{0,3}[:=]"
    r"[ \t]{0,3}"
    r"|\s{0,3}(?:=>|:=|\?=|\+=|<-|->|={1,3}|::?|%3d|%3a|\u003d)\s{0,3}"
    r"|\s{0,2}[,(|>\t]\s{0,2}"
    r"|\s{1,2}(?:is|was|are|to|as)[ \t:]{1,3}"
    r"|[ \t]{1,3}(?=\S))"
    r"(?P<open>[\[({]?(?:[brfu]{0,2}\\{0,3}[\"'`]|%22)?)"
)
_PLAIN_VALUE = re.compile(r"(?:(?!%26|%22|\\[nrt\"'])[^\s\"'`<>,;&|])+")
_LONGEST = 4096
_EXPRESSION = re.compile(r"\s{0,2}[(\[]|\.[A-Za-z_]\w*[(\[.]|\s*\+\s")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_]*")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+")
_DATE_OR_VERSION = re.compile(
    r"v?\d{1,4}(?:[-/.:]\d{1,4}){1,5}(?:[T ].*)?|\d+(?:\.\d+)?[a-zA-Z%]{0,3}"
)
_CALL = re.compile(r"[A-Za-z_]\w*[(\[]")
_PATH = re.compile(r"(?:\.{0,2}/|~/|[A-Za-z]:[\\/]|\w+://)\S*")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_BEFORE = re.compile(r"[\w.\-$@]{0,64}\Z")
_SHELL_LINE = re.compile(r"(?:\A|[\s;&|\"'`(\\n]|-e\s?|--env[ =])(?:export |set |setx |env )?\Z")
_WHOLE_LINE = re.compile(r"[ \t]*(?:\r?\n|\\n|\\r|\Z|#)")


class _Value(NamedTuple):
    """What stands behind a name."""

    start: int
    """Its first character."""
    end: int
    """One beyond its last."""
    text: str
    """The value itself."""
    quoted: bool
    """Whether it stands in quotes."""
    sep: str
    """What stands between the name and it, without spaces and in lower case."""
    before: str
    """Up to three characters before the name; a dash for a flag of a command."""


@cache
def _named() -> re.Pattern[str]:
    """Compiled when it is first needed, not when the program starts."""
    return re.compile(_NAMED)


def find_named(text: str, low: str) -> Iterator[Span]:
    """Values behind a secret's name; `low` is the text in lower case, of the same length."""
    at = 0
    while found := _named().search(low, at):
        at = found.end("rest")
        start = found.start("word")
        left = _BEFORE.search(text, max(0, start - 64), start)
        begins = left.start() if left else start
        name = _full_name(text, begins, found.end("rest"))
        strength = judge_name(name)
        if strength is Strength.NONE:
            continue
        before = "-" if text[begins] == "-" else text[max(0, begins - 3) : begins]
        value = _read_value(text, found, before)
        if value is not None and _is_secret(text, name, strength, value):
            yield Span(value.start, value.end, _kind(strength))
            at = max(at, value.end)


_APART = re.compile(r"(?i:(api|access|secret|private|auth|account|licen[sc]e|signing)[ ])\Z")


def _full_name(text: str, begins: int, end: int) -> str:
    """The name, with the word before it where `api key` is written as two."""
    name = text[begins:end].strip("-$@.")
    apart = _APART.search(text, max(0, begins - 10), begins)
    return f"{apart[1]}_{name}" if apart and name[:3].lower() in ("key", "tok") else name


def _kind(strength: Strength) -> str:
    return "password" if strength is Strength.STRONG else "credential"


def _read_value(text: str, found: Match[str], before: str) -> _Value | None:
    opened, start = found["open"].lstrip("brfu[({"), found.end("open")
    sep = found["sep"].strip().lower() or " "
    if opened:
        delimiter = opened
        line = text.find("\n", start, start + _LONGEST)
        stop = line if line >= 0 else min(len(text), start + _LONGEST)
        end = text.find(delimiter, start, stop)
        if end < 0:
            end = stop
        elif delimiter == '"' and text[end - 1 : end] == "\\":
            end = _unescaped(text, end, stop)
        return _Value(start, end, text[start:end], True, sep, before) if end > start else None
    plain = _PLAIN_VALUE.match(text, start, start + _LONGEST)
    if plain is None or found["open"].endswith(("[", "(", "{")):
        return None
    value = plain[0].rstrip(".)]}\\:!?")
    if value.count("(") > value.count(")") or _EXPRESSION.match(text, start + len(value)):
        return None
    return _Value(start, start + len(value), value, False, sep, before) if value else None


def _unescaped(text: str, end: int, stop: int) -> int:
    """The first quote that is not escaped."""
    while end >= 0 and text[end - 1] == "\\":
        end = text.find('"', end + 1, stop)
    return end if end >= 0 else stop


def _is_secret(text: str, name: str, strength: Strength, value: _Value) -> bool:
    told = value.text
    if is_placeholder(told) or told.startswith("[secret:") or _is_code(told, value.quoted):
        return False
    if _PATH.fullmatch(told) and not looks_random(told.rpartition("/")[2], 20):
        return False
    if any(sign in told for sign in " \t"):
        return strength is Strength.STRONG and value.quoted and _is_phrase(told, value.sep)
    if value.sep in (" ", ",", "(", "|", ">", "is", "was", "are", "to", "as"):
        return _is_loosely_named(name, strength, value)
    if strength is Strength.STRONG:
        return _is_password(text, name, value)
    if strength is Strength.MEDIUM:
        return _is_token(told, name)
    return _is_key(told, name, value)


def _is_code(told: str, quoted: bool) -> bool:
    """Whether it is an expression, not a value."""
    if _CALL.search(told) and not (quoted and has_digit(told)):
        return True
    if _DOTTED.fullmatch(told) and not looks_random(told, 12):
        return not quoted or not has_digit(told)
    return not quoted and told.endswith("()")


def _is_phrase(told: str, sep: str) -> bool:
    """A passphrase of several words in quotes, not a sentence about one."""
    words = told.lower().split()
    if sep not in ("=", ":", "=>", ":="):
        return False
    return len(words) <= 8 and not any(word.strip(".,:;!?'") in WORDS for word in words)


def _is_loosely_named(name: str, strength: Strength, value: _Value) -> bool:
    """Behind a space, a comma or a bracket: a flag's value, an argument, a cell, prose."""
    told = value.text
    mixed = has_digit(told) and has_letter(told)
    if value.sep == " " and value.before.endswith("-"):
        return _is_flag_value(strength, told)
    if value.before.endswith("<") and value.sep == ">":  # <password>…</password>
        return _is_flag_value(strength, told)
    if strength is Strength.STRONG and value.quoted and value.sep == " " and len(told) >= 6:
        about = _is_name(told) and ("_" in told or _is_about(told, name))
        return not about and name.lower() not in ("pass", "secret", "secrets")
    if value.sep in (",", "(") and not value.quoted:
        return False
    if name.lower() in ("pass", "key", "code") and value.sep not in ("is", "|"):  # A verb, a noun.
        return looks_random(told, 16)
    if strength is Strength.STRONG and value.quoted:
        signs = any(not sign.isalnum() and sign not in "_-. " for sign in told)
        return len(told) >= 4 and (has_digit(told) or signs) and not _is_name(told)
    if strength is Strength.STRONG and value.sep in ("is", "was", "to", "as", ">", "|"):
        signs = any(sign in "!@#$%^&*+=?" for sign in told)
        return len(told) >= 5 and (mixed or (signs and has_letter(told)))
    if strength >= Strength.MEDIUM:
        shortest = 16 if value.sep == " " else 12
        named = name.isupper() or value.sep != " " or not (is_hex(told) or is_uuid(told))
        return mixed and len(told) >= shortest and named and _is_token(told, name)
    return looks_random(told, 20)


def _is_flag_value(strength: Strength, told: str) -> bool:
    if told.startswith("-") or (told.isupper() and _is_name(told)):
        return False
    if strength is Strength.STRONG:
        return len(told) >= 3 and told.lower() not in WORDS
    return _is_token(told, "") if strength is Strength.MEDIUM else looks_random(told, 16)


def _is_password(text: str, name: str, value: _Value) -> bool:
    told = value.text
    if len(told) < 3 or told.lower().strip(".,;:!") in WORDS:
        return False
    if told.isdigit() and len(told) < (4 if "pass" in name.lower() else 8):
        return False
    if value.quoted:
        return not (_is_name(told) and _is_about(told, name))
    if _DATE_OR_VERSION.fullmatch(told) and not told.isdigit():
        return False
    if has_digit(told) or (len(told) >= 6 and not _is_name(told) and not is_wordy(told)):
        return True
    if _is_name(told) and _is_about(told, name):
        return False
    # A bare word is a variable in code and a value in a file of settings.
    if value.sep == "=" and (
        value.before.endswith(("?", "&", ";", "-")) or _is_setting(text, name, value)
    ):
        return len(told) >= 4
    return value.sep == ":" and _is_setting(text, name, value) and len(told) >= 5


def _is_name(told: str) -> bool:
    return _NAME.fullmatch(told) is not None


def _is_about(told: str, name: str) -> bool:
    """Whether a word says what it stands for: `"password": "password"`, `"db_password"`."""
    return judge_name(told) is not Strength.NONE or told.lower() in name.lower()


def _is_setting(text: str, name: str, value: _Value) -> bool:
    """Whether the name begins a line or a shell word, and the value ends it."""
    if not _WHOLE_LINE.match(text, value.end) and not name.isupper():
        return False
    before = text[max(0, value.start - 200) : value.start]
    at = before.rfind(name)
    line = before[:at].rpartition("\n")[2].rpartition("\\n")[2]
    plain = line.strip() in ("", "-", "export", "set", "env", "+") or line.endswith(
        ("-e ", "--env ")
    )
    return plain and value.text.lower() not in WORDS


def _is_token(told: str, name: str) -> bool:
    if len(told) < 8 or _MAIL.fullmatch(told) or _DATE_OR_VERSION.fullmatch(told):
        return _is_pin(told, name)
    if is_uuid(told) or (is_hex(told) and len(told) >= 16):
        return True
    user, colon, password = told.partition(":")
    if colon and user.isalnum() and has_letter(password):  # A name and a password.
        return len(password) >= 6 and (has_digit(password) or not is_wordy(password))
    if not has_digit(told):
        return len(told) >= 16 and not is_wordy(told) and shannon(told) >= 3.2
    return has_letter(told) and not is_wordy(told)


def _is_pin(told: str, name: str) -> bool:
    """Short numbers are secret behind few names: `pin: 4711`, `otp=123456`."""
    last = name.lower().replace("-", "_").rpartition("_")[2]
    return told.isdigit() and 3 <= len(told) <= 8 and last in ("pin", "otp", "totp", "cvv", "cvc")


def _is_key(told: str, name: str, value: _Value) -> bool:
    if value.before.endswith(("?", "&", "#", ";")):  # In an address, keys are what they say.
        return len(told) >= 16 and has_digit(told) and not is_wordy(told)
    if value.sep == "=" and (name.isupper() or name.lower().endswith("signature")):
        return looks_random(told, 16) or is_uuid(told) or (is_hex(told) and len(told) >= 24)
    return looks_random(told, 16)
