"""Made-up secrets of many kinds, drawn anew from a seed: no scanner finds one in this file.

Each kind is a text as it stands in a trace and the part of it that nobody may see.
"""

import base64
import random
import string
from collections.abc import Callable
from functools import cache

BASE62 = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"

Kind = tuple[str, str]
"""The text, and the secret in it."""


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

    def uuid(self) -> str:
        """A UUID."""
        return "-".join(self.text(size, HEX) for size in (8, 4, 4, 4, 12))


@cache
def kinds(seed: int = 7) -> dict[str, Kind]:
    """All of them, by name."""
    draw = Draw(seed)
    return {**_tokens(draw), **_named(draw), **_forms(draw)}


def _tokens(draw: Draw) -> dict[str, Kind]:
    """Vendors' tokens: a beginning, how many characters, of which alphabet."""
    shapes: dict[str, tuple[str, int, str]] = {
        "anthropic": ("sk-" + "ant-api03-", 93, BASE62 + "-_"),
        "openai": ("sk-" + "proj-", 48, BASE62),
        "openai legacy": ("sk-", 48, BASE62),
        "openrouter": ("sk-" + "or-v1-", 64, HEX),
        "deepseek": ("sk-", 32, HEX),
        "groq": ("gsk" + "_", 52, BASE62),
        "xai": ("xai" + "-", 80, BASE62),
        "replicate": ("r8" + "_", 37, BASE62),
        "perplexity": ("pplx" + "-", 48, BASE62),
        "nvidia": ("nvapi" + "-", 64, BASE62 + "-_"),
        "langsmith": ("lsv2_pt" + "_", 32, HEX),
        "tavily": ("tvly" + "-", 32, BASE62),
        "pinecone": ("pcsk" + "_", 60, BASE62),
        "huggingface": ("hf" + "_", 34, BASE62),
        "aws access key": ("AK" + "IA", 16, UPPER),
        "github": ("gh" + "p_", 36, BASE62),
        "github app": ("gh" + "s_", 36, BASE62),
        "github fine-grained": ("github" + "_pat_", 82, BASE62),
        "gitlab": ("gl" + "pat-", 20, BASE62),
        "gitlab runner": ("gl" + "rt-", 20, BASE62),
        "slack bot": ("xo" + "xb-7345678901-8345678901-", 24, BASE62),
        "slack app": ("xa" + "pp-1-A0B1C2D3E-1234567890123-", 64, HEX),
        "google": ("AI" + "za", 35, BASE62 + "-_"),
        "google oauth": ("ya" + "29.a0", 60, BASE62 + "-_"),
        "google client secret": ("GOC" + "SPX-", 28, BASE62),
        "stripe": ("sk_" + "live_", 24, BASE62),
        "stripe restricted": ("rk_" + "test_", 24, BASE62),
        "stripe webhook": ("whs" + "ec_", 32, BASE62),
        "npm": ("np" + "m_", 36, BASE62),
        "pypi": ("py" + "pi-AgEIcHlwaS5vcmc", 90, BASE62 + "-_"),
        "docker": ("dck" + "r_pat_", 27, BASE62),
        "digitalocean": ("do" + "p_v1_", 64, HEX),
        "databricks": ("da" + "pi", 32, HEX),
        "doppler": ("dp" + ".pt.", 43, BASE62),
        "vault": ("hv" + "s.", 95, BASE62),
        "pulumi": ("pu" + "l-", 40, HEX),
        "prefect": ("pn" + "u_", 36, BASE62),
        "shopify": ("shp" + "at_", 32, HEX),
        "square": ("sq0" + "atp-", 22, BASE62),
        "twilio": ("S" + "K", 32, HEX),
        "mailgun": ("ke" + "y-", 32, HEX),
        "brevo": ("xkey" + "sib-", 64, HEX),
        "postman": ("PM" + "AK-", 24, HEX),
        "newrelic": ("NR" + "AK-", 27, UPPER),
        "grafana": ("gl" + "sa_", 32, BASE62),
        "sentry": ("sntry" + "u_", 64, HEX),
        "linear": ("lin" + "_api_", 40, BASE62),
        "notion": ("nt" + "n_", 46, BASE62),
        "figma": ("fi" + "gd_", 40, BASE62),
        "supabase": ("sb" + "p_", 40, HEX),
        "planetscale": ("psc" + "ale_tkn_", 43, BASE62),
        "netlify": ("nf" + "p_", 40, BASE62),
        "atlassian": ("ATA" + "TT3", 120, BASE62),
        "rubygems": ("ruby" + "gems_", 48, HEX),
        "airtable": ("pa" + "t" + "Qw3Er5Ty7Ui9Op.", 64, HEX),
        "a vendor of nobody's list": ("zq" + "_", 40, BASE62),
        "no beginning at all": ("", 40, BASE62),
    }
    found = {}
    for name, (beginning, size, alphabet) in shapes.items():
        secret = draw.text(size, alphabet)
        found[name] = (f"rejected {beginning}{secret} by the server", secret)
    first, second, third = draw.text(30), draw.text(40), draw.text(43)
    found["jwt"] = (f"got ey{'J'}{first}.ey{'J'}{second}.{third}", third)
    found["sendgrid"] = (f"mail S{'G'}.{draw.text(22)}.{third}", third)
    found["telegram"] = (f"GET /bot7{draw.text(9, '0123456789')}:A{'A'}{first}x", first)
    return found


