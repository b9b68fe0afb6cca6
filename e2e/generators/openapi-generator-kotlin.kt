import api.apis.RoomsApi
import api.apis.SessionsApi
import api.infrastructure.ApiClient
import api.infrastructure.ClientError
import api.infrastructure.ClientException
import api.infrastructure.Serializer
import api.models.ErrorResponse
import api.models.ExternalId
import api.models.ParticipantEnteredEvent
import api.models.RoomRequest
import api.models.SessionRequest
import api.models.WebhookEvent
import java.time.OffsetDateTime
import java.util.UUID

/** Books, lists, closes and is refused, through the client of OpenAPI Generator (kotlin, gson). */
fun main() {
  fun setting(name: String): String = System.getenv(name)
  ApiClient.apiKey["Authorization"] = setting("API_KEY")
  ApiClient.apiKeyPrefix["Authorization"] = "ApiKey"
  val rooms = RoomsApi(setting("BASE_URL"))
  val session =
    SessionRequest(
      externalType = "Slot",
      externalId = ExternalId(setting("EXTERNAL_ID")),
      startsAt = OffsetDateTime.parse(setting("STARTS_AT")),
      endsAt = OffsetDateTime.parse(setting("ENDS_AT")),
    )
  val room = rooms.createRoom(RoomRequest(RoomRequest.Kind.interview, session)).data
  val listed = SessionsApi(setting("BASE_URL")).listSessions("Slot", setting("EXTERNAL_ID")).data.items
  val closed = rooms.closeRoom(room.id).data
  val json = Serializer.gson
  val error =
    try {
      rooms.getRoom(UUID.fromString("00000000-0000-7000-8000-000000000000"))
      null
    } catch (refusal: ClientException) {
      val body = (refusal.response as ClientError<*>).body as String
      json.fromJson(body, ErrorResponse::class.java).error.code
    }
  val event = json.fromJson(setting("WEBHOOK"), WebhookEvent::class.java).actualInstance
  val printed =
    mapOf(
      "room" to room.id,
      "listed" to listed.map { it.room.id },
      "closed" to closed.status,
      "session" to closed.session?.status,
      "error" to error,
      "event" to (event as ParticipantEnteredEvent).`data`.participant.role,
    )
  println(json.toJson(printed))
}
