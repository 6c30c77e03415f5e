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
_WHOLE_LINE = re.compile(r"[ \t]*(?:\r?\n|\\n|\\r|\Z|#)")


class _Value(NamedTuple):
    start: int
    """Its first character."""
    end: int
    """One beyond its last."""
    text: str
    """The value itself."""
    quoted: bool
    """True when it is quoted."""
    sep: str
    """The text between the name and it, without spaces and in lower case."""
    before: str
    """Up to three characters before the name; a dash for a flag of a command."""


@cache
def _name() -> re.Pattern[str]:
    """Compiled when it is first needed, not when the program starts."""
    return re.compile(_NAMED)


def find_named(text: str, low: str) -> Iterator[Span]:
    """Values behind a secret's name; `low` is the text in lower case, of the same length."""
    at = 0
    while match := _name().search(low, at):
        at = match.end("rest")
        start = match.start("word")
        prefix = _BEFORE.search(text, max(0, start - 64), start)
        begins = prefix.start() if prefix else start
        name = _full_name(text, begins, match.end("rest"))
        strength = judge_name(name)
        if strength is Strength.NONE:
            continue
        before = "-" if text[begins] == "-" else text[max(0, begins - 3) : begins]
        value = _read_value(text, match, before)
        if value is not None and _is_secret(text, name, strength, value):
            yield Span(value.start, value.end, _kind(strength))
            at = max(at, value.end)


_APART = re.compile(r"(?i:(api|access|secret|private|auth|account|licen[sc]e|signing)[ ])\Z")


def _full_name(text: str, begins: int, end: int) -> str:
    """The name, with the word before it where `api key` is written as two."""
    name = text[begins:end].strip("-$@.")
    separate = _APART.search(text, max(0, begins - 10), begins)
    return f"{separate[1]}_{name}" if separate and name[:3].lower() in ("key", "tok") else name


def _kind(strength: Strength) -> str:
    return "password" if strength is Strength.STRONG else "credential"


def _read_value(text: str, match: Match[str], before: str) -> _Value | None:
    opened, start = match["open"].lstrip("brfu[({"), match.end("open")
    sep = match["sep"].strip().lower() or " "
    if opened:
        delimiter = opened
        line = text.find("\n", start, start + _LONGEST)
        stop = line if line >= 0 else min(len(text), start + _LONGEST)
        end = text.find(delimiter, start, stop)
        if end < 0:
            end = stop
        elif delimiter == '"' and text[end - 1 : end] == "\\":
            end = _find_unescaped(text, end, stop)
        return _Value(start, end, text[start:end], True, sep, before) if end > start else None
    plain = _PLAIN_VALUE.match(text, start, start + _LONGEST)
    if plain is None or match["open"].endswith(("[", "(", "{")):
        return None
    value = plain[0].rstrip(".)]}\\:!?")
    if value.count("(") > value.count(")") or _EXPRESSION.match(text, start + len(value)):
        return None
    return _Value(start, start + len(value), value, False, sep, before) if value else None


def _find_unescaped(text: str, end: int, stop: int) -> int:
    """The first quote that is not escaped."""
    while end >= 0 and text[end - 1] == "\\":
        end = text.find('"', end + 1, stop)
    return end if end >= 0 else stop


def _is_secret(text: str, name: str, strength: Strength, value: _Value) -> bool:
    reported = value.text
    if (
        is_placeholder(reported)
        or reported.startswith("[secret:")
        or _is_code(reported, value.quoted)
    ):
        return False
    if _PATH.fullmatch(reported) and not looks_random(reported.rpartition("/")[2], 20):
        return False
    if any(sign in reported for sign in " \t"):
        return strength is Strength.STRONG and value.quoted and _is_phrase(reported, value.sep)
    if value.sep in (" ", ",", "(", "|", ">", "is", "was", "are", "to", "as"):
        return _is_loosely_named(name, strength, value)
    if strength is Strength.STRONG:
        return _is_password(text, name, value)
    if strength is Strength.MEDIUM:
        return _is_token(reported, name)
    return _is_key(reported, name, value)


def _is_code(reported: str, quoted: bool) -> bool:
    """True for an expression rather than a value."""
    if _CALL.search(reported) and not (quoted and has_digit(reported)):
        return True
    if _DOTTED.fullmatch(reported) and not looks_random(reported, 12):
        return not quoted or not has_digit(reported)
    return not quoted and reported.endswith("()")


def _is_phrase(reported: str, sep: str) -> bool:
    """A passphrase of several words in quotes, not a sentence about one."""
    words = reported.lower().split()
    if sep not in ("=", ":", "=>", ":="):
        return False
    return len(words) <= 8 and not any(word.strip(".,:;!?'") in WORDS for word in words)


