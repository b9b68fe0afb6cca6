import type { Role, TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import { sendRequest } from '../../live/send-request.ts'

const BASE = '/playground/api'

export interface LocalState {
  base_url: string
  tenant_id: string
  key_id: string
  data_dir: string
  docs_url: string | null
  media_url: string
  /** The engines that are configured. */
  engines: TranscriptionEngine[]
  version: string
}

export interface LinkRequest {
  role: Role
  name: string
  external_id: string
}

export interface DeliveredWebhook {
  received_at: string
  verified: boolean
  id: string
  type: string
  body: unknown
}

/** The calls that only a local installation answers. Everything else goes through the public API. */
export const localApi = {
  state: () => call<LocalState>('/state'),
  key: () => call<{ api_key: string }>('/key', {}),
  link: (roomId: string, request: LinkRequest) =>
    call<{ url: string }>(`/rooms/${roomId}/links`, request),
  sample: () => call<{ recording_id: string }>('/sample', {}),
}

/** A GET, or a POST with a body. Throws if the service does not answer or refuses. */
async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await sendRequest(BASE + path, { ...(body && { method: 'POST', body }) })
  if (!answer.ok) throw new Error(`the playground answered ${answer.status}`)
  return (await answer.json()) as T
}

/** Follows the webhooks; the browser reconnects automatically. Returns a function that stops it. */
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
