"""Made-up keys, tokens and passwords: as they stand in a text, and what must not be left."""

_KEY = "".join(chr(97 + i % 26) + str(i % 10) for i in range(40))
_PEM = "MIIEpAIBAAKCAQEA" + _KEY

FAKES: dict[str, tuple[str, str]] = {
    "private-key": (
        f"-----BEGIN RSA PRIVATE KEY-----\\n{_PEM}\\n-----END RSA PRIVATE KEY-----",
        _PEM,
    ),
    "anthropic-key": (f"sk-ant-api03-{_KEY}", _KEY),
    "openai-key": (f"sk-proj-{_KEY}", _KEY),
    "aws-access-key": ("AKIAQ7" + _KEY.upper()[:14], _KEY.upper()[:14]),
    "github-token": (f"ghp_{_KEY[:36]}", _KEY[:36]),
    "gitlab-token": (f"glpat-{_KEY[:20]}", _KEY[:20]),
    "slack-token": (f"xoxb-1234567890-{_KEY[:24]}", _KEY[:24]),
    "google-key": (f"AIza{_KEY[:35]}", _KEY[:35]),
    "huggingface-token": (f"hf_{_KEY[:34]}", _KEY[:34]),
    "stripe-key": (f"sk_live_{_KEY[:24]}", _KEY[:24]),
    "npm-token": (f"npm_{_KEY[:36]}", _KEY[:36]),
    "jwt": (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx{_KEY[:20]}.{_KEY[20:50]}", _KEY[20:50]),
    "password": (f"postgres://admin:{_KEY[:18]}@db.internal:5432/main", _KEY[:18]),
}
"""By kind: the text, and the part of it that is the secret."""
