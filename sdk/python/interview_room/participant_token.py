"""Participant tokens (docs/participant-tokens.md) and viewer tokens (docs/viewer-tokens.md): keys, signing, links."""

from __future__ import annotations

import json
import re
import time
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import algorithms

Algorithm = Literal["ES256", "EdDSA", "RS256"]
Role = Literal["moderator", "observer", "panelist", "platform_observer"]
Ability = Literal["watch", "comment", "clip", "download"]

ALGORITHMS: Mapping[str, Any] = {
    "ES256": algorithms.ECAlgorithm,
    "EdDSA": algorithms.OKPAlgorithm,
    "RS256": algorithms.RSAAlgorithm,
}

NAME_MAX = 255
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Invisible characters besides spaces and format characters: fillers and variation selectors.
_FILLER = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164"
    "\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
LIFE_MAX_SEC = 90_000
VIEWER_LIFE_MAX_SEC = 2_592_000


@dataclass(frozen=True)
class TokenKeys:
    """A key pair of your backend. The operator registers the public half under the name `kid`."""

    kid: str
    alg: Algorithm
    private_jwk: dict[str, Any]
    public_jwk: dict[str, Any] | None = None


def generate_token_keys(kid: str, alg: Algorithm = "ES256") -> TokenKeys:
    """A new key pair, for `npm run admin -- token-keys add --jwk`."""
    key: Any
    if alg == "ES256":
        key = ec.generate_private_key(ec.SECP256R1())
    elif alg == "EdDSA":
        key = ed25519.Ed25519PrivateKey.generate()
    else:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    to_jwk = ALGORITHMS[alg].to_jwk
    return TokenKeys(kid, alg, _plain(to_jwk(key)), _plain(to_jwk(key.public_key())))


def _plain(jwk: Any) -> dict[str, Any]:
    """Without `key_ops`, which a key of a JWK set does not need."""
    members = json.loads(jwk) if isinstance(jwk, str) else dict(jwk)
    members.pop("key_ops", None)
    return members


def sign_participant_token(
    key: TokenKeys,
    *,
    tenant_id: str,
    public_url: str,
    room_id: str,
    role: Role,
    name: str,
    participant: tuple[str, str] | None = None,
    expires_in_sec: int = 7200,
    jti: str | None = None,
    locale: str | None = None,
) -> str:
    """The token that admits one person to one room in one role.

    `participant` is your reference to the person, as (external_type, external_id); without one, every token is a
    person of its own. `expires_in_sec` is at most 90,000 (25 hours). Raises `ValueError` for a name or a life that the
    service would refuse with a bare 401.
    """
    claims: dict[str, Any] = {"room_id": room_id, "role": role}
    if participant is not None:
        external_type, external_id = participant
        claims["participant"] = {"external_type": external_type, "external_id": external_id}
    if jti is not None:
        claims["jti"] = jti
    if locale is not None:
        claims["locale"] = locale
    who = {"iss": tenant_id, "aud": public_url.rstrip("/"), "name": name}
    return _sign(key, "room-entry+jwt", {**claims, **who}, (expires_in_sec, LIFE_MAX_SEC))


def sign_viewer_token(
    key: TokenKeys,
    *,
    tenant_id: str,
    public_url: str,
    reference: str,
    name: str,
    may: Sequence[Ability],
    recording_id: str | None = None,
    room_id: str | None = None,
    expires_in_sec: int = 86_400,
    jti: str | None = None,
    watermark: bool = False,
) -> str:
    """The token that lets one person see a recording, or those of a room: give one of both ids.

    `reference` is yours of the person, 1 to 64 characters. `expires_in_sec` is at most 2,592,000 (30 days). By `jti`, a
    random one unless given, the token can be revoked. `watermark` draws the name over every video. Raises `ValueError` for what the service would refuse with a bare
    401.
    """
    if (recording_id is None) == (room_id is None):
        raise ValueError("give recording_id or room_id")
    scope = {"room_id": room_id} if recording_id is None else {"recording_id": recording_id}
    if watermark and "download" in may:
        raise ValueError("may must not have download beside watermark")
    claims = {"sub": reference, "may": list(may), "jti": jti or str(uuid.uuid4()), **scope}
    if watermark:
        claims["watermark"] = True
    who = {"iss": tenant_id, "aud": public_url.rstrip("/"), "name": name}
    return _sign(key, "review+jwt", {**claims, **who}, (expires_in_sec, VIEWER_LIFE_MAX_SEC))


def _sign(key: TokenKeys, typ: str, claims: dict[str, Any], life: tuple[int, int]) -> str:
    life_sec, life_max_sec = life
    if not _is_display_name(claims["name"]):
        raise ValueError(
            "name must have 1 to 255 characters, no control characters, and something to be seen"
        )
    if not 1 <= life_sec <= life_max_sec:
        raise ValueError(f"expires_in_sec must be from 1 to {life_max_sec}")
    now = int(time.time())
    private_key = ALGORITHMS[key.alg].from_jwk(json.dumps(key.private_jwk))
    headers = {"kid": key.kid, "typ": typ}
    times = {"iat": now, "exp": now + life_sec}
    return jwt.encode({**claims, **times}, private_key, algorithm=key.alg, headers=headers)


def _is_display_name(text: str) -> bool:
    """Whether the service takes the name, which it counts in its canonical form (NFC)."""
    name = unicodedata.normalize("NFC", text)
    is_seen = any(
        not (each.isspace() or unicodedata.category(each) == "Cf" or _FILLER.match(each)) for each in name
    )
    return is_seen and len(name) <= NAME_MAX and _CONTROL.search(name) is None


def room_link(room: Mapping[str, Any], token: str) -> str:
    """The link that lets the holder of the token into the room: give it to that person only."""
    return f"{room['connect_url']}#token={token}"
