"""Errors that real services give, as values that reach the agent as a failed tool result."""

from typing import Literal

ErrorCode = Literal[
    "invalid_argument",
    "invalid_date",
    "not_found",
    "conflict",
    "rate_limited",
    "insufficient_funds",
    "out_of_stock",
    "sold_out",
    "unknown_tool",
    "unavailable",
    "timeout",
]


class ServiceError(Exception):
    """A request that the service refuses; its text is written for the agent."""

    def __init__(self, code: ErrorCode, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after


def not_found(what: str, value: object, hint: str = "") -> ServiceError:
    """Nothing of that kind under that name."""
    return ServiceError("not_found", f"No {what} '{value}'.{' ' + hint if hint else ''}")


def conflict(message: str) -> ServiceError:
    """The request collides with what is already there."""
    return ServiceError("conflict", message)
