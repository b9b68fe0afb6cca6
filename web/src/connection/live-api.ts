import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import type { BrandingBody } from '@interview-room/contract/branding.ts'
import type { RespondentTest } from '@interview-room/contract/connection-tests.ts'
import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type {
  EntryBody,
  RELEASED_HEADER,
  TicketBody,
  WINDOW_CLOSES_HEADER,
  WINDOW_OPENS_HEADER,
} from '@interview-room/contract/live-entry.ts'
import { callService, type Sent } from '../live/send-request.ts'
import { type AnswerHeaders, BAD_LINK, type Refusal, refusalOf, UNAVAILABLE } from './refusal.ts'

/** The contract's own constants. Importing them as values would load the schema library, too. */
const OPENS_HEADER: typeof WINDOW_OPENS_HEADER = 'x-window-opens-at'
const CLOSES_HEADER: typeof WINDOW_CLOSES_HEADER = 'x-window-closes-at'
const RELEASED: typeof RELEASED_HEADER = 'x-session-released'

/** The credential in a link: a token that the tenant signed, or the simple route's secret and a name. */
export type Credential =
  | { kind: 'token'; token: string }
  | { kind: 'access'; accessToken: string; name: string }

/** The check before entry needs no name. */
export type CheckedCredential =
  | Extract<Credential, { kind: 'token' }>
  | Omit<Extract<Credential, { kind: 'access' }>, 'name'>

export type Answer<T> = { ok: true; data: T } | { ok: false; refusal: Refusal }

/** The participant API of one room. It returns refusals and network trouble as answers, and never throws. */
export interface LiveApi {
  /** Asks if the person may enter, and describes the room. It does not enter. */
  check(credential: CheckedCredential): Promise<Answer<AdmissionCheckBody>>
  enter(credential: Credential): Promise<Answer<EntryBody>>
  /** `isConnected` says that media is up, so the service need not check its room. */
  renew(ticket: string, isConnected: boolean): Promise<Answer<TicketBody>>
  /** Reports that media is up. False if the service has not seen it at the provider yet. */
  reportConnected(ticket: string, mediaSid: string): Promise<boolean>
}

/** Receives the tenant's branding as soon as an answer contains it. */
export type OnBranding = (branding: BrandingBody | null) => void

export function createLiveApi(roomId: string, onBranding: OnBranding): LiveApi {
  const base = `/api/v1/rooms/${encodeURIComponent(roomId)}/live`
  const checkPath = `${base}/admission-check`
  const branded = async <T extends { branding?: BrandingBody }>(answer: Promise<Answer<T>>) => {
    const answered = await answer
    if (answered.ok) onBranding(answered.data.branding ?? null)
    return answered
  }
  return {
    check: (credential) =>
      branded(
        credential.kind === 'token'
          ? post<AdmissionCheckBody>(checkPath, {}, credential.token)
          : post<AdmissionCheckBody>(checkPath, { access_token: credential.accessToken }),
      ),
    enter: (credential) =>
      branded(
        credential.kind === 'token'
          ? post<EntryBody>(`${base}/entry`, {}, credential.token)
          : post<EntryBody>(`${base}/entry`, {
              access_token: credential.accessToken,
              name: credential.name,
            }),
      ),
    renew: (ticket, isConnected) => post(`${base}/ticket`, { is_connected: isConnected }, ticket),
    reportConnected: async (ticket, mediaSid) => {
      const answer = await post(`${base}/connected`, { media_sid: mediaSid }, ticket)
      // A 204, which has no body.
      return answer.ok && answer.data === null
    },
  }
}

/** The results of the respondents' connection tests. Empty if they cannot be loaded. */
export async function fetchRespondentTests(
  roomId: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly RespondentTest[]> {
  const base = `/api/v1/rooms/${encodeURIComponent(roomId)}/live`
  const sent = { signal, bearer: token }
  const found = await call<{ items: RespondentTest[] }>(`${base}/respondent-tests`, sent)
  return found.ok ? found.data.items : []
}

/** The facts for the last page of this person. Undefined if they cannot be loaded. */
export async function fetchFarewell(
  roomId: string,
  credential: CheckedCredential,
): Promise<FarewellBody | undefined> {
  const path = `/api/v1/rooms/${encodeURIComponent(roomId)}/live/farewell`
  const found = await (credential.kind === 'token'
    ? post<FarewellBody>(path, {}, credential.token)
    : post<FarewellBody>(path, { access_token: credential.accessToken }))
  return found.ok ? found.data : undefined
}

async function post<T>(path: string, body: object, bearer?: string): Promise<Answer<T>> {
  return call(path, { method: 'POST', body, ...(bearer !== undefined && { bearer }) })
}

async function call<T>(
  path: string,
  { bearer, ...sent }: Sent & { bearer?: string },
): Promise<Answer<T>> {
  if (bearer !== undefined && !isHeaderSafe(bearer)) return { ok: false, refusal: BAD_LINK }
  const answer = await callService<T>(path, {
    ...sent,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  })
  if (answer.ok) return answer
  if (answer.code === 'OFFLINE') return { ok: false, refusal: UNAVAILABLE }
  return { ok: false, refusal: refusalOf(answer.code, factsOf(answer.headers)) }
}

function factsOf(headers: Headers): AnswerHeaders {
  const localNowMs = Date.now()
  return {
    opensAt: dateOf(headers, OPENS_HEADER),
    closesAt: dateOf(headers, CLOSES_HEADER),
    challenge: headers.get('www-authenticate'),
    isCancelled: headers.get(RELEASED) === 'cancelled',
    serverNow: new Date(headers.get('date') ?? localNowMs),
    localNowMs,
  }
}

function dateOf(headers: Headers, header: string): Date | null {
  const at = headers.get(header)
  return at === null ? null : new Date(at)
}

function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
