"""Participant tokens: keys, signing and links (docs/participant-tokens.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import algorithms

Algorithm = Literal["ES256", "EdDSA", "RS256"]
Role = Literal["moderator", "observer", "panelist", "platform_observer"]

ALGORITHMS: Mapping[str, Any] = {
    "ES256": algorithms.ECAlgorithm,
    "EdDSA": algorithms.OKPAlgorithm,
    "RS256": algorithms.RSAAlgorithm,
}

NAME_MAX = 255
LIFE_MAX_SEC = 90_000


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
    if not 1 <= len(name) <= NAME_MAX:
        raise ValueError("name must have 1 to 255 characters")
    if not 1 <= expires_in_sec <= LIFE_MAX_SEC:
        raise ValueError("expires_in_sec must be from 1 to 90000")
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": tenant_id,
        "aud": public_url.rstrip("/"),
        "room_id": room_id,
        "role": role,
        "name": name,
        "iat": now,
        "exp": now + expires_in_sec,
    }
    if participant is not None:
        external_type, external_id = participant
        claims["participant"] = {"external_type": external_type, "external_id": external_id}
    if jti is not None:
        claims["jti"] = jti
    if locale is not None:
        claims["locale"] = locale
    private_key = ALGORITHMS[key.alg].from_jwk(json.dumps(key.private_jwk))
    headers = {"kid": key.kid, "typ": "room-entry+jwt"}
    return jwt.encode(claims, private_key, algorithm=key.alg, headers=headers)


def room_link(room: Mapping[str, Any], token: str) -> str:
    """The link that lets the holder of the token into the room: give it to that person only."""
    return f"{room['connect_url']}#token={token}"
