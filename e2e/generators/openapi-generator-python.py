"""Books, lists, closes and is refused, through the client of OpenAPI Generator (python)."""

import json
import os
from datetime import datetime

import openapi_client
from openapi_client import RoomRequest, SessionRequest, ExternalId, WebhookEvent

configuration = openapi_client.Configuration(
    host=os.environ["BASE_URL"],
    api_key={"apiKeyAuth": os.environ["API_KEY"]},
    api_key_prefix={"apiKeyAuth": "ApiKey"},
)
external_id = os.environ["EXTERNAL_ID"]
with openapi_client.ApiClient(configuration) as client:
    rooms = openapi_client.RoomsApi(client)
    sessions = openapi_client.SessionsApi(client)
    session = SessionRequest(
        external_type="Slot",
        external_id=ExternalId(external_id),
        starts_at=datetime.fromisoformat(os.environ["STARTS_AT"]),
        ends_at=datetime.fromisoformat(os.environ["ENDS_AT"]),
    )
    room = rooms.create_room(RoomRequest(kind="interview", session=session)).data
    listed = sessions.list_sessions(external_type="Slot", external_id=external_id).data
    closed = rooms.close_room(room.id).data
    try:
        rooms.get_room("00000000-0000-7000-8000-000000000000")
        refusal = None
    except openapi_client.ApiException as error:
        refusal = error.data
event = WebhookEvent.from_json(os.environ["WEBHOOK"]).actual_instance

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
