"""Gives Schemathesis somebody to be: the tenant, a participant of a room, or an operator at the board.

docs/contract-fuzzing.md says how it is run. FUZZ_DATA_DIR is its DATA_DIR; FUZZ_ROLE is who calls the participant plane:
moderator (default), panelist, observer, platform_observer, or visitor (the simple route).
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
API_KEY = f"ApiKey {LOCAL['api_key']}"
TIMEOUT_SEC = 30
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
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


class Stage:
    scene = None

    def now(self):
        if self.scene is None:
            self.scene = Scene()
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
        if name in STAGE.now().ids and UUID.fullmatch(str(given)) and random.random() < 0.9:
            case.path_parameters[name] = STAGE.now().ids[name]


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code in SPENT and random.random() < 0.3:
        STAGE.clear()
