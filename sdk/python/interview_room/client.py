"""A client of the control plane: envelope, errors, retries and paging."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx

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
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.status = status
        self.code: str = error["code"]
        self.details: list[dict[str, str]] = error.get("details", [])
        # Identifies the request in the log of the service.
        self.request_id = request_id
        self.retry_after_sec = retry_after_sec


class ServiceConnectionError(Exception):
    """There was no response, or not one of the service: the outcome of the request is unknown."""


class Client:
    """Calls the API with an API key.

    `base_url` is where the service is, without a path. `call` sends any operation of the API description; the
    methods are those that a booking needs. Methods raise `ApiError` and `ServiceConnectionError`.
    """

    def __init__(self, base_url: str, api_key: str, timeout_sec: float = 20.0) -> None:
        self._http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/api/v1",
            headers={"Authorization": f"ApiKey {api_key}"},
            timeout=timeout_sec,
        )

    def __enter__(self) -> Client:
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

    def create_room(
        self, body: Mapping[str, Any], idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Books a room with its session; safe to repeat under the same key."""
        return self.call("POST", "/rooms", body, idempotency_key=idempotency_key or _new_key())

    def get_room(self, room_id: str) -> dict[str, Any]:
        return self.call("GET", f"/rooms/{room_id}")

    def close_room(self, room_id: str, reason: str | None = None) -> dict[str, Any]:
        body = None if reason is None else {"reason": reason}
        return self.call("POST", f"/rooms/{room_id}/close", body)

    def sessions(self, external_type: str, external_id: str) -> Iterator[dict[str, Any]]:
        """The sessions of your record, newest first."""
        query = {"external_type": external_type, "external_id": external_id}
        return self.each("/sessions", query)

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str | int] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """`data` of the answer; None for a 204. `path` is under `/api/v1`.

        A GET, and whatever has an idempotency key, is repeated when the connection fails or the service asks for it.
        """
        is_repeatable = method == "GET" or idempotency_key is not None
        tries_max = TRIES_MAX if is_repeatable else 1
        for tries in range(1, tries_max + 1):
            try:
                return self._attempt(method, path, body, query, idempotency_key)
            except (ApiError, ServiceConnectionError) as error:
                pause_sec = _pause_before(error, tries)
                if tries == tries_max or pause_sec is None:
                    raise
                time.sleep(pause_sec)
        raise AssertionError("the last attempt returns or raises")

    def each(
        self, path: str, query: Mapping[str, str | int] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Every item of a list, page after page."""
        cursor: str | None = None
        while True:
            page = self.call(
                "GET", path, query={**(query or {}), **({"cursor": cursor} if cursor else {})}
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _attempt(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int] | None,
        idempotency_key: str | None,
    ) -> Any:
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        try:
            response = self._http.request(method, path, json=body, params=query, headers=headers)
        except httpx.TransportError as error:
            raise ServiceConnectionError(f"{method} {path} got no answer") from error
        if response.status_code == 204:
            return None
        try:
            answer = response.json()
            if response.is_success:
                return answer["data"]
            error = answer["error"]
        except (ValueError, KeyError, TypeError) as cause:
            # Of something between you and the service.
            status = response.status_code
            raise ServiceConnectionError(f"answered with {status}, and no envelope") from cause
        retry_after = response.headers.get("retry-after")
        raise ApiError(
            response.status_code,
            error,
            request_id=response.headers.get("x-request-id"),
            retry_after_sec=None if retry_after is None else float(retry_after),
        )


def _new_key() -> str:
    return str(uuid.uuid4())


def _pause_before(error: ApiError | ServiceConnectionError, tries: int) -> float | None:
    """None for what another attempt would not change."""
    backoff_sec = PAUSE_SEC * 2 ** (tries - 1)
    if isinstance(error, ServiceConnectionError):
        return backoff_sec
    if error.status not in RETRIED_STATUSES and error.code != "IDEMPOTENCY_KEY_IN_USE":
        return None
    if error.retry_after_sec is None:
        return backoff_sec
    return error.retry_after_sec if error.retry_after_sec <= RETRY_AFTER_MAX_SEC else None
