"""Verification of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

from collections.abc import Mapping
from standardwebhooks import Webhook, WebhookVerificationError

from .operations import WebhookEvent

class WebhookError(Exception):
    """Not from the service, changed on its way, or older than five minutes. Answer with 400."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | list[str]
) -> WebhookEvent:
    """The event of a webhook whose signature is right; `type` says which, and so what `data` holds.

    `body` is the body as it was received, before any parsing. `secret` is that of the endpoint (`whsec_...`); give
    both while you rotate it. The same event may arrive more than once: `id` identifies it.
    """
    signed = {name.lower(): value for name, value in headers.items()}
    cause: Exception | None = None
    for each in [secret] if isinstance(secret, str) else secret:
        try:
            event: WebhookEvent = Webhook(each).verify(body, signed)
            return event
        except WebhookVerificationError as error:
            cause = error
    raise WebhookError("the webhook is not signed by the secret of this endpoint") from cause
