import type { ConnectionTestBody } from '@interview-room/contract/connection-tests.ts'
import type { ErrorCode, ErrorEnvelope } from '@interview-room/contract/errors.ts'
import type { EntryHistoryBody, ParticipantBody } from '@interview-room/contract/participants.ts'
import type { RoomRequest, RoomBody, SessionBody } from '@interview-room/contract/rooms.ts'
import type { Locale, Role, TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'

export const BASE = '/playground/api'
const NO_CONTENT = 204
const TIMEOUT_MS = 15_000

export interface LocalState {
  base_url: string
  tenant_id: string
  key_id: string
  data_dir: string
  docs_url: string | null
  media_url: string
  /** Those with something behind their name. */
  engines: TranscriptionEngine[]
  version: string
}

export interface RoomDetail {
  room: RoomBody
  session: SessionBody | null
  participants: ParticipantBody[]
  entries: EntryHistoryBody[]
}

type RoomSettings = Pick<
  RoomRequest,
  'archive_mode' | 'archive_resolution' | 'transcription_language' | 'transcription_service'
>

export interface Booking extends RoomSettings {
  name: string
  starts_in_min: number
  minutes: number
}

interface NewTest {
  name: string
  locale: Locale
  record: boolean
}

export interface DeliveredWebhook {
  received_at: string
  verified: boolean
  id: string
  type: string
  body: unknown
}

export const playgroundApi = {
  state: () => call<LocalState>('/state'),
  consoleKey: () => call<{ api_key: string }>('/console-key', { method: 'POST' }),
  rooms: () => call<{ rooms: RoomBody[] }>('/rooms'),
  room: (id: string) => call<RoomDetail>(`/rooms/${id}`),
  book: (booking: Booking) => call<{ room: RoomBody }>('/rooms', { method: 'POST', body: booking }),
  link: (id: string, person: { role: Role; name: string }) =>
    call<{ url: string }>(`/rooms/${id}/links`, { method: 'POST', body: person }),
  connectionTests: () => call<{ tests: ConnectionTestBody[] }>('/connection-tests'),
  startConnectionTest: (test: NewTest) =>
    call<{ test: ConnectionTestBody }>('/connection-tests', { method: 'POST', body: test }),
  close: (id: string) => call<{ room: RoomBody }>(`/rooms/${id}/close`, { method: 'POST' }),
}

/** The service said no, and by which word. */
export class Refusal extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode) {
    super(`the playground answered ${code}`)
    this.code = code
  }
}

interface ApiRequest {
  method: 'POST' | 'DELETE'
  body?: object
}

/** Throws `Refusal` when the service refuses, and any other error when it does not answer. */
export async function call<T>(path: string, asked?: ApiRequest): Promise<T> {
  const body = asked?.body
  const answer = await fetch(BASE + path, {
    ...(asked !== undefined && { method: asked.method }),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (answer.status === NO_CONTENT) return undefined as T
  if (answer.ok) return (await answer.json()) as T
  throw new Refusal(((await answer.json()) as ErrorEnvelope).error.code)
}

/** Follows the webhooks; the browser reconnects automatically. Answers how to stop. */
export function followWebhooks(on: {
  webhook(delivered: DeliveredWebhook): void
  live(isLive: boolean): void
}): () => void {
  const source = new EventSource(`${BASE}/webhooks/stream`)
  source.addEventListener('webhook', ({ data }) => on.webhook(JSON.parse(data) as DeliveredWebhook))
  source.addEventListener('open', () => on.live(true))
  source.addEventListener('error', () => on.live(false))
  return () => source.close()
}
