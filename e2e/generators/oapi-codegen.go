// Books, lists, closes and is refused, through the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"example.com/generated/api"
)

func instant(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		log.Fatal(err)
	}
	return at
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "ApiKey "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv("BASE_URL"), api.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	session := api.SessionRequest{
		ExternalType: "Slot",
		StartsAt:     instant(os.Getenv("STARTS_AT")),
		EndsAt:       instant(os.Getenv("ENDS_AT")),
	}
	if err := session.ExternalId.FromExternalId0(os.Getenv("EXTERNAL_ID")); err != nil {
		log.Fatal(err)
	}
	created, err := client.CreateRoomWithResponse(ctx, nil, api.RoomRequest{Kind: "interview", Session: session})
	if err != nil || created.JSON201 == nil {
		log.Fatal(err, created)
	}
	room := created.JSON201.Data
	listed, err := client.ListSessionsWithResponse(ctx, &api.ListSessionsParams{
		ExternalType: "Slot", ExternalId: os.Getenv("EXTERNAL_ID"),
	})
	if err != nil {
		log.Fatal(err)
	}
	ids := []string{}
	for _, item := range listed.JSON200.Data.Items {
		ids = append(ids, item.Room.Id.String())
	}
	closed, err := client.CloseRoomWithResponse(ctx, room.Id, api.CloseRoom{})
	if err != nil {
		log.Fatal(err)
	}
	missing, err := client.GetRoomWithResponse(ctx, uuid.MustParse("00000000-0000-7000-8000-000000000000"))
	if err != nil {
		log.Fatal(err)
	}
	var event api.WebhookEvent
	if err := json.Unmarshal([]byte(os.Getenv("WEBHOOK")), &event); err != nil {
		log.Fatal(err)
	}
	entered, err := event.AsParticipantEnteredEvent()
	if err != nil {
		log.Fatal(err)
	}
	output, _ := json.Marshal(map[string]any{
		"room":    room.Id,
		"listed":  ids,
		"closed":  closed.JSON200.Data.Status,
		"session": closed.JSON200.Data.Session.Status,
		"error":   missing.JSON404.Error.Code,
		"event":   entered.Data.Participant.Role,
	})
	fmt.Println(string(output))
}
