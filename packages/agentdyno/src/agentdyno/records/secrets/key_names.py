"""Names that announce a secret, and how surely.

Takes a name as it stands in a text (`DB_PASSWORD`, `x-api-key`, `clientSecret`), returns how little
its value must look like a secret to be taken for one. Names are compared word by word, so that
`tokenizer`, `keyboard` and `max_tokens` are no secrets' names.
"""

import re
from enum import IntEnum

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Strength(IntEnum):
    """The evidence of a name about its value."""

    NONE = 0
    """Nothing."""
    WEAK = 1
    """A secret if it looks drawn at random: `key`, `signature`, `code`."""
    MEDIUM = 2
    """A secret unless it looks like words or a count: `token`, `api_key`, `auth`."""
    STRONG = 3
    """A secret unless it is a type, a variable or a message: `password`, `client_secret`."""


_STRONG = frozenset(
    """
    password passwd passwort pwd pswd passwrd passphrase passcode passkey pass pw psk pgpassword
    kennwort contrasena contraseña contrase senha wachtwoord haslo hasło motdepasse parola
    clave secret secrets secretkey clientsecret appsecret userpass dbpass storepass keypass
    rootpass adminpass smtppass
    """.split()
)
_SHORT = frozenset({"pass", "pw", "clave", "parola"})
"""Words that are a password's at the end of a name only."""
_PLAIN = re.compile(
    r"passw(?:or)?d|passphrase|passwrd|secret|apikey|accesskey|privatekey|authtoken"
)
"""Found inside a word too: `MYSQLPASSWORD`, `mypassword`, `authtoken`."""
_MEDIUM = frozenset(
    """
    token tokens apikey accesstoken authtoken refreshtoken idtoken auth authorization
    authentication credential credentials cred creds bearer jwt accesskey privatekey secretid
    sessiontoken cookie sessionkey apitoken userkey appkey accountkey licensekey sharedkey
    masterkey signingkey phpsessid jsessionid sessid csrftoken xsrftoken pat otp totp mfa pin cvv
    cvc pincode sas sastoken connectionstring webhook
    """.split()
)
_KEYS = frozenset(
    """
    api secret private access auth client master encryption encrypt crypto signing sign account
    service app application subscription license shared admin deploy deployment storage root host
    vault user server project provider webhook ssh ssl tls gpg pgp aes rsa hmac jwt session
    consumer integration merchant developer dev prod production live rapidapi openai anthropic
    azure google aws gcp stripe functions function ocp apim write read ingest ingestion personal
    bot publishable security recovery wep wpa wifi network registration activation product serial
    routing ocpapimsubscription
    """.split()
)
"""Words that make a `key` a secret one."""
_WEAK = frozenset(
    """
    key keys signature sig sid code salt seed nonce dsn ticket assertion verifier hmac challenge
    session sessionid xsrf csrf login appid hash digest state_token conn connection licence
    license
    """.split()
) - {"hash", "digest"}
_NOT = frozenset(
    """
    max min num number count total limit budget used usage per next page continuation cursor cache
    cached primary foreign partition sort idempotency dedup group row index hot short shift arrow
    stop eos bos pad unk mask cls special input output prompt completion reasoning thinking sync
    cancel cancellation public pub policy regex pattern field fields column label placeholder hint
    prompt name names type types kind length size len path file filename dir url uri endpoint arn
    ref version expiry expires expiration ttl at time timeout class manager provider store format
    required enabled disabled error errors message title description id ids exists valid validity
    validation validator strength reset rotation rotate generator visibility toggle icon button
    event prefix suffix step steps rate cost price level levels position offset start end first
    last map maps dict object tool tools model source sources algorithm alg test tests threshold
    through rate fail fails encode decode replace startswith endswith split strip join append
    compare match hasher classification
    """.split()
)
"""Words after which, or before which, the value is about a secret, or is something else."""
_BEFORE = frozenset(
    """
    max min num number count total limit budget used usage per next page continuation cursor cache
    cached primary foreign partition sort idempotency dedup group row index hot short shift arrow
    stop eos bos pad unk mask cls special input output prompt completion reasoning thinking sync
    cancel cancellation public pub start end first last map maps dict object error status exit zip
    postal country source
    """.split()
)
"""Words before `key`, `token` or `code` that say that it is no secret one."""
_ID_OF_A_SECRET = frozenset({"access", "secret"})


def split_words(name: str) -> list[str]:
    """The words of a name in lower case: `dbPassword_2` is db, password, 2."""
    return [word.lower() for word in _WORD.findall(name)]


def judge_name(name: str) -> Strength:
    """Judge how surely a secret follows the name."""
    words = split_words(name)
    if not words:
        return Strength.STRONG if _OTHER_SCRIPTS.search(name) else Strength.NONE
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return Strength.NONE
    if words[-1] in ("id", "ids") and len(words) > 1 and words[-2] in ("key", "secret"):
        return Strength.MEDIUM if _ID_OF_A_SECRET & set(words) else Strength.NONE
    if words[-1] in _NOT or _is_about_something_else(words):
        return Strength.NONE
    return max(_strength(words, at) for at in range(len(words)))


def _is_about_something_else(words: list[str]) -> bool:
    """True when a word before `key` or `token` says that it is no secret one."""
    for at, word in enumerate(words):
        if at and word in ("key", "keys", "token", "tokens", "code") and words[at - 1] in _BEFORE:
            return True
    return False


def _strength(words: list[str], at: int) -> Strength:
    word, joined = words[at], "".join(words[at : at + 2])
    if word in _SHORT and at + 1 < len(words):  # `pw_node`, `pass_threshold`.
        return Strength.NONE
    if word in _STRONG or _PLAIN.search(word) or joined in _STRONG:
        return Strength.STRONG
    if word in ("key", "keys") and at and (words[at - 1] in _KEYS or "access" in words):
        return Strength.MEDIUM
    if word in _MEDIUM or joined in _MEDIUM or (joined.endswith("key") and words[at] in _KEYS):
        return Strength.MEDIUM
    return Strength.WEAK if word in _WEAK else Strength.NONE


_OTHER_SCRIPTS = re.compile(
    r"密码|密碼|口令|パスワード|비밀번호|암호|пароль|Пароль|ПАРОЛЬ|סיסמה|كلمة"
)
