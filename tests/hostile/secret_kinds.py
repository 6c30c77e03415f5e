"""Made-up secrets of many kinds, drawn anew from a seed: no scanner finds one here or in the tables
of `tests/data/cases/hostile`, where what a scanner knows is in pieces.

Each kind is a text as it stands in a trace and the part of it that nobody may see.
"""

import base64
import random
import string
from functools import cache

from tests.labelled import read_table

BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
SHORT_WORDS = [
    "able", "acid", "alarm", "angry", "arrow", "bacon", "basket", "blue", "brave", "cabin", "candy",
    "castle", "cause",
]  # fmt: skip
LONG_WORDS = ["abstract", "business", "disagree", "marriage", "physical", "scissors", "shoulder"]
ALPHABETS = {"base62": BASE62, "base64url": BASE62 + "-_", "hex": HEX, "base32": BASE32}

Kind = tuple[str, str]
"""The text, and the secret in it."""
HALF = 8
"""So many characters in a row of a secret are a half of it."""
ONLY_RANDOM = {"no beginning at all", "a vendor of nobody's list"}
"""Kinds that stay in names of files, which programs draw at random too."""


def halves(secret: str) -> set[str]:
    return {secret[at : at + HALF] for at in range(max(len(secret) - HALF + 1, 1))}


def find_left(texts: dict[str, str], planted: dict[str, Kind]) -> set[tuple[str, str]]:
    """Which kinds are left where; one search for each half would take minutes."""
    known = {half: kind for kind, (_, secret) in planted.items() for half in halves(secret)}
    known |= {half.replace(" ", "_"): kind for half, kind in known.items()}
    return {
        (known[part], where)
        for where, text in texts.items()
        for part in {text[at : at + HALF] for at in range(len(text))} & known.keys()
    }


class Draw:
    """Draws the random parts."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def text(self, size: int, alphabet: str = BASE62) -> str:
        """As chance has it, with a digit or two and two letters at least."""
        while True:
            found = "".join(self._rng.choice(alphabet) for _ in range(size))
            digits = sum(sign.isdigit() for sign in found)
            if alphabet.isdigit() or min(size, 16) // 8 <= digits <= size - 2:
                return found

    def password(self, size: int = 14) -> str:
        """Letters, digits and a sign."""
        return self.text(size - 1) + self._rng.choice("!*+?")

    def words(self, many: int) -> list[str]:
        """As wallets draw them; the eighth is long enough to be known by itself."""
        drawn = self._rng.sample(SHORT_WORDS, many)
        return [*drawn[:7], self._rng.choice(LONG_WORDS), *drawn[8:]]

    def uuid(self) -> str:
        return "-".join(self.text(size, HEX) for size in (8, 4, 4, 4, 12))


@cache
def kinds(seed: int = 7) -> dict[str, Kind]:
    """All of them, by name."""
    return {name: kind for group in group_kinds(seed).values() for name, kind in group.items()}


def group_kinds(seed: int) -> dict[str, dict[str, Kind]]:
    """The same by what gives them away."""
    draw = Draw(seed)
    return {
        "tokens of vendors": _tokens(draw),
        "values with a name": _named(draw),
        "headers, addresses, commands, tables, blocks": _forms(draw),
    }


def _tokens(draw: Draw) -> dict[str, Kind]:
    """Vendors' tokens: a beginning, how many characters, of which alphabet."""
    found = {}
    for name, (beginning, size, alphabet) in read_table("hostile/vendor_tokens").items():
        secret = draw.text(size, ALPHABETS[alphabet])
        found[name] = (f"rejected {''.join(beginning)}{secret} by the server", secret)
    first, second, third = draw.text(30), draw.text(40), draw.text(43)
    found["jwt"] = (f"got ey{'J'}{first}.ey{'J'}{second}.{third}", third)
    found["sendgrid"] = (f"mail S{'G'}.{draw.text(22)}.{third}", third)
    found["telegram"] = (f"GET /bot7{draw.text(9, '0123456789')}:A{'A'}{first}x", first)
    return found


def _named(draw: Draw) -> dict[str, Kind]:
    """A name, a sign and a value, in every way that is written."""
    forms = read_table("hostile/named_secrets")
    found = {name: (form.format(value := draw.text(26)), value) for name, form in forms.items()}
    weak = {
        "short password in .env": "DB_PASS={}",
        "short password in yaml": "password: {}",
        "short password in json": '{{"password": "{}"}}',
        "short password as a flag": "login --password={}",
    }
    return found | {name: (form.format(v := draw.password(9)), v) for name, form in weak.items()}


def _forms(draw: Draw) -> dict[str, Kind]:
    """Headers, addresses, commands and blocks."""
    basic = base64.b64encode(f"ada:{draw.text(18)}".encode()).decode()
    pem, totp = draw.text(64, BASE62 + "+/"), draw.text(32, BASE32)
    words = draw.words(12)
    found = {}
    for name, (form, size) in read_table("hostile/secret_shapes").items():
        secret = draw.text(size)
        found[name] = ("".join(form).replace("{}", secret), secret)
    return found | {
        "basic": (f"Authorization: Basic {basic}", basic),
        "private key": (f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{pem}\n{pem}\n-----END RSA", pem),
        "openssh key": (f"-----BEGIN OPENSSH PRIVATE {'KEY'}-----\\n{pem}\\n-----END", pem),
        "seed phrase": (f"seed phrase: {' '.join(words)}", " ".join(words)),
        "seed phrase in a sentence": (f"My recovery phrase is {' '.join(words)}", words[7]),
        "seed phrase of settings": (f'SEED_PHRASE="{" ".join(words * 2)}"', " ".join(words)),
        "seed phrase in a list": (
            "mnemonic:\n" + "\n".join(f"{at}. {word}" for at, word in enumerate(words, 1)),
            words[7],
        ),
        "totp": (f"otpauth://totp/x:ada?secret={totp}&issuer=x", totp),
    }
