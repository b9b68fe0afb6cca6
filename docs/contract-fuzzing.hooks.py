"""Gives Schemathesis somebody to be: the tenant, a participant of a room, or an operator at the board.

docs/contract-fuzzing.md says how it is run. FUZZ_DATA_DIR is its DATA_DIR; FUZZ_ROLE is who calls the participant plane:
moderator (default), panelist, observer, platform_observer, or visitor (the simple route). With FUZZ_SANDBOX_KEY, an API key
of a sandbox with both scopes, the tenant is that sandbox.
"""

import base64
import json
import os
import random
import re
import time
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import requests
import schemathesis

LOCAL = json.loads((Path(os.environ["FUZZ_DATA_DIR"]) / "local.json").read_text())
ROLE = os.environ.get("FUZZ_ROLE", "moderator")
ORIGIN = LOCAL["base_url"]
API = f"{ORIGIN}/api/v1"
SANDBOX_KEY = os.environ.get("FUZZ_SANDBOX_KEY")
API_KEY = f"ApiKey {SANDBOX_KEY or LOCAL['api_key']}"
TIMEOUT_SEC = 30
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Ids that are no UUIDs.
FORMATS = {
    "key_id": re.compile(r"[A-Za-z0-9_-]{1,64}"),
    "kid": re.compile(r"[!-~]{1,128}"),
    "webhook_delivery_id": re.compile(r"[1-9][0-9]{0,17}"),
}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# After these the person or the room is of no more use: closed, banned, superseded, or too fast.
SPENT = (401, 409, 429)


def ask(method, path, authorization, **more):
    response = requests.request(
        method, API + path, headers={"Authorization": authorization}, timeout=TIMEOUT_SEC, **more
    )
    response.raise_for_status()
    return response.json()["data"]


def public_jwk():
    key = LOCAL["token_key"]["private_jwk"]
    return {name: key[name] for name in ("kty", "crv", "x", "y")}


def sign(room_id, role):
    now = int(time.time())
    reference = "platform_user" if role == "platform_observer" else "participant"
    claims = {
        "iss": LOCAL["tenant_id"],
        "aud": ORIGIN,
        "room_id": room_id,
        "role": role,
        "name": f"Fuzzed {role}",
        "iat": now,
        "exp": now + 7200,
        reference: str(uuid.uuid4())
        if reference == "platform_user"
        else {"external_type": "Fuzz", "external_id": str(uuid.uuid4())},
    }
    key = LOCAL["token_key"]
    private = jwt.algorithms.ECAlgorithm.from_jwk(json.dumps(key["private_jwk"]))
    return jwt.encode(
        claims, private, algorithm=key["alg"], headers={"kid": key["kid"], "typ": "room-entry+jwt"}
    )


class Scene:
    """A room that can be entered now, with somebody to act on, a handout and a connection test."""

    def __init__(self):
        begin = datetime.now(UTC) + timedelta(minutes=5)
        room = ask(
            "POST",
            "/rooms",
            API_KEY,
            json={
                "kind": "interview",
                "archive_mode": "manual",
                "archive_resolution": "640x480",
                "stream_resolution": "320x240",
                "stream_frame_rate": 15,
                "transcription_language": "ja-JP",
                "transcription_service": "engine_a",
                "session": {
                    "external_type": "Fuzz",
                    "external_id": str(uuid.uuid4()),
                    "starts_at": begin.isoformat(),
                    "ends_at": (begin + timedelta(hours=1)).isoformat(),
                },
            },
        )
        self.room_id = room["id"]
        self.session = ask("GET", f"/sessions/{room['session']['id']}", API_KEY)
        self.subject_id = self.enter("panelist")["participant"]["id"]
        self.ticket = self.enter(ROLE)["ticket"]
        handout = ask(
            "POST",
            f"/sessions/{self.session['id']}/handouts",
            API_KEY,
            files={"file": ("plan.png", PNG, "image/png")},
            data={"content_type": "image"},
        )
        test = ask("POST", "/connection-tests", API_KEY, json={})
        self.test_ticket = test["connect_url"].split("#ticket=")[1]
        self.ids = {
            "room_id": self.room_id,
            "session_id": self.session["id"],
            "participant_id": self.subject_id,
            "handout_id": handout["id"],
            "connection_test_id": test["id"],
        }

    def enter(self, role):
        path = f"/rooms/{self.room_id}/live/entry"
        if role != "visitor":
            return ask("POST", path, f"Bearer {sign(self.room_id, role)}")
        body = {"access_token": self.session["access_token"], "name": "Fuzzed visitor"}
        response = requests.post(API + path, json=body, timeout=TIMEOUT_SEC)
        response.raise_for_status()
        return response.json()["data"]

    def leave(self):
        ask("POST", f"/rooms/{self.room_id}/close", API_KEY)

    def credential(self, path):
        if "/connection-tests/{connection_test_id}/live" in path:
            return f"Bearer {self.test_ticket}"
        if path.endswith("/live/entry"):
            return f"Bearer {sign(self.room_id, 'panelist' if ROLE == 'visitor' else ROLE)}"
        return f"Bearer {self.ticket}"


