"""How a client calls: envelope, errors, retries and paging."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from typing_extensions import Self

TRIES_MAX = 4
PAUSE_SEC = 0.25
# The client does not wait longer than this.
RETRY_AFTER_MAX_SEC = 30.0
RETRIED_STATUSES = (429, 502, 503)


class ApiError(Exception):
    """The service refused the request, or failed."""

    def __init__(
        self,
        status: int,
        error: Mapping[str, Any],
        request_id: str | None = None,
        retry_after_sec: float | None = None,
    ) -> None:
        self.status = status
        self.code: str = error["code"]
        self.details: list[dict[str, str]] = error.get("details", [])
        reasons = "; ".join(f"{each['field']} {each['message']}" for each in self.details)
        message = f"{status} {self.code}: {error['message']}"
        super().__init__(f"{message} ({reasons})" if reasons else message)
        # Identifies the request in the log of the service.
        self.request_id = request_id
        self.retry_after_sec = retry_after_sec


class ServiceConnectionError(Exception):
    """There was no response, or not one of the service: the outcome of the request is unknown."""


class Transport:
    """Calls the API with an API key. `base_url` is where the service is, without a path.

    `timeout_sec` is the longest silence. The service answers a test of an endpoint after 20 seconds at the latest.
    """

    def __init__(self, base_url: str, api_key: str, timeout_sec: float = 25.0) -> None:
        self._http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/api/v1",
            headers={"Authorization": f"ApiKey {api_key}"},
            timeout=timeout_sec,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, str | int | None] | None = None,
        form: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
        takes_key: bool = False,
        if_match: str | None = None,
    ) -> Any:
        """`data` of the answer; None for a 204. `path` is under `/api/v1`.

        A GET, and whatever has an idempotency key, is repeated when the connection fails or the service asks for it.
        What takes a key and is given none has one of its own.
        """
        if takes_key and idempotency_key is None:
            idempotency_key = str(uuid.uuid4())
        request = self._http.build_request(
            method,
            path,
            json=body,
            params=_given(query),
            headers=_given({"Idempotency-Key": idempotency_key, "If-Match": if_match}),
            files=None if form is None else _parts(form),
        )
        # Read once, so that it can be sent again.
        request.read()
        tries_max = TRIES_MAX if method == "GET" or idempotency_key is not None else 1
        for tries in range(1, tries_max + 1):
            try:
                return self._attempt(request)
            except (ApiError, ServiceConnectionError) as error:
                pause_sec = _pause_before(error, tries)
                if tries == tries_max or pause_sec is None:
                    raise
                time.sleep(pause_sec)
        raise AssertionError("the last attempt returns or raises")

    def each(self, path: str, query: Mapping[str, str | int | None] | None = None) -> Iterator[Any]:
        """Every item of a list, page after page."""
        cursor: str | None = None
        while True:
            page = self.call("GET", path, query={**(query or {}), "cursor": cursor})
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _attempt(self, request: httpx.Request) -> Any:
        try:
            response = self._http.send(request)
        except httpx.TransportError as error:
            raise ServiceConnectionError(f"{request.method} {request.url.path} got no answer") from error
        if response.status_code == 204:
            return None
        try:
            answer = response.json()
            if response.is_success:
                return answer["data"]
            refusal = answer["error"]
            # A proxy may answer {"error": "Bad Gateway"}.
            if not isinstance(refusal["code"], str) or not isinstance(refusal["message"], str):
                raise TypeError("not an error of the service")
        except (ValueError, KeyError, TypeError) as cause:
            # A proxy in between answered, not the service.
            status = response.status_code
            raise ServiceConnectionError(f"answered with {status}, and no envelope") from cause
        raise ApiError(
            response.status_code,
            refusal,
            request_id=response.headers.get("x-request-id"),
            retry_after_sec=_seconds(response.headers.get("retry-after")),
        )


def _given(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (values or {}).items() if value is not None}


def _parts(form: Mapping[str, object]) -> dict[str, Any]:
    """Files are tuples of name, content and media type; everything else is text."""
    return {
        name: value if isinstance(value, tuple) else (None, str(value))
        for name, value in _given(form).items()
    }


def _seconds(text: str | None) -> float | None:
    """None for a date or anything else, which only something between you and the service sends."""
    return float(text) if text is not None and re.fullmatch("[0-9]+", text) else None


def _pause_before(error: ApiError | ServiceConnectionError, tries: int) -> float | None:
    """None for what another attempt would not change."""
    backoff_sec = PAUSE_SEC * float(2 ** (tries - 1))
    if isinstance(error, ServiceConnectionError):
        return backoff_sec
    if error.status not in RETRIED_STATUSES and error.code != "IDEMPOTENCY_KEY_IN_USE":
        return None
    if error.retry_after_sec is None:
        return backoff_sec
    return error.retry_after_sec if error.retry_after_sec <= RETRY_AFTER_MAX_SEC else None
