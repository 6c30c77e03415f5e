"""Who may ask the page's server: only the browser window that was opened with its token.

Takes a Starlette app, returns one that refuses everything else. Four walls, each enough alone
against one attack:

    Host        a page elsewhere whose name was pointed at this machine (DNS rebinding)
    Origin      a page on another address or port, which the browser names in its requests
    token       another user or program of this machine
    policy      markup of a trace that slipped into the page: it could neither run nor fetch
"""

import hmac

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
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
LOCAL_NAMES = ("127.0.0.1", "localhost")


class Guard:
    """The app behind its walls."""

    def __init__(self, app: ASGIApp, token: str, host: str, port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{name}:{port}" for name in (*LOCAL_NAMES, host)}
        # Cookies are shared by all ports of a host: the name keeps two pages apart.
        self._cookie = f"agentdyno-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, or refuses with 403."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        request = Request(scope)
        refusal = self._find_refusal(request)
        answer = PlainTextResponse(refusal, 403) if refusal else self._app
        await answer(scope, receive, self._with_headers(request, send))

    def _find_refusal(self, request: Request) -> str | None:
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return "Host: expected the address that agentdyno view printed."
        origin = request.headers.get("origin")
        if origin is None and request.method not in ("GET", "HEAD"):
            return "Origin: expected that of this page, found none."
        if origin is not None and origin != f"http://{host}":
            return "Origin: expected that of this page, found another."
        opens = self._opens(request)
        # Nobody but the page itself asks for anything but the page.
        if not opens and request.headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return "Sec-Fetch-Site: expected a request of this page, found one of another site."
        if not opens and not self._is_token(request.cookies.get(self._cookie, "")):
            return "Token: expected the one in the address that agentdyno view printed. Open that."
        return None

    def _opens(self, request: Request) -> bool:
        """Whether it is the address that was printed."""
        given = request.query_params.get("token", "")
        return request.url.path == "/" and request.method == "GET" and self._is_token(given)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _with_headers(self, request: Request, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] == 200 and self._opens(request):
                    cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
                    headers.append("Set-Cookie", cookie)
            await send(message)

        return send_with_headers


_OWN_SITES = ("same-origin", "none")
