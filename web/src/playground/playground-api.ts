import type { EntryHistoryBody, ParticipantBody } from '@interview-room/contract/participants.ts'
import type { RoomBody, SessionBody } from '@interview-room/contract/rooms.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'

const BASE = '/playground/api'
const TIMEOUT_MS = 15_000

export interface LocalState {
  base_url: string
  tenant_id: string
  key_id: string
  data_dir: string
  docs_url: string | null
  media_url: string
  version: string
}

export interface RoomDetail {
  room: RoomBody
  session: SessionBody | null
  participants: ParticipantBody[]
  entries: EntryHistoryBody[]
}

export interface Booking {
  name: string
  starts_in_min: number
  minutes: number
}

export interface Delivered {
  received_at: string
  verified: boolean
  id: string
  type: string
  body: unknown
}

export const playgroundApi = {
  state: () => call<LocalState>('/state'),
  rooms: () => call<{ rooms: RoomBody[] }>('/rooms'),
  room: (id: string) => call<RoomDetail>(`/rooms/${id}`),
  book: (booking: Booking) => call<{ room: RoomBody }>('/rooms', booking),
  link: (id: string, person: { role: Role; name: string }) =>
    call<{ url: string }>(`/rooms/${id}/links`, person),
  close: (id: string) => call<{ room: RoomBody }>(`/rooms/${id}/close`, {}),
}

/** Throws when the service refuses or does not answer. */
async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(BASE + path, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`the playground answered ${answer.status}`)
  return (await answer.json()) as T
}

/** Follows the webhooks; the browser connects again by itself. Answers how to stop. */
export function followWebhooks(on: {
  webhook(delivered: Delivered): void
  live(isLive: boolean): void
}): () => void {
  const source = new EventSource(`${BASE}/webhooks/stream`)
  source.addEventListener('webhook', ({ data }) => on.webhook(JSON.parse(data) as Delivered))
  source.addEventListener('open', () => on.live(true))
  source.addEventListener('error', () => on.live(false))
  return () => source.close()
}
