/** Books, lists, closes and is refused, through the client of OpenAPI Generator (typescript-fetch). */
import {
  Configuration,
  ErrorResponseFromJSON,
  ParticipantEnteredEventFromJSON,
  ResponseError,
  RoomsApi,
  SessionsApi,
} from './client'

const { BASE_URL, API_KEY, EXTERNAL_ID, STARTS_AT, ENDS_AT, WEBHOOK } = process.env as Record<
  string,
  string
>
const configuration = new Configuration({ basePath: BASE_URL!, apiKey: `ApiKey ${API_KEY}` })
const rooms = new RoomsApi(configuration)
const sessions = new SessionsApi(configuration)
const session = {
  externalType: 'Slot',
  externalId: EXTERNAL_ID!,
  startsAt: new Date(STARTS_AT!),
  endsAt: new Date(ENDS_AT!),
}

async function main(): Promise<void> {
  const { data: room } = await rooms.createRoom({ roomRequest: { kind: 'interview', session } })
  const { data: listed } = await sessions.listSessions({
    externalType: 'Slot',
    externalId: EXTERNAL_ID!,
  })
  const { data: closed } = await rooms.closeRoom({ roomId: room.id })
  const refusal: unknown = await rooms
    .getRoom({ roomId: '00000000-0000-7000-8000-000000000000' })
    .catch((error: ResponseError) => error.response.json())
  const event = ParticipantEnteredEventFromJSON(JSON.parse(WEBHOOK!))
  console.log(
    JSON.stringify({
      room: room.id,
      listed: listed.items.map((item) => item.room.id),
      closed: closed.status,
      session: closed.session?.status,
      error: ErrorResponseFromJSON(refusal).error.code,
      event: event.data.participant.role,
    }),
  )
}

void main()
