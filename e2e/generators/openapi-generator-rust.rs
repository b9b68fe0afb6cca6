// Books, lists, closes and is refused, through the client of OpenAPI Generator (rust).
use std::env::var;

use openapi::apis::{
    configuration::{ApiKey, Configuration},
    rooms_api, sessions_api, Error,
};
use openapi::models::{
    room_request::Kind, ErrorResponse, ExternalId, ParticipantEnteredEvent, RoomRequest,
    SessionRequest,
};
use serde_json::{from_str, json, Value};

const ABSENT: &str = "00000000-0000-7000-8000-000000000000";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut client = Configuration::new();
    client.base_path = var("BASE_URL")?;
    client.api_key = Some(ApiKey { prefix: Some("ApiKey".into()), key: var("API_KEY")? });
    let external_id = var("EXTERNAL_ID")?;
    let session = SessionRequest::new(
        "Slot".into(),
        ExternalId::String(external_id.clone()),
        var("STARTS_AT")?.parse()?,
        var("ENDS_AT")?.parse()?,
    );
    let booking = RoomRequest::new(Kind::Interview, session);
    let room = rooms_api::create_room(&client, booking, None).await?.data;
    let listed = sessions_api::list_sessions(&client, "Slot", &external_id, None, None).await?;
    let rooms: Vec<_> = listed.data.items.into_iter().map(|item| item.room.id).collect();
    let closed = rooms_api::close_room(&client, &room.id.to_string(), None).await?.data;
    let error = match rooms_api::get_room(&client, ABSENT).await {
        Err(Error::ResponseError(refusal)) => from_str::<ErrorResponse>(&refusal.content)?.error.code,
        other => panic!("{other:?}"),
    };
    // Not through the enum `WebhookEvent`, which takes `type` away from the event.
    let webhook = var("WEBHOOK")?;
    let event = match from_str::<Value>(&webhook)?["type"].as_str() {
        Some("participant.entered") => from_str::<ParticipantEnteredEvent>(&webhook)?,
        other => panic!("{other:?}"),
    };
    let printed = json!({
        "room": room.id,
        "listed": rooms,
        "closed": closed.status,
        "session": closed.session.map(|session| session.status),
        "error": error,
        "event": event.data.participant.role,
    });
    println!("{printed}");
    Ok(())
}
