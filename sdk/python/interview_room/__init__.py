"""Client of the Interview Room Service, and helpers for tokens, links and webhooks."""

from .client import Client
from .operations import WebhookEvent
from .participant_token import (
    TokenKeys,
    generate_token_keys,
    room_link,
    sign_participant_token,
    sign_viewer_token,
)
from .transport import ApiError, ServiceConnectionError
from .webhook import WebhookError, verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "ServiceConnectionError",
    "TokenKeys",
    "WebhookError",
    "WebhookEvent",
    "generate_token_keys",
    "room_link",
    "sign_participant_token",
    "sign_viewer_token",
    "verify_webhook",
]
