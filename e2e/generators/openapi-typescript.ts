/** Books, lists, closes and is refused: openapi-fetch with the types of openapi-typescript. */
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

const { BASE_URL, API_KEY, EXTERNAL_ID, STARTS_AT, ENDS_AT, WEBHOOK } = process.env as Record<
  string,
  string
>
const client = createClient<paths>({
  baseUrl: BASE_URL!,
  headers: { Authorization: `ApiKey ${API_KEY}` },
})
const external_id = EXTERNAL_ID!
const slot = { external_type: 'Slot', external_id, starts_at: STARTS_AT!, ends_at: ENDS_AT! }
const created = await client.POST('/api/v1/rooms', { body: { kind: 'interview', session: slot } })
if (created.data === undefined) throw new Error(created.error.error.message)
const room: components['schemas']['Room'] = created.data.data
const listed = await client.GET('/api/v1/sessions', {
  params: { query: { external_type: 'Slot', external_id } },
})
const path = { room_id: room.id }
const closed = await client.POST('/api/v1/rooms/{room_id}/close', { params: { path } })
const missing = await client.GET('/api/v1/rooms/{room_id}', {
  params: { path: { room_id: '00000000-0000-7000-8000-000000000000' } },
})
const event = JSON.parse(WEBHOOK!) as components['schemas']['WebhookEvent']

console.log(
  JSON.stringify({
    room: room.id,
    listed: listed.data?.data.items.map((item) => item.room.id),
    closed: closed.data?.data.status,
    session: closed.data?.data.session?.status,
    error: missing.error?.error.code,
    event: event.type === 'participant.entered' ? event.data.participant.role : null,
  }),
)
