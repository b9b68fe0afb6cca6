import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Books, lists, closes and is refused, through the client of OpenAPI Generator (java, native). */
public final class Program {
  public static void main(String[] args) throws Exception {
    Map<String, String> env = System.getenv();
    ApiClient client = new ApiClient();
    client.updateBaseUri(env.get("BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "ApiKey " + env.get("API_KEY")));
    RoomsApi rooms = new RoomsApi(client);
    SessionRequest session =
        new SessionRequest()
            .externalType("Slot")
            .externalId(new ExternalId(env.get("EXTERNAL_ID")))
            .startsAt(OffsetDateTime.parse(env.get("STARTS_AT")))
            .endsAt(OffsetDateTime.parse(env.get("ENDS_AT")));
    RoomRequest booking = new RoomRequest().kind(RoomRequest.KindEnum.INTERVIEW).session(session);
    Room room = rooms.createRoom(booking, null).getData();
    List<UUID> listed = new ArrayList<>();
    for (Session each :
        new SessionsApi(client)
            .listSessions("Slot", env.get("EXTERNAL_ID"), null, null)
            .getData()
            .getItems()) {
      listed.add(each.getRoom().getId());
    }
    Room closed = rooms.closeRoom(room.getId(), null).getData();
    ObjectMapper json = ApiClient.createDefaultObjectMapper();
    String error = null;
    try {
      rooms.getRoom(UUID.fromString("00000000-0000-7000-8000-000000000000"));
    } catch (ApiException refusal) {
      error =
          json.readValue(refusal.getResponseBody(), ErrorResponse.class)
              .getError()
              .getCode()
              .getValue();
    }
    WebhookEvent event = json.readValue(env.get("WEBHOOK"), WebhookEvent.class);
    Map<String, Object> printed = new LinkedHashMap<>();
    printed.put("room", room.getId());
    printed.put("listed", listed);
    printed.put("closed", closed.getStatus());
    printed.put("session", closed.getSession().getStatus());
    printed.put("error", error);
    printed.put("event", event.getParticipantEnteredEvent().getData().getParticipant().getRole());
    System.out.println(json.writeValueAsString(printed));
  }
}