def until(found):
    """What a worker brings about: waits for it, a minute at most."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        answer = found()
        if answer:
            return answer
        time.sleep(0.5)
    raise TimeoutError("The sandbox does not bring about what was triggered.")


def send(path, **body):
    return ask("POST", path, API_KEY, json=body)


def items(path):
    return ask("GET", path, API_KEY)["items"]


class SandboxScene:
    """An interview that was recorded and transcribed, one that is on, and one of everything that a tenant manages."""

    def __init__(self):
        endpoint = self.endpoint()
        played = send("/sandbox/triggers", type="processed_recording.status_changed")["room_id"]
        recording = until(lambda: items(f"/rooms/{played}/recordings"))[0]["id"]
        until(lambda: ask("GET", f"/recordings/{recording}", API_KEY)["status"] == "available")
        # Another one that is on: of a closed room most calls are refused.
        self.room_id = send("/sandbox/triggers", type="participant.entered")["room_id"]
        room = ask("GET", f"/rooms/{self.room_id}", API_KEY)
        transcription = until(lambda: items(f"/recordings/{recording}/transcriptions"))[0]["id"]
        person = until(lambda: items(f"/rooms/{self.room_id}/participants"))[0]["id"]
        someone = {"external_type": "Fuzz", "external_id": str(uuid.uuid4())}
        handout = ask(
            "POST",
            f"/sessions/{room['session']['id']}/handouts",
            API_KEY,
            files={"file": ("plan.png", PNG, "image/png")},
            data={"content_type": "image"},
        )
        self.ids = {
            "room_id": self.room_id,
            "session_id": room["session"]["id"],
            "participant_id": person,
            "handout_id": handout["id"],
            "connection_test_id": send("/connection-tests")["id"],
            "recording_id": recording,
            "transcription_id": transcription,
            "clip_id": send(f"/recordings/{recording}/clips", start_sec=0, end_sec=1)["id"],
            "webhook_endpoint_id": endpoint["id"],
            "webhook_delivery_id": until(lambda: items("/webhook-deliveries"))[0]["id"],
            # Not the key that the calls are made with.
            "key_id": send("/api-keys", note="fuzzed")["key_id"],
            "kid": send(
                "/token-keys", kid=str(uuid.uuid4()), alg="ES256", public_jwk=public_jwk()
            )["kid"],
            "legal_hold_id": send("/legal-holds", reason="fuzzed", **someone)["id"],
            "erasure_id": send(
                "/data-subjects/erasures", external_type="Fuzz", external_id=str(uuid.uuid4())
            )["id"],
        }

    def endpoint(self):
        """A tenant has few of them: the one that an earlier scene added, if it is still there."""
        url = f"{ORIGIN}/playground/webhook"
        for each in items("/webhook-endpoints"):
            if each["url"] == url and each["state"] == "active":
                return each
        for each in items("/webhook-endpoints"):
            ask("DELETE", f"/webhook-endpoints/{each['id']}", API_KEY)
        return send("/webhook-endpoints", url=url)

    def leave(self):
        ask("POST", f"/rooms/{self.room_id}/close", API_KEY)


class Stage:
    scene = None

    def now(self):
        if self.scene is None:
            self.scene = SandboxScene() if SANDBOX_KEY else Scene()
        return self.scene

    def clear(self):
        if self.scene is not None:
            self.scene.leave()
        self.scene = None


STAGE = Stage()


def board_token():
    """As the playground of a local start hands one out."""
    answer = requests.get(f"{ORIGIN}/playground/board", allow_redirects=False, timeout=TIMEOUT_SEC)
    return answer.headers["location"].split("#token=")[1]


BOARD = f"Bearer {board_token()}"


def is_live(path):
    return "/live" in path or path.endswith("/chat-stamps")


@schemathesis.auth(refresh_interval=None)
class Credential:
    def get(self, case, context):
        path = context.operation.path
        if "/board/" in path:
            return BOARD
        return STAGE.now().credential(path) if is_live(path) else API_KEY

    def set(self, case, data, context):
        case.headers["Authorization"] = data


@schemathesis.hook
def before_call(context, case, kwargs):
    """Ids of things that exist, nine times of ten, lead behind the 404s."""
    for name, given in (case.path_parameters or {}).items():
        is_valid = FORMATS.get(name, UUID).fullmatch(str(given))
        if is_valid and name in STAGE.now().ids and random.random() < 0.9:
            case.path_parameters[name] = STAGE.now().ids[name]


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code in SPENT and random.random() < 0.3:
        STAGE.clear()
