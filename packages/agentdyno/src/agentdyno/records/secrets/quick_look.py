"""Patterns of which one matches every text that may hold a secret, and few others.

Most texts hold none, and the rules cost far more than reading a text did. So texts are searched
with `LOOKS` first, and the rules are run over what was found only: over the lines that were, where
a text is long. Each look is one pass of polars' engine, in a dialect that Python has too; together
in one pattern they would be ten times as slow, since that engine then gives up its tables.
"""

import re
from collections.abc import Iterator
from functools import cache

_SPACE = r"[\t\r\n ]*"
_VALUE = r"[^\x00-\x20\"'`,;(){}<>|&]"
_NAME_END = rf"[A-Za-z0-9_.\-]*[\"'`\\\])]*{_SPACE}"
_OPEN = rf"{_SPACE}[\[({{]?[brfuBRFU]?[\\\"'`]*"
_SIGN = r"[A-Za-z0-9_\-]"
_MIXED_PAIR = r"(?:[g-zG-Z][0-9]|[0-9][g-zG-Z])"


def _any_case(words: str) -> str:
    """Spelled out, as an engine's own way to ignore case knows thousands of letters."""
    return "|".join(
        "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in word) for word in words.split()
    )


_COLUMN = rf"(?:{_any_case('pass pwd secret kennwort contrase')})[A-Za-z_]*[ \"'`\\|]*"
_CELLS = r"[A-Za-z0-9_ \-,;|\t\"'`\\]*"
_PASSWORDS = "pass pwd pswd secret psk kennwort contrase senha wachtwoord parola clave"
_STRONG = f"(?:{_any_case(_PASSWORDS)}"
_STRONG += (
    r"|[^a-zA-Z][pP][wW]|^[pP][wW]|contraseña|has[lł]o|mot de passe|密码|密碼|口令|パスワード"
    r"|비밀번호"
    r"|암호"
    r"|[пП]ароль)"
)
_NAMES = """
    token key auth cred cookie sess sig sid jwt sas pat pin otp cvv cvc code salt seed nonce dsn
    csrf xsrf login appid bearer webhook conn licen ticket assertion verifier hmac
    """
_OTHERS = _any_case(_NAMES)
_SERVICE_NAMES = """
    adafruit airtable algolia alibaba asana atlassian confluence jira beamer bitbucket bittrex
    meraki cloudflare codecov cohere coinbase confluent contentful datadog dnkey discord droneci
    dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless heroku
    hubspot intercom jfrog artifactory bintray kraken kucoin launchdarkly linear linkedin lob
    looker mailchimp mailgun mapbox mattermost messagebird netlify newrelic new-relic new_relic
    nytimes okta plaid privateai rapidapi sendbird sentry sidekiq contribsys snyk sonar
    squarespace sumo telegr travis twitch twitter typeform yandex zendesk
    """
