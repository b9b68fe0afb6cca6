"""The helpers of the package. Run with the wheel installed: python -m unittest discover sdk/python/tests."""

import json
import time
import unittest
from datetime import datetime, timedelta, timezone

import jwt
from standardwebhooks import Webhook

from interview_room import (
    TokenKeys,
    WebhookError,
    generate_token_keys,
    room_link,
    sign_participant_token,
    sign_viewer_token,
    verify_webhook,
)

WHO = {
    "tenant_id": "019a2f6e-0d31-7c51-8f02-77c1d9b4e210",
    "room_id": "019a2f6e-0d31-7c51-8f02-77c1d9b4e211",
    "role": "panelist",
    "name": "佐藤 花子",
}
PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi"}


class ParticipantTokens(unittest.TestCase):
    def read(self, token: str, keys: TokenKeys) -> dict:
        """As the service does: by the public key, for its own address."""
        public = jwt.PyJWK({**keys.public_jwk, "alg": keys.alg})
        return jwt.decode(token, public, [keys.alg], audience="https://rooms.example.com")

    def test_each_algorithm_signs_what_its_public_key_verifies(self):
        for alg in ("ES256", "EdDSA", "RS256"):
            with self.subTest(alg):
                keys = generate_token_keys("backend-1", alg)
                token = sign_participant_token(keys, public_url="https://rooms.example.com/", **WHO)
                header = jwt.get_unverified_header(token)
                self.assertEqual(header, {"alg": alg, "kid": "backend-1", "typ": "room-entry+jwt"})
                claims = self.read(token, keys)
                self.assertEqual(claims["iss"], WHO["tenant_id"])
                self.assertEqual(claims["room_id"], WHO["room_id"])
                self.assertEqual((claims["role"], claims["name"]), ("panelist", "佐藤 花子"))
                self.assertEqual(claims["exp"] - claims["iat"], 7200)
                self.assertLessEqual(abs(claims["iat"] - time.time()), 5)
                self.assertFalse({"participant", "jti", "locale"} & set(claims))

    def test_reference_id_language_and_life_are_taken_from_the_arguments(self):
        keys = generate_token_keys("k")
        token = sign_participant_token(
            keys,
            public_url="https://rooms.example.com",
            participant=("User", "42"),
            expires_in_sec=60,
            jti="once",
            locale="ja",
            **WHO,
        )
        claims = self.read(token, keys)
        self.assertEqual(claims["participant"], {"external_type": "User", "external_id": "42"})
        self.assertEqual((claims["jti"], claims["locale"]), ("once", "ja"))
        self.assertEqual(claims["exp"] - claims["iat"], 60)

    def test_a_token_that_the_service_would_refuse_is_not_signed(self):
        key = generate_token_keys("backend-1")
        for change, message in (
            ({"name": ""}, "name must have"),
            ({"name": "é" * 256}, "name must have"),
            ({"name": "Hanako\tSato"}, "name must have"),
            ({"name": "Hanako\nSato"}, "name must have"),
            ({"name": " \u200b"}, "name must have"),
            ({"name": "\u3164"}, "name must have"),
            ({"expires_in_sec": 90_001}, "expires_in_sec must be"),
            ({"expires_in_sec": 0}, "expires_in_sec must be"),
        ):
            with self.subTest(change), self.assertRaisesRegex(ValueError, message):
                sign_participant_token(key, public_url="https://rooms.example.com", **{**WHO, **change})

    def test_a_name_counts_in_its_canonical_form(self):
        name = "e\u0301" * 255
        keys = generate_token_keys("k")
        who = {**WHO, "name": name}
        token = sign_participant_token(keys, public_url="https://rooms.example.com", **who)
        self.assertEqual(self.read(token, keys)["name"], name)

    def test_another_key_does_not_verify_it(self):
        keys, other = generate_token_keys("k"), generate_token_keys("k")
        token = sign_participant_token(keys, public_url="https://rooms.example.com", **WHO)
        with self.assertRaises(jwt.InvalidSignatureError):
            self.read(token, other)

    def test_a_private_key_signs_without_its_public_half(self):
        keys = generate_token_keys("k")
        own = TokenKeys("k", keys.alg, keys.private_jwk)
        token = sign_participant_token(own, public_url="https://rooms.example.com", **WHO)
        self.assertEqual(self.read(token, keys)["iss"], WHO["tenant_id"])


