"""A URL taken apart, strictly: what could be read in two ways is refused."""

import re
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from msgspec import Struct

from agentdyno.records import printable
from agentdyno_bench.pte.tools.http.guard import RefusedError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_LENGTH = 4096
_NO_HOST = re.compile(r"[A-Za-z][\w+.-]*:/*")
_SUSPICIOUS = re.compile(r"[\x00-\x20\x7f\\]")
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,252})", re.IGNORECASE)
_ADDRESS_6 = re.compile(r"[0-9a-f:.]+", re.IGNORECASE)


class Target(Struct, frozen=True):
    """Where to connect and what to ask for."""

    scheme: str
    """Either `http` or `https`."""
    host: str
    """A name in ASCII, or an address without brackets."""
    port: int
    """The port, also where it is the usual one."""
    path: str
    """Path and query, percent-encoded."""

    @property
    def authority(self) -> str:
        """As in the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if _DEFAULT_PORTS[self.scheme] == self.port else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole of it."""
        return f"{self.scheme}://{self.authority}{self.path}"

    def join(self, location: str) -> "Target":
        """Where a redirect leads."""
        if _NO_HOST.fullmatch(location.strip()):
            raise RefusedError("the redirect names a scheme and no host")
        try:
            return parse_target(urljoin(self.url, location))
        except ValueError as error:
            problem = printable(str(error), 80)
            raise RefusedError(f"the redirect cannot be read ({problem})") from None


def parse_target(url: str) -> Target:
    """The target of a URL; `RefusedError` when it is not a plain web address."""
    text = url.strip()
    if len(text) > _MAX_LENGTH:
        raise RefusedError(f"the URL is longer than {_MAX_LENGTH} characters")
    if _SUSPICIOUS.search(text):
        raise RefusedError("the URL holds a space, a backslash or a control character")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise RefusedError(f"the URL cannot be read ({printable(str(error))})") from None
    if parts.scheme not in _DEFAULT_PORTS:
        raise RefusedError(f"the scheme is {printable(parts.scheme) or 'missing'}, not http(s)")
    if "@" in parts.netloc:
        raise RefusedError("the URL holds a user name")
    port = _DEFAULT_PORTS[parts.scheme] if port is None else port
    if port == 0:
        raise RefusedError("the port is 0")
    return Target(parts.scheme, _host(parts), port, _path(parts))


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if "[" in parts.netloc:
        if _ADDRESS_6.fullmatch(host):
            return host
        raise RefusedError("the address in brackets is not a plain IPv6 address")
    try:
        name = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise RefusedError("the host's name is not valid") from None
    if not _HOST.fullmatch(name):
        raise RefusedError("the host's name is missing or not valid")
    return name


def _path(parts: SplitResult) -> str:
    path = parts.path or "/"
    path = path if path.startswith("/") else f"/{path}"
    safe = "%/:=&?~#+!$,;'@()*[]"
    return quote(path, safe) + (f"?{quote(parts.query, safe)}" if parts.query else "")