_SERVICES = _any_case(_SERVICE_NAMES)
LOOKS: dict[str, str] = {
    "password": (
        rf"{_STRONG}{_NAME_END}(?:(?:[:=]|%3|->|=>)[=>]*{_OPEN}{_VALUE}{_VALUE}{_VALUE}"
        rf"|(?:[,(|>]|is|was|to|as"
        rf"|[\"'`\\ ,{{]*(?:value|default)[\"'`\\: =]*){_SPACE}[\\\"'`]*{_VALUE}*[0-9!@#$%^*+]"
        rf"|>{_VALUE}{_VALUE}{_VALUE}"
        rf"|[ \t][\\\"'`]|[ \t]{_VALUE}*[0-9!@#$%^*+])"
        rf"|-[a-z-]*(?:pass|pw|secret)[a-z-]*[ =\t][^ -]"
        # A column's name, in a line of names or in SQL.
        rf"|[,;|\t\\][ \"'`a-zA-Z_]*{_COLUMN}(?:[\r\n]|\\n)"
        rf"|{_COLUMN}[,;|\t]{_CELLS}(?:[\r\n]|\\n)"
        r"|INSERT INTO |[iI]nsert into "
    ),
    "name": (
        rf"(?:{_OTHERS}){_NAME_END}(?:(?:[:=]|%3|->|=>)[=>]*|[,(|>]|[\"'`\\ ,]*value[\"'`\\: =]*"
        rf"|[iI][sS] ){_OPEN}{_VALUE}*[0-9]"
        rf"|(?:{_OTHERS}){_NAME_END}[:=]{_OPEN}{'[A-Za-z]' * 16}"
        r"|[aA][uU][tT][hH][oO][rR][iI][zZ][aA][tT][iI][oO][nN]|[bB]asic "
        r"|[bB][eE][aA][rR][eE][rR] |(?:KEY|TOKEN|AUTH|CRED)[A-Z_]*[ \t]+[^\x00-\x20]*[0-9]"
        r"|-[a-z-]*(?:token|key|auth|cred)[a-z-]*[ =\t][^\x00-\x20]*[0-9]|[mM]nemonic|[pP]hrase"
        r"|PHRASE|otpauth"
    ),
    "mixed": (
        rf"{_SIGN}{{9,}}{_MIXED_PAIR}|{_MIXED_PAIR}{_SIGN}{{9,}}|{_SIGN}{{4,}}{_MIXED_PAIR}{_SIGN}{{4,}}"
    ),
    "form": (
        r"-----BEGIN|-----END|eyJ|Private-Lines|://[^\x00-\x20/\"'<>]*@|hooks\.|webhook|SecureString|[0-9]:AA|Q~"
        r"|\$(?:[1-7y]|2[abxy]|apr1|argon|scrypt|pbkdf|P|H)\$|machine |default login"
        r"|[iI][dD][eE][nN][tT][iI][fF][iI][eE][dD] "
        r"|net user|chpasswd|sudo -S|echo [^\n|]*[|]|-pass(?:in|out)? pass:|jdbc:oracle|sqlplus"
        r"|\.login\(|[aA]uth ?= ?\(|[aA]uth[a-z]*\(|redential\(|kty|[a-z0-9][_.][0-9a-f]{24}"
        r"|:[0-9*]+:[^:\x00-\x20]+:[^:\x00-\x20]+:[^:\x00-\x20]"
        # Commands that take a password.
        r"|(?:sshpass|redis-cli|ldap[a-z]+|curl|wget|mongo[a-z]*|mysql[a-z]*|mariadb[a-z-]*|docker|podman|helm|oc|az|7z|zip"
        r"|snmp[a-z]+|smbclient|rpcclient|rabbitmqctl|htpasswd|openssl|xfreerdp|xh|http|mosquitto_[a-z]+|cqlsh"
        r"|sqlcmd|bcp|ssh-keygen|gh secret)"
        r"[ \t](?:[^\n]*[ \t])?[-/]-?[a-zA-Z]*[aupPwUkbAXN]"
        # How tokens begin.
        r"|[^a-z]sk[-_]|^sk[-_]|A[KSB][IS][AK][A-Z0-9]|gh[pousr]_|github_pat_|gl[a-z]{2,6}-|GR134|xox[a-z]|xapp-|AIza|ya29\.|hf_|[srp]k_(?:live|test)"
        r"|npm_|pypi-|SG\.|do[opr]_v1_|dapi|pul-|shp[a-z]{2}_|key-[0-9a-f]|xkeysib|PMAK|NR[AI][AIK]-|sntry|sbp_|lsv2_"
        r"|rubygems_|pat[A-Z0-9-]|SK[0-9a-f]{8}|AC[0-9a-f]{8}|fc-[0-9a-f]{8}|r8_|gsk_|xai-|tskey|AGE-SEC|dt0[a-z][0-9]|v1\.0-|(?:api|key|token|secret|live|test)_[0-9a-f]{16}"
    ),
    "service": (
        rf"(?:{_SERVICES})[ A-Za-z0-9_.\-]*[\"'\\\t\r\n ]*[=>:,|][=>:|]*{_OPEN}{_VALUE}*[0-9]"
    ),
}  # fmt: skip
"""By what each looks for: a name and a value, mixed letters and digits, the form of an address, a
command or a token, a service's name and a value."""
Found = frozenset[str]
"""The looks that found anything."""
EVERY: Found = frozenset(LOOKS)
MIXED: Found = frozenset({"mixed"})

_WORDS = {
    "password": (
        *_PASSWORDS.split(), "pw", "haslo", "hasło", "mot de passe", "密码", "密碼", "口令",
        "パスワード", "비밀번호", "암호", "пароль", "insert into ",
    ),
    "name": (*_NAMES.split(), "otpauth", "basic ", "mnemonic", "phrase"),
    "service": tuple(_SERVICE_NAMES.split()),
}  # fmt: skip
"""Of which one, in any case, stands in whatever a look finds: at its beginning, behind one sign, or
behind the last dash or separator before it. In Python a look at every place of a text would take a
hundred times as long as to find these."""
_SEPARATORS = "-,;|\t\\"
_LONGEST = 4_000
"""Characters of a text in which places are looked for one by one."""
_RUN = re.compile(_SIGN + "{10,}")
"""A run that may hold mixed letters and digits."""
_GATE = re.compile(
    r"[0-9=:@<'\"|]|[ \t]-|PRIVATE|[pP][aA][sS][sS]|[pP][hH][rR][aA][sS]|[mM]nemonic"
)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Compiled when it is first needed, not when the program starts."""
    return re.compile(LOOKS[name])


def look(text: str) -> Found:
    """The looks that match a text, for one text at a time."""
    if _GATE.search(text) is None:
        return frozenset()
    low = text.lower()
    return frozenset(name for name in LOOKS if _finds(name, text, low))


def _finds(name: str, text: str, low: str) -> bool:
    """True when a look matches; `low` is the text in small letters."""
    if name == "mixed":
        return any(map(_pattern(name).search, _RUN.findall(text)))
    if name not in _WORDS:
        return _pattern(name).search(text) is not None
    words = [word for word in _WORDS[name] if word in low]
    # Some letters have more characters in lower case, so that places do not agree.
    if words and (len(text) > _LONGEST or len(low) != len(text)):
        return _pattern(name).search(text) is not None
    places = (at for word in words for at in _find_all(word, low))
    return any(_pattern(name).match(text, start) for at in places for start in _starts(text, at))


def _find_all(word: str, low: str) -> Iterator[int]:
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + 1)


def _starts(text: str, at: int) -> Iterator[int]:
    """Positions where a secret may begin that has one of the words here."""
    yield at
    yield max(at - 1, 0)
    yield from (max(text.rfind(sign, 0, at), 0) for sign in _SEPARATORS)