class ViewerTokens(unittest.TestCase):
    VIEWER = {
        "tenant_id": WHO["tenant_id"],
        "public_url": "https://rooms.example.com/",
        "reference": "researcher-12",
        "name": "佐藤",
        "may": ["watch", "comment"],
    }

    def test_a_viewer_token_has_the_claims_of_the_documentation(self):
        keys = generate_token_keys("backend-1")
        token = sign_viewer_token(keys, recording_id="r", **self.VIEWER)
        header = jwt.get_unverified_header(token)
        self.assertEqual(header, {"alg": "ES256", "kid": "backend-1", "typ": "review+jwt"})
        claims = jwt.decode(token, options={"verify_signature": False})
        times = {name: claims.pop(name) for name in ("iat", "exp")}
        self.assertEqual(times["exp"] - times["iat"], 86_400)
        self.assertEqual(len(claims.pop("jti")), 36)
        self.assertEqual(
            claims,
            {
                "iss": WHO["tenant_id"],
                "aud": "https://rooms.example.com",
                "sub": "researcher-12",
                "name": "佐藤",
                "may": ["watch", "comment"],
                "recording_id": "r",
            },
        )

    def test_a_viewer_token_says_that_the_name_is_drawn_over_every_video(self):
        token = sign_viewer_token(generate_token_keys("k"), room_id="r", watermark=True, **self.VIEWER)
        self.assertIs(jwt.decode(token, options={"verify_signature": False})["watermark"], True)

    def test_a_token_that_the_service_would_refuse_is_not_signed(self):
        keys = generate_token_keys("k")
        marked = {"room_id": "r", "watermark": True, "may": ["download"]}
        for change in ({}, marked, {"recording_id": "r", "room_id": "r"}, {"room_id": "r", "expires_in_sec": 2_592_001}):
            with self.subTest(change), self.assertRaises(ValueError):
                sign_viewer_token(keys, **{**self.VIEWER, **change})


class TokenKeyPairs(unittest.TestCase):
    def test_the_public_half_contains_nothing_of_the_private_one(self):
        for alg in ("ES256", "EdDSA", "RS256"):
            with self.subTest(alg):
                keys = generate_token_keys("k", alg)
                self.assertFalse(PRIVATE_MEMBERS & set(keys.public_jwk))
                self.assertIn("d", keys.private_jwk)
                self.assertNotIn("key_ops", keys.public_jwk)
                # The operator registers it as a file.
                self.assertEqual(json.loads(json.dumps(keys.public_jwk)), keys.public_jwk)

    def test_no_two_are_the_same(self):
        self.assertNotEqual(generate_token_keys("k").private_jwk, generate_token_keys("k").private_jwk)


class RoomLinks(unittest.TestCase):
    def test_the_token_is_in_the_fragment_which_no_server_receives(self):
        room = {"connect_url": "https://rooms.example.com/r/1"}
        self.assertEqual(room_link(room, "a.b.c"), "https://rooms.example.com/r/1#token=a.b.c")


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BODY = '{"id":"evt_1","version":"1","type":"webhook.test","data":{"name":"佐藤"}}'


def signed(body: str = BODY, secret: str = SECRET, age: timedelta = timedelta()) -> dict:
    at = datetime.now(timezone.utc) - age
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(int(at.timestamp())),
        "Webhook-Signature": Webhook(secret).sign("evt_1", at, body),
    }


class Webhooks(unittest.TestCase):
    def test_a_signed_webhook_returns_its_event_from_text_or_bytes(self):
        self.assertEqual(verify_webhook(BODY, signed(), SECRET)["type"], "webhook.test")
        event = verify_webhook(BODY.encode(), signed(), SECRET)
        self.assertEqual(event["data"], {"name": "佐藤"})

    def test_a_wrong_setup_raises_an_error_that_names_it(self):
        missing = (None, "None", "whsec_None", "whsec_undefined")
        for secret in ("", "whsec_", "whsec_a", [SECRET, ""], SECRET[:30], *missing):
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "whsec_"):
                verify_webhook(BODY, signed(), secret)
        with self.assertRaisesRegex(TypeError, "before any parsing"):
            verify_webhook(json.loads(BODY), signed(), SECRET)
        with self.assertRaisesRegex(WebhookError, "too old"):
            verify_webhook(BODY, signed(age=timedelta(minutes=6)), SECRET)

    def test_either_secret_is_accepted_during_a_rotation(self):
        self.assertEqual(verify_webhook(BODY, signed(), [OTHER, SECRET])["id"], "evt_1")
        self.assertEqual(verify_webhook(BODY, signed(), [SECRET, OTHER])["id"], "evt_1")
        both = signed()
        both["Webhook-Signature"] += f" {signed(secret=OTHER)['Webhook-Signature']}"
        self.assertEqual(verify_webhook(BODY, both, OTHER)["id"], "evt_1")

    def test_an_invalid_webhook_is_refused(self):
        unsigned = signed()
        del unsigned["Webhook-Signature"]
        for what, body, headers, secret in (
            ("another secret", BODY, signed(), OTHER),
            ("no secret", BODY, signed(), []),
            ("a changed body", BODY.replace("1", "2"), signed(), SECRET),
            ("another id", BODY, {**signed(), "Webhook-Id": "evt_2"}, SECRET),
            ("an old one", BODY, signed(age=timedelta(minutes=6)), SECRET),
            ("one of the future", BODY, signed(age=timedelta(minutes=-6)), SECRET),
            ("no signature", BODY, unsigned, SECRET),
            ("no headers", BODY, {}, SECRET),
            ("a signature without a version", BODY, {**signed(), "Webhook-Signature": "x"}, SECRET),
            ("a signature that is not Base64", BODY, {**signed(), "Webhook-Signature": "v1,x"}, SECRET),
            ("a body that is not UTF-8", b"\xff", signed(), SECRET),
        ):
            with self.subTest(what), self.assertRaises(WebhookError):
                verify_webhook(body, headers, secret)


if __name__ == "__main__":
    unittest.main()
