"""Who may ask the page's server: only the browser that first opened the address it printed.

Takes a Starlette app, returns one that refuses everything else. Four walls, each enough alone
against one attack:

    Host        a page elsewhere whose name was pointed at this machine (DNS rebinding)
    Origin      a page on another address or port, which the browser names in its requests
    cookie      another user or program of this machine
    policy      markup of a trace that slipped into the page: it could neither run nor fetch

The printed address holds a code, since other users can read a browser's command line: the first
request gets the cookie for it, and then it is worth nothing.
"""

import hmac
import secrets
import time
from threading import Lock

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
CODE_SECONDS = 60.0
"""How long a code opens the page."""
NO_COOKIE = (
    "An address that agentdyno view prints opens the page once, and within a minute.\n"
    "For another one press Enter in the terminal where agentdyno view runs, or run it again.\n"
    "If the address was new and you did not open it, somebody else on this machine did: end "
    "agentdyno view with Ctrl-C."
)
LOCAL_NAMES = ("127.0.0.1", "localhost")


class Codes:
    """Codes that open the page, each once and for a minute."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._lock = Lock()

    def create(self) -> str:
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._until[code] = time.monotonic() + CODE_SECONDS
        return code

    def use(self, given: str) -> bool:
        """Whether the code opens the page; it does not again."""
        with self._lock:
            matching = [c for c in self._until if hmac.compare_digest(c.encode(), given.encode())]
            return any(self._until.pop(code) > time.monotonic() for code in matching)


class Guard:
    """The app behind its walls."""

    def __init__(self, app: ASGIApp, codes: Codes, host: str, port: int) -> None:
        self._app = app
        self._codes = codes
        self._token = secrets.token_urlsafe(32)
        self._hosts = {f"{name}:{port}" for name in (*LOCAL_NAMES, host)}
        # Cookies are shared by all ports of a host: the name keeps two pages apart.
        self._cookie = f"agentdyno-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, or refuses with 403."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError("expected a request over HTTP; the server takes no WebSockets")
        request = Request(scope)
        await self._answer(request)(scope, receive, _with_headers(send))

    def _answer(self, request: Request) -> ASGIApp:
        if "upgrade" in request.headers:
            return PlainTextResponse("Upgrade: expected none, found one.", 400)
        if refusal := self._find_other_page(request):
            return PlainTextResponse(refusal, 403)
        has_cookie = hmac.compare_digest(
            request.cookies.get(self._cookie, "").encode(), self._token.encode()
        )
        if request.url.path == "/" and request.method == "GET" and "code" in request.query_params:
            if has_cookie or self._codes.use(request.query_params["code"]):
                return self._open(request)
        elif request.headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            # Nobody but the page itself asks for anything but the page.
            text = "Sec-Fetch-Site: expected a request of this page, found one of another site."
            return PlainTextResponse(text, 403)
        return self._app if has_cookie else PlainTextResponse(NO_COOKIE, 403)

    def _open(self, request: Request) -> Response:
        """Gives the cookie, and leads to an address without the code."""
        answer: Response = RedirectResponse("/", 303)
        if request.headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            # A browser that came by a link on another site sends the cookie only to a new request.
            answer = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=/">')
        answer.set_cookie(self._cookie, self._token, path="/", httponly=True, samesite="strict")
        return answer

    def _find_other_page(self, request: Request) -> str | None:
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return "Host: expected the address that agentdyno view printed."
        origin = request.headers.get("origin")
        if origin is None and request.method not in ("GET", "HEAD"):
            return "Origin: expected that of this page, found none."
        if origin is not None and origin != f"http://{host}":
            return "Origin: expected that of this page, found another."
        return None


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


_OWN_SITES = ("same-origin", "none")
