"""Books, lists, closes and is refused: its own HTTP, with the models of datamodel-code-generator."""

import json
import os
import urllib.error
import urllib.request

from models import (
    ErrorResponse,
    RoomRequest,
    SessionRequest,
    ParticipantEnteredEvent,
    RoomResponse,
    SessionListResponse,
)


def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["BASE_URL"] + "/api/v1" + path,
        method=method,
        data=None if body is None else body.model_dump_json(exclude_none=True).encode(),
        headers={
            "Authorization": "ApiKey " + os.environ["API_KEY"],
            **({} if body is None else {"Content-Type": "application/json"}),
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        return error.read()


external_id = os.environ["EXTERNAL_ID"]
session = SessionRequest(
    external_type="Slot",
    external_id=external_id,
    starts_at=os.environ["STARTS_AT"],
    ends_at=os.environ["ENDS_AT"],
)
new_room = RoomRequest(kind="interview", session=session)
room = RoomResponse.model_validate_json(call("POST", "/rooms", new_room)).data
query = f"?external_type=Slot&external_id={external_id}"
listed = SessionListResponse.model_validate_json(call("GET", "/sessions" + query)).data
closed = RoomResponse.model_validate_json(call("POST", f"/rooms/{room.id}/close")).data
missing = "/rooms/00000000-0000-7000-8000-000000000000"
refusal = ErrorResponse.model_validate_json(call("GET", missing))
event = ParticipantEnteredEvent.model_validate_json(os.environ["WEBHOOK"])

print(
    json.dumps(
        {
            "room": str(room.id),
            "listed": [str(item.room.id) for item in listed.items],
            "closed": closed.status.value,
            "session": closed.session.status.value,
            "error": refusal.error.code.value,
            "event": event.data.participant.role.value,
        }
    )
)