def _named(draw: Draw) -> dict[str, Kind]:
    """A name, a sign and a value, in every way that is written."""
    forms = {
        ".env": "DB_PASSWORD={}\nDB_HOST=db",
        ".env export": "export SERVICE_TOKEN={}",
        ".env quoted": "APP_SECRET='{}'",
        "yaml": "database:\n  password: {}\n  port: 5432",
        "yaml quoted": 'api_key: "{}"',
        "json": '{{"user": "ada", "password": "{}"}}',
        "json escaped": '{{\\"client_secret\\": \\"{}\\"}}',
        "python dict": "{{'access_token': '{}'}}",
        "toml": 'secret_key = "{}"',
        "ini": "passwd = {}",
        "properties": "spring.datasource.password={}",
        "php": "define('DB_PASSWORD', '{}');",
        "ruby": ":password => '{}'",
        "go": 'cfg.ApiKey := "{}"',
        "call": 'client.setPassword("{}")',
        "environ": 'os.environ["API_TOKEN"] = "{}"',
        "keyword argument": 'connect(host="db", password="{}")',
        "prose": "the password is {} for now",
        "form": "grant_type=password&password={}&scope=all",
        "query": "GET https://api.example.org/v1/me?access_token={}&page=2",
        "query key": "https://maps.example.org/json?key={}",
        "signed url": "https://x.blob.example.net/c?sv=2020&sig={}%3D&se=2025",
        "header": "x-api-key: {}",
        "header in curl": "curl -H 'X-Auth-Token: {}' https://example.org",
        "header private token": "PRIVATE-TOKEN: {}",
        "header in json": '{{"headers": {{"Ocp-Apim-Subscription-Key": "{}"}}}}',
        "flag": "mytool --password {} --verbose",
        "flag with sign": "mytool --api-key={} run",
        "docker -e": "docker run -e MYSQL_ROOT_PASSWORD={} mysql",
        "ado.net": "Server=db;User Id=sa;Password={};Encrypt=yes",
        "odbc": "DRIVER=x;UID=sa;PWD={};",
        "libpq": "host=db user=ada password={} dbname=x",
        "storage account": "AccountName=x;AccountKey={};EndpointSuffix=y",
        "k8s env": "- name: DB_PASSWORD\n  value: {}",
        "name and value": '{{"name": "API_KEY", "value": "{}"}}',
        "xml": "<password>{}</password>",
        "xml attribute": '<add key="ApiSecret" value="{}"/>',
        "npmrc": "//registry.npmjs.org/:_authToken={}",
        "pypirc": "[pypi]\nusername = __token__\npassword = {}",
        "aws secret": "aws_secret_access_key = {}",
        "aws configure": "aws configure set aws_secret_access_key {}",
        "wireguard": "PrivateKey = {}",
        "sql": "CREATE USER x WITH PASSWORD '{}';",
        "camel case": '"refreshToken":"{}"',
        "percent encoded": "client_secret%3D{}%26x%3D1",
        "session cookie": "sessionid={}; Path=/",
    }
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
    pem, totp = draw.text(64, BASE62 + "+/"), draw.text(32, UPPER)
    drawn = {name: form(draw) for name, form in _DRAWN.items()}
    return drawn | {
        "basic": (f"Authorization: Basic {basic}", basic),
        "private key": (f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{pem}\n{pem}\n-----END RSA", pem),
        "openssh key": (f"-----BEGIN OPENSSH PRIVATE {'KEY'}-----\\n{pem}\\n-----END", pem),
        "totp": (f"otpauth://totp/x:ada?secret={totp}&issuer=x", totp),
    }


def _shape(form: str, size: int) -> Callable[[Draw], Kind]:
    def fill(draw: Draw) -> Kind:
        secret = draw.text(size)
        return form.replace("{}", secret), secret

    return fill


_SHAPES: dict[str, tuple[str, int]] = {
    "bearer": ("Authorization: Bearer {}", 32),
    "bearer in json": ('{"Authorization": "Bearer {}"}', 32),
    "token scheme": ("authorization: Token {}", 24),
    "bare authorization": ("Authorization: {}", 32),
    "cookie": ("Cookie: sid={}; theme=dark", 32),
    "set-cookie": ("Set-Cookie: auth={}; HttpOnly", 32),
    "curl user": ("curl -u ada:{} https://example.org", 18),
    "curl cookie": ("curl -b 'sid={}' https://example.org", 32),
    "postgres address": ("postgres://ada:{}@db:5432/x", 18),
    "mongo address": ("mongodb+srv://ada:{}@cluster0.example.net", 18),
    "redis address": ("redis://:{}@cache:6379/0", 18),
    "amqp address": ("amqp://ada:{}@mq/v", 18),
    "git address": ("git clone https://{}@git.example.org/x.git", 32),
    "sshpass": ("sshpass -p '{}' ssh root@host", 18),
    "mysql": ("mysql -uroot -p{} shop", 18),
    "redis-cli": ("redis-cli -h cache -a {} ping", 18),
    "netrc": ("machine example.org login ada password {}", 18),
    "pgpass": ("db:5432:shop:ada:{}", 18),
    "requests": ('requests.get(u, auth=("ada", "{}"))', 18),
    "sql identified": ("ALTER USER x IDENTIFIED BY '{}'", 18),
    "openssl": ("openssl rsa -passin pass:{} -in k.pem", 18),
    "sudo": ("echo {} | sudo -S ls", 18),
    "bcrypt": ("ada:$2b$12$abcdefghijklmnopqrstuv{}", 31),
    "shadow": ("root:$6$abcdefgh${}:19000", 72),
    "slack webhook": ("https://hooks.slack." + "com/services/T0AB12CD3/B0AB12CD3/{}", 24),
    "discord webhook": ("https://discord." + "com/api/webhooks/123456789012345678/{}", 32),
    "powershell": ('ConvertTo-SecureString "{}" -AsPlainText -Force', 18),
}
_DRAWN = {name: _shape(form, size) for name, (form, size) in _SHAPES.items()}
