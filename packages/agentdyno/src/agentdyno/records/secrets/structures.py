"""Secrets that their surroundings give away: key blocks, addresses, headers, cookies, commands.

Takes a text, yields where secrets stand in it. Each rule has words of which one is in every text
that it finds anything in, so most rules are never run on most texts.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from functools import cache
from re import Match

from agentdyno.records.secrets.placeholders import is_placeholder
from agentdyno.records.secrets.quick_look import Found
from agentdyno.records.secrets.randomness import has_digit, has_letter, is_wordy, looks_random
from agentdyno.records.secrets.spans import Span

Check = Callable[[str], bool]

_KEY = r"[ _-][A-Z0-9 _-]{0,30}PRIVATE[ _-]KEY(?:[ _-]BLOCK)?-----"
"""In names of files and folders, blanks and ends of lines are mostly underscores or dashes."""
_PEM_END = f"-----END{_KEY}"
_Q = r"\\{0,3}[\"'`]"
_WORD = r"[^\s\"'`\\|;&<>]"
_ARGUMENT = rf"(?:{_Q}([^\"'`\n]{{1,256}})|({_WORD}{{1,256}}))"
_LINE = r"(?:(?!\\[nrt]|\\{0,3}[\"'`])[^\r\n])"
_COMMAND = r"[^\n|;&]{0,240}?"


def _any(secret: str) -> bool:
    return not is_placeholder(secret)


def _credential(secret: str) -> bool:
    return not is_placeholder(secret) and (has_digit(secret) or not is_wordy(secret))


def _mix(secret: str) -> bool:
    return _credential(secret) and has_letter(secret) and has_digit(secret)


def _drawn(secret: str) -> bool:
    """A password in the middle of a sentence: `hunter2`, not `auth2`, `sha256` or `field`."""
    mixed = has_letter(secret) and (has_digit(secret) or any(s in "!@#$%^&*+=?" for s in secret))
    return mixed and _any(secret) and _NAME_OF_A_HASH.fullmatch(secret.lower()) is None


_NAME_OF_A_HASH = re.compile(
    r"(?:sha|md|aes|argon|base|oauth|auth|pbkdf|utf|v|pam|pkcs)-?[0-9]+\w*"
)


def _token(secret: str) -> bool:
    return not is_placeholder(secret) and len(secret) >= 16 and not is_wordy(secret)


def _basic(secret: str) -> bool:
    """True when it decodes to a name and a password."""
    try:
        plain = b64decode(secret + "=" * (-len(secret) % 4), validate=True)
    except (ValueError, Error):
        return False
    return b":" in plain and all(9 <= sign < 127 or sign > 159 for sign in plain)


def _cookie(secret: str) -> bool:
    return "=" in secret and not is_placeholder(secret.partition("=")[2].strip())


_SEED_PHRASE = (
    r"(?i:mnemonic|(?:seed|recovery|secret|backup)[ _-]?phrase)"
    r"(?:[ _-](?i:phrase|words?|is|are|was))*(?:[\\\"'\s:=\[(-]|\\n){1,12}(?P<secret>"
    r"[A-Za-z]{3,8}(?:[ ,;\t\"']+[a-z]{3,8}){11,23}(?![A-Za-z])"
    # One a line, or numbered.
    r"|(?:1[.):]?[ \t]*)?[A-Za-z]{3,8}"
    r"(?:(?:[ ,;\t]|\r|\n|\\[nr])*(?:\n|\\n|[0-9]{1,2}[.):]?)[ \t*-]*[a-z]{3,8})"
    r"{11,23}(?![A-Za-z]))"
)


def _is_seed_phrase(secret: str) -> bool:
    """Words of a list, not a sentence."""
    words = re.findall(r"(?:\\[nr])?([A-Za-z]{3,8})", secret)[:12]
    return not {"the", "and", "for", "are", "was", "not", "with", "from"} & {*words}


def _user(secret: str) -> bool:
    return looks_random(secret, 16) or (len(secret) >= 32 and has_digit(secret))


_RULES: tuple[tuple[str, tuple[str, ...], str, Check], ...] = (
    (
        "private-key",
        ("private key", "private_key", "private-key"),
        rf"-----BEGIN{_KEY}"
        rf"[A-Za-z0-9+/=\s\\:,.()_-]*?(?:{_PEM_END}|\Z|(?=[^A-Za-z0-9+/=\s\\:,.()_-]))",
        lambda secret: True,
    ),
    (
        "private-key",
        ("private-lines",),
        r"Private-Lines: \d{1,4}(?:\s|\\[nr])+(?P<secret>(?:[A-Za-z0-9+/=]{4,76}(?:\s|\\[nr])*)+)",
        lambda secret: True,
    ),
    (
        "private-key",
        ("kty",),
        rf"{_Q}(?:d|p|q|dp|dq|qi|k){_Q}\s*:\s*{_Q}(?P<secret>[A-Za-z0-9_-]{{16,}})",
        lambda secret: True,
    ),
    (
        "jwt",
        ("eyj",),
        r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{4,}){1,4}\.?"
        r"|(?<![A-Za-z0-9])eyJ(?:hbGci|0eXAi|raWQi|lbmMi)[A-Za-z0-9_-]{6,}",
        lambda secret: True,
    ),
    (
        "password",
        ("://",),
        r"://[^\s/:@\"'\\<>]{0,128}:(?P<secret>[^\s/\"'\\<>]{1,256})@",
        _any,
    ),
    ("credential", ("://",), r"://(?P<secret>[A-Za-z0-9_~.%-]{16,256})@[\w.-]+", _user),
    (
        "password",
        ("jdbc:oracle", "sqlplus"),
        r"(?:jdbc:oracle:\w+:|sqlplus(?:\s+-\w+)*\s+)[^\s/]{1,64}/(?P<secret>[^\s@\"']{3,128})@?",
        _any,
    ),
    (
        "authorization",
        ("authorization",),
        rf"(?i:authorization)(?![\w-])[\\\"'`\])]{{0,6}}\s{{0,3}}(?:(?:[:=]|=>|->|%3[Aa])\s{{0,3}}(?:{_Q})?|,\s{{0,3}}{_Q})"
        r"(?i:(?:basic|bearer|bot|token|api-?key|key|digest|negotiate|ntlm|oauth|splunk|sso-key|hmac"
        r"|geniekey|signature|aws4-hmac-sha256|[a-z]+-hmac-sha\d+)[ +:=]{1,3}(?:token=)?)?"
        rf"(?P<secret>{_LINE}{{6,4096}})",
        _credential,
    ),
    (
        "bearer-token",
        ("bearer",),
        r"\b[Bb](?i:earer)[\s:=+\"'\\]{1,4}(?P<secret>[A-Za-z0-9._~+/%-]{12,}={0,2})",
        _token,
    ),
    ("basic-auth", ("basic ",), r"\b(?i:basic)\s+(?P<secret>[A-Za-z0-9+/]{8,}={0,2})", _basic),
    (
        "cookie",
        ("cookie",),
        rf"(?i:cookies?)2?[\\\"'`\])]{{0,6}}\s{{0,3}}(?:[:=,]|=>)\s{{0,3}}(?:{_Q})?"
        rf"(?P<secret>[\w.%!#$&*+^|~-]{{1,64}}={_LINE}{{3,4096}})",
        _cookie,
    ),
    (
        "cookie",
        ("curl",),
        rf"\bcurl\b{_COMMAND}\s(?:-b|--cookie)[\s=]{{0,3}}(?:{_Q})?(?P<secret>[\w.%-]{{1,64}}={_LINE}{{3,4096}})",
        _cookie,
    ),
    (
        "password",
        ("curl", "wget", "http ", "https ", "xh "),
        rf"\b(?:curl|wget|http|https|xh)\b{_COMMAND}\s(?:-[a-zA-Z]*[uU]|--user|--proxy-user|-a|--auth)[\s=]{{0,3}}"
        rf"(?:{_Q})?[^\s:\"'`\\]{{0,128}}:(?P<secret>[^\s\"'`\\]{{1,256}})",
        _any,
    ),
    (
        "password",
        ("sshpass", "mysql", "mariadb", "mongo", "docker", "podman", "helm", "redis-cli", "ldap",
         "7z",
         "zip", "az login", "oc login", "snmp", "unzip", "kinit", "mosquitto", "cqlsh", "rsync",
         "sqlcmd", "ssh-keygen", "gh secret"),
        rf"\b(?:sshpass|mongo\w*|(?:docker|podman|helm|oc|az|cqlsh|nerdctl)\b{_COMMAND}|cqlsh)\b{_COMMAND}\s-p[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\b(?:mysql\w*|mariadb[\w-]*|7z[az]?)\b{_COMMAND}\s-p{_ARGUMENT}"
        rf"|\bredis-cli\b{_COMMAND}\s-a[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\b(?:ldap\w+)\b{_COMMAND}\s-w[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\b(?:zip|unzip|mosquitto_\w+|sqlcmd|bcp|ssh-keygen)\b{_COMMAND}\s-P[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\bssh-keygen\b{_COMMAND}\s-N[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\bgh secret set\b{_COMMAND}\s(?:-b|--body)[\s=]{{0,3}}{_ARGUMENT}"
        rf"|\bsnmp\w+\b{_COMMAND}\s-[AX][\s=]{{0,3}}{_ARGUMENT}",
        _any,
    ),
    (
        "password",
        ("smbclient", "rpcclient", "winexe", "net user", "rabbitmqctl", "htpasswd", "xfreerdp",
         "chpasswd", "sudo -s", "-passin", "-passout", "-k "),
        rf"\b(?:smbclient|rpcclient|winexe)\b{_COMMAND}\s-U[\s=]{{0,3}}{_Q}?[^\s%]{{1,64}}%([^\s\"'`]{{1,256}})"
        rf"|\bnet user \S{{1,64}} ([^\s/]{{1,128}})"
        rf"|\brabbitmqctl (?:add_user|change_password) \S{{1,64}} ({_WORD}{{1,256}})"
        rf"|\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+({_WORD}{{1,256}})"
        rf"|\bxfreerdp\b{_COMMAND}/p:({_WORD}{{1,256}})"
        rf"|\becho\s+(?:-n\s+)?{_Q}?(?:\S{{1,64}}:)?([^\s\"'`\\|]{{1,256}}){_Q}?\s*\|\s*(?:sudo\s+-S|sudo\s+chpasswd|chpasswd)"
        rf"|-pass(?:in|out)?\s+pass:({_WORD}{{1,256}})"
        rf"|\bopenssl\b{_COMMAND}\s-k\s+({_WORD}{{1,256}})",
        _any,
    ),
    (
        "password",
        ("echo ",),  # To a command that was cut off.
        rf"\becho\s+(?:-n\s+)?{_Q}?(?P<secret>{_WORD}{{6,256}}){_Q}?\s*\|\s*\Z",
        _mix,
    ),
    (
        "password",
        ("machine ", "default login"),
        r"(?:machine\s+\S{1,200}|default)\s+(?:login|user)\s+\S{1,200}\s+(?:account\s+\S{1,200}\s+)?"
        r"(?:password|passwd)\s+(?P<secret>[^\s\"'\\]{1,256})",
        _any,
    ),
    (
        "password",
        ("auth", "credential("),
        rf"(?i:\bauth\s{{0,2}}=\s{{0,2}}\(|(?:basic|digest)_?auth\w*\(|NetworkCredential\()\s*{_Q}[^\"'`\n]{{0,128}}{_Q}\s*,\s*"
        rf"{_Q}(?P<secret>[^\"'`\n]{{1,256}}?){_Q}",
        _any,
    ),
    (
        "password",
        (".login(",),
        rf"\.login\(\s*[^,()\n]{{1,128}},\s*(?:\w{{1,16}}\s*=\s*)?{_Q}(?P<secret>[^\"'`\n]{{1,256}}?){_Q}",
        _any,
    ),
    (
        "password",
        ("pass",),
        r"(?i:\b(?:use|using|with|enter|try|type)\s+(?:the\s+)?pass(?:word|wd|phrase|code)\s+)"
        rf"(?:{_Q})?(?P<secret>[^\s\"'`\\,;:()<>]{{4,128}}?)(?=[.!?]?(?:{_Q}|[\s,;:)]|\\n|\Z))",
        _drawn,
    ),
    (
        "password",
        ("identified ",),
        rf"(?i:identified\s+(?:with\s+\S{{1,40}}\s+)?by\s+(?:password\s+)?){_Q}(?P<secret>[^\"'`\n]{{1,256}}?){_Q}",
        _any,
    ),
    (
        "password",
        (":",),
        r"(?<![\w.:/-])(?:[\w.-]{1,128}|\*):(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s/]{1,64}:"
        r"(?P<secret>[^\s:\"'\\/]{4,256})(?![\w:])",
        _mix,
    ),
    (
        "password-hash",
        ("$",),
        r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|sha1|md5|argon2\w{1,2}|scrypt|pbkdf2[\w-]*|P|H)\$[A-Za-z0-9./+=,$-]{16,}",
        lambda secret: True,
    ),
    (
        "webhook",
        ("hooks.", "webhook", "/workflows/", "/hook/", "ntfy", "pipedream", "hooks/"),
        r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)"
        r"|discord(?:app)?\.com/api(?:/v\d+)?/webhooks/\d+|webhook\.office\.com/webhookb2"
        r"|hooks\.zapier\.com/hooks/catch|chat\.googleapis\.com/v1/spaces/\S{1,40}\?key="
        r"|maker\.ifttt\.com/trigger/\S{1,60}/key|hooks\.\w[\w.-]+)/(?P<secret>[A-Za-z0-9_/@.%-]{16,})",
        lambda secret: True,
    ),
    (
        "telegram-token",
        (":aa",),
        r"(?<!\d)(?:bot)?(?P<secret>\d{6,12}:AA[A-Za-z0-9_-]{20,})",
        lambda secret: True,
    ),
    (
        "azure-key",
        ("q~", "azdo", "jqqj99", "+astr", "+asb", "+amc", "azf", "azsea"),
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{20,40}"
        r"|(?<![A-Za-z0-9])[A-Za-z0-9]{60,90}(?:AZDO|JQQJ99|AzSe|AZF)[A-Za-z0-9]{4,}"
        r"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{70,90}\+(?:ASt|ASb|AMC|ACR|ABa|AEh)[A-Za-z0-9+/]{4,}={0,2}",
        lambda secret: True,
    ),
    ("seed-phrase", ("mnemonic", "phrase"), _SEED_PHRASE, _is_seed_phrase),
    (
        "totp-secret",
        ("otpauth",),
        r"otpauth://[^\s\"']{1,200}?secret=(?P<secret>[A-Za-z2-7=]{8,})",
        lambda secret: True,
    ),
    (
        "password",
        ("securestring",),
        rf"(?i:ConvertTo-SecureString\s+(?:-String\s+)?){_Q}(?P<secret>[^\"'`\n]{{1,128}})",
        _any,
    ),
)  # fmt: skip

_NAMING = {
    "pass", "authorization", "bearer", "basic ", "cookie", "auth", "mnemonic", "otpauth", "kty",
}  # fmt: skip
_BY_NAME = [rule for rule in _RULES if _NAMING & set(rule[1])]
"""Those that a name is part of; without any other form in a text, no other can find anything."""
COUNT = len(_RULES)
"""How many rules this is."""


def find_structures(text: str, low: str, looks: Found) -> Iterator[Span]:
    """Secrets by what stands around them; `low` is the text in lower case."""
    rules = _RULES if "form" in looks else _BY_NAME
    for kind, words, pattern, check in rules:
        for word in words:
            if word in low:
                break
        else:
            continue
        for match in _compile(pattern).finditer(text):
            start, end = _inner(match)
            if check(text[start:end]):
                yield Span(start, end, kind)
    if "-----end" in low:
        yield from find_blocks(text)


def find_seed_phrases(text: str) -> Iterator[Span]:
    """Words that open a wallet, which may stand one a line."""
    for word in ("hrase", "HRASE", "nemonic", "NEMONIC"):
        at = text.find(word)
        while at >= 0:
            match = _compile(_SEED_PHRASE).search(text, max(0, at - 16), at + 600)
            if match is not None and _is_seed_phrase(match["secret"]):
                yield Span(*match.span("secret"), "seed-phrase")
            at = text.find(word, at + 1)


def find_blocks(text: str) -> Iterator[Span]:
    """Private keys, which go over many lines."""
    for kind, _, pattern, _ in _RULES[:2]:
        for match in _compile(pattern).finditer(text):
            yield Span(*_inner(match), kind)
    for match in _compile(_PEM_END).finditer(text):
        if (start := _find_pem_start(text, match.start())) < match.start():
            yield Span(start, match.end(), "private-key")


_PEM_LINE = re.compile(r"[A-Za-z0-9+/=]{1,76}\Z")


def _find_pem_start(text: str, end: int) -> int:
    """Start of the lines of a key whose head was cut off."""
    start = end
    for line in reversed(re.split(r"(\n|\\n|\r|\\r|_)", text[max(0, end - 16_384) : end])):
        if line not in ("", "\n", "\\n", "\r", "\\r", "_"):
            match = _PEM_LINE.search(line)
            if match is None or (match.start() and len(match[0]) < 16):
                break
            start -= len(match[0])
            if match.start():
                break
            continue
        start -= len(line)
    return start


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """When its first word is found, not when the program starts."""
    return re.compile(pattern)


def _inner(match: Match[str]) -> tuple[int, int]:
    """The group that took part, or the whole."""
    return match.span(match.lastindex) if match.lastindex else match.span()