def _is_loosely_named(name: str, strength: Strength, value: _Value) -> bool:
    """Behind a space, a comma or a bracket: a flag's value, an argument, a cell, prose."""
    reported = value.text
    mixed = has_digit(reported) and has_letter(reported)
    if value.sep == " " and value.before.endswith("-"):
        return _is_flag_value(strength, reported)
    if value.before.endswith("<") and value.sep == ">":  # <password>…</password>
        return _is_flag_value(strength, reported)
    if strength is Strength.STRONG and value.quoted and value.sep == " " and len(reported) >= 6:
        about = _is_name(reported) and ("_" in reported or _is_about(reported, name))
        return not about and name.lower() not in ("pass", "secret", "secrets")
    if value.sep in (",", "(") and not value.quoted:
        return False
    if name.lower() in ("pass", "key", "code") and value.sep not in ("is", "|"):  # A verb, a noun.
        return looks_random(reported, 16)
    if strength is Strength.STRONG and value.quoted:
        signs = any(not sign.isalnum() and sign not in "_-. " for sign in reported)
        return len(reported) >= 4 and (has_digit(reported) or signs) and not _is_name(reported)
    if strength is Strength.STRONG and value.sep in ("is", "was", "to", "as", ">", "|"):
        signs = any(sign in "!@#$%^&*+=?" for sign in reported)
        return len(reported) >= 5 and (mixed or (signs and has_letter(reported)))
    if strength >= Strength.MEDIUM:
        shortest = 16 if value.sep == " " else 12
        named = name.isupper() or value.sep != " " or not (is_hex(reported) or is_uuid(reported))
        return mixed and len(reported) >= shortest and named and _is_token(reported, name)
    return looks_random(reported, 20)


def _is_flag_value(strength: Strength, reported: str) -> bool:
    if reported.startswith("-") or (reported.isupper() and _is_name(reported)):
        return False
    if strength is Strength.STRONG:
        return len(reported) >= 3 and reported.lower() not in WORDS
    return _is_token(reported, "") if strength is Strength.MEDIUM else looks_random(reported, 16)


def _is_password(text: str, name: str, value: _Value) -> bool:
    reported = value.text
    if len(reported) < 3 or reported.lower().strip(".,;:!") in WORDS:
        return False
    if reported.isdigit() and len(reported) < (4 if "pass" in name.lower() else 8):
        return False
    if value.quoted:
        return not (_is_name(reported) and _is_about(reported, name))
    if _DATE_OR_VERSION.fullmatch(reported) and not reported.isdigit():
        return False
    if has_digit(reported) or (
        len(reported) >= 6 and not _is_name(reported) and not is_wordy(reported)
    ):
        return True
    if _is_name(reported) and _is_about(reported, name):
        return False
    # A bare word is a variable in code and a value in a file of settings.
    if value.sep == "=" and (
        value.before.endswith(("?", "&", ";", "-")) or _is_setting(text, name, value)
    ):
        return len(reported) >= 4
    return value.sep == ":" and _is_setting(text, name, value) and len(reported) >= 5


def _is_name(reported: str) -> bool:
    return _NAME.fullmatch(reported) is not None


def _is_about(reported: str, name: str) -> bool:
    """True when a word says what it stands for: `"password": "password"`, `"db_password"`."""
    return judge_name(reported) is not Strength.NONE or reported.lower() in name.lower()


def _is_setting(text: str, name: str, value: _Value) -> bool:
    """True when the name begins a line or a shell word, and the value ends it."""
    if not _WHOLE_LINE.match(text, value.end) and not name.isupper():
        return False
    before = text[max(0, value.start - 200) : value.start]
    at = before.rfind(name)
    line = before[:at].rpartition("\n")[2].rpartition("\\n")[2]
    plain = line.strip() in ("", "-", "export", "set", "env", "+") or line.endswith(
        ("-e ", "--env ")
    )
    return plain and value.text.lower() not in WORDS


def _is_token(reported: str, name: str) -> bool:
    if len(reported) < 8 or _MAIL.fullmatch(reported) or _DATE_OR_VERSION.fullmatch(reported):
        return _is_pin(reported, name)
    if is_uuid(reported) or (is_hex(reported) and len(reported) >= 16):
        return True
    user, colon, password = reported.partition(":")
    if colon and user.isalnum() and has_letter(password):  # A name and a password.
        return len(password) >= 6 and (has_digit(password) or not is_wordy(password))
    if not has_digit(reported):
        return len(reported) >= 16 and not is_wordy(reported) and shannon(reported) >= 3.2
    return has_letter(reported) and not is_wordy(reported)


def _is_pin(reported: str, name: str) -> bool:
    """Short numbers are secret behind few names: `pin: 4711`, `otp=123456`."""
    last = name.lower().replace("-", "_").rpartition("_")[2]
    return (
        reported.isdigit()
        and 3 <= len(reported) <= 8
        and last in ("pin", "otp", "totp", "cvv", "cvc")
    )


def _is_key(reported: str, name: str, value: _Value) -> bool:
    if value.before.endswith(("?", "&", "#", ";")):  # In an address, keys are what they say.
        return len(reported) >= 16 and has_digit(reported) and not is_wordy(reported)
    if value.sep == "=" and (name.isupper() or name.lower().endswith("signature")):
        return (
            looks_random(reported, 16)
            or is_uuid(reported)
            or (is_hex(reported) and len(reported) >= 24)
        )
    return looks_random(reported, 16)
