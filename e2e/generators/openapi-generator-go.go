// Books, lists, closes and is refused, through the client of OpenAPI Generator (go).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"example.com/generated/client"
)

// Of a result and an error, the result.
func must[T any](result T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return result
}

func instant(name string) time.Time {
	return must(time.Parse(time.RFC3339, os.Getenv(name)))
}

// The code of a refusal.
func codeOf(err error) client.ErrorCode {
	var refusal *client.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		log.Fatal(err)
	}
	response, isRefusal := refusal.Model().(client.ErrorResponse)
	if !isRefusal {
		log.Fatal(err)
	}
	return response.Error.Code
}

func main() {
	ctx := context.Background()
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "ApiKey "+os.Getenv("API_KEY"))
	api := client.NewAPIClient(configuration)
	externalId := os.Getenv("EXTERNAL_ID")
	session := client.NewSessionRequest(
		"Slot", client.StringAsExternalId(&externalId), instant("STARTS_AT"), instant("ENDS_AT"),
	)
	booking := client.NewRoomRequest("interview", *session)
	created, _, err := api.RoomsAPI.CreateRoom(ctx).RoomRequest(*booking).Execute()
	room := must(created, err).Data
	listed, _, err := api.SessionsAPI.ListSessions(ctx).ExternalType("Slot").ExternalId(externalId).Execute()
	ids := []string{}
	for _, item := range must(listed, err).Data.Items {
		ids = append(ids, item.Room.Id)
	}
	answer, _, err := api.RoomsAPI.CloseRoom(ctx, room.Id).Execute()
	closed := must(answer, err).Data
	_, _, missing := api.RoomsAPI.GetRoom(ctx, "00000000-0000-7000-8000-000000000000").Execute()
	var event client.WebhookEvent
	if err := json.Unmarshal([]byte(os.Getenv("WEBHOOK")), &event); err != nil {
		log.Fatal(err)
	}
	output := must(json.Marshal(map[string]any{
		"room":    room.Id,
		"listed":  ids,
		"closed":  closed.Status,
		"session": closed.Session.Get().Status,
		"error":   codeOf(missing),
		"event":   event.ParticipantEnteredEvent.Data.Participant.Role,
	}))
	fmt.Println(string(output))
}
