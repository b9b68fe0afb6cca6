"""Verification of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from standardwebhooks import Webhook, WebhookVerificationError

WebhookType = Literal[
    "participant.entered",
    "recording.status_changed",
    "connection_test.completed",
    "transcription.completed",
    "processed_recording.status_changed",
    "webhook.test",
]


class WebhookEvent(TypedDict):
    """Anything that your endpoint may receive: `type` says which, and so what `data` holds."""

    id: str
    version: Literal["1"]
    type: WebhookType
    occurred_at: str
    data: dict[str, Any]


class WebhookError(Exception):
    """Not from the service, changed on its way, or older than five minutes. Answer with 400."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | list[str]
) -> WebhookEvent:
    """The event of a webhook whose signature is right.

    `body` is the body as it was received, before any parsing. `secret` is that of the endpoint (`whsec_...`); give
    both while you rotate it. The same event may arrive more than once: `id` identifies it.
    """
    signed = {name.lower(): value for name, value in headers.items()}
    cause: Exception | None = None
    for each in [secret] if isinstance(secret, str) else secret:
        try:
            return Webhook(each).verify(body, signed)
        except WebhookVerificationError as error:
            cause = error
    raise WebhookError("the webhook is not signed by the secret of this endpoint") from cause
