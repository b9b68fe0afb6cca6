"""Books, lists, closes and is refused, through the client of openapi-python-client."""

import json
import os
from datetime import datetime
from uuid import UUID

from interview_room_service_client import AuthenticatedClient
from interview_room_service_client.api.rooms import close_room, create_room, get_room
from interview_room_service_client.api.sessions import list_sessions
from interview_room_service_client.models import (
    ErrorResponse,
    RoomRequest,
    SessionRequest,
    ParticipantEnteredEvent,
    RoomResponse,
)

client = AuthenticatedClient(
    base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"], prefix="ApiKey"
)
external_id = os.environ["EXTERNAL_ID"]
session = SessionRequest(
    external_type="Slot",
    external_id=external_id,
    starts_at=datetime.fromisoformat(os.environ["STARTS_AT"]),
    ends_at=datetime.fromisoformat(os.environ["ENDS_AT"]),
)
created = create_room.sync(client=client, body=RoomRequest(kind="interview", session=session))
assert isinstance(created, RoomResponse), created
listed = list_sessions.sync(client=client, external_type="Slot", external_id=external_id)
# A call without its body, which is optional.
closed = close_room.sync(created.data.id, client=client)
refusal = get_room.sync(UUID("00000000-0000-7000-8000-000000000000"), client=client)
assert isinstance(refusal, ErrorResponse), refusal
event = ParticipantEnteredEvent.from_dict(json.loads(os.environ["WEBHOOK"]))

print(
    json.dumps(
        {
            "room": str(created.data.id),
            "listed": [str(item.room.id) for item in listed.data.items],
            "closed": closed.data.status.value,
            "session": closed.data.session.status.value,
            "error": refusal.error.code.value,
            "event": event.data.participant.role.value,
        }
    )
)
