"""Verification of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from standardwebhooks import Webhook, WebhookVerificationError

from .operations import WebhookEvent

# The specification asks for at least 24 bytes. Without this check `f"whsec_{None}"` would be accepted as a secret,
# and everybody could guess it.
_SECRET = re.compile(r"(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}")


class WebhookError(Exception):
    """Not from the service, changed on its way, or older than five minutes. Answer with 400."""


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | list[str]
) -> WebhookEvent:
    """The event of a webhook whose signature is right; `type` says which, and so what `data` holds.

    `body` is the body as it was received, before any parsing. `secret` is that of the endpoint (`whsec_...`); give
    both while you rotate it. The same event may arrive more than once: `id` identifies it. Raises `WebhookError`, and
    `TypeError` or `ValueError` for a body that was parsed and for a secret that is none.
    """
    if not isinstance(body, (bytes, str)):
        raise TypeError("body must be the text or the bytes that were received, before any parsing")
    webhooks = [_webhook_of(each) for each in (secret if isinstance(secret, (list, tuple)) else [secret])]
    signed = {name.lower(): value for name, value in headers.items()}
    cause: Exception | None = None
    for webhook in webhooks:
        try:
            event: WebhookEvent = webhook.verify(body, signed)
            return event
        # The library raises ValueError for a malformed signature or body.
        except (WebhookVerificationError, ValueError) as error:
            cause = error
    reason = "" if cause is None else f": {cause}"
    raise WebhookError(f"the webhook is not signed by the secret of this endpoint{reason}") from cause


def _webhook_of(secret: str) -> Webhook:
    message = "secret must be that of the endpoint: whsec_ and at least 32 characters"
    if not isinstance(secret, str) or _SECRET.fullmatch(secret) is None:
        raise ValueError(message)
    try:
        return Webhook(secret)
    except Exception as cause:
        raise ValueError(message) from cause
