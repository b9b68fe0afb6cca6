import { setTimeout as delay } from 'node:timers/promises'
import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import {
  connectRtcClient,
  type RtcClient,
} from '@interview-room/media-server/test/support/rtc-client.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import type { RoleWord, Tenant } from './tenant.ts'
import { SOON_MS } from './wait.ts'

/** Long before a ticket ends. */
const RENEWED_MS = (ROOM_TICKET_LIFE_SEC * 1000) / 3

const TRIES_MAX = 5

const isBusy = ({ status }: Response) => status === 429 || status === 502 || status === 503

/** An admitted person without a page, who makes the page's calls directly. */
export interface ApiParticipant {
  /** `data` of the answer; throws on a refusal. */
  post<T>(path: string, body?: object): Promise<T>
  get<T>(path: string): Promise<T>
  /** The current state, as at the start of the live stream. */
  snapshot(): Promise<Snapshot>
  /** The address of the media server for a client, and its token. */
  media: { url: string; token: string }
  isAskedForConsent: boolean
}

export async function enterByHand(
  tenant: Tenant,
  {
    baseUrl,
    roomId,
    ...who
  }: { baseUrl: string; roomId: string; role: RoleWord; name: string; externalId?: string },
): Promise<ApiParticipant> {
  const token = await tenant.signToken({ roomId, ...who })
  const { ticket, media, capabilities } = await tenant.admit(roomId, token)
  const address = `${baseUrl}/api/v1/rooms/${roomId}/live`
  let authorization = `Bearer ${ticket}`

  async function ask(method: string, path: string, body?: object): Promise<Response> {
    return fetch(address + path, {
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(SOON_MS),
    })
  }

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    let answer = await ask(method, path, body)
    // The service or the media server may be busy, or the person too fast, and people try again.
    for (let tries = 1; isBusy(answer) && tries < TRIES_MAX; tries += 1) {
      await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000)
      answer = await ask(method, path, body)
    }
    const { success, data, error } = (await answer.json()) as {
      success: boolean
      data: T
      error?: { code: string; details?: object }
    }
    if (!success) {
      const why = `${error?.code} ${JSON.stringify(error?.details ?? [])}`
      throw new Error(`${path} is refused with ${answer.status} ${why}`)
    }
    return data
  }

  const post = <T>(path: string, body?: object) => call<T>('POST', path, body)

  /** Renews the ticket as an open page does. */
  async function renew(): Promise<void> {
    const renewed = await post<TicketBody>('/ticket', { is_connected: true })
    authorization = `Bearer ${renewed.ticket}`
  }
  // A closed room refuses, and a killed service does not answer.
  setInterval(() => void renew().catch(() => {}), RENEWED_MS).unref()

  return {
    media,
    isAskedForConsent: capabilities.is_asked_for_consent,
    post,
    get: <T>(path: string) => call<T>('GET', path),

    async snapshot() {
      const page = createClient({ baseUrl, authorization })
      const signal = AbortSignal.timeout(SOON_MS)
      for await (const delivered of page.streamRoom({ params: { room_id: roomId }, signal })) {
        if (delivered.event === 'snapshot') return delivered.data
      }
      throw new Error('the live stream ended without a snapshot')
    },
  }
}

/** Agrees to be recorded if asked, and connects a client that can publish video and audio. */
export async function connectAgreed(inside: ApiParticipant): Promise<RtcClient> {
  if (inside.isAskedForConsent) await inside.post('/events', { event_type: 'consent.given' })
  // The first token was issued before the consent.
  const { media } = await inside.post<TicketBody>('/ticket')
  return connectRtcClient(media.url, media.token)
}
