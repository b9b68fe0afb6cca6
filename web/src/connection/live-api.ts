import type { AdmissionCheckBody } from '@interview-room/contract/admission-check.ts'
import type { BrandingBody } from '@interview-room/contract/branding.ts'
import type { RespondentTest } from '@interview-room/contract/connection-tests.ts'
import type { ErrorEnvelope } from '@interview-room/contract/errors.ts'
import type {
  EntryBody,
  RELEASED_HEADER,
  TicketBody,
  WINDOW_CLOSES_HEADER,
  WINDOW_OPENS_HEADER,
} from '@interview-room/contract/live-entry.ts'
import { withinTime } from '../live/within-time.ts'
import { BAD_LINK, type Refusal, refusalOf, UNAVAILABLE } from './refusal.ts'

const TIMEOUT_MS = 15_000
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

/** A 204, which has no body. */
const CONFIRMED = undefined

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
      return answer.ok && answer.data === CONFIRMED
    },
  }
}

/** The results of the respondents' connection tests. Empty if they cannot be loaded. */
export async function fetchRespondentTests(
  roomId: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly RespondentTest[]> {
  if (!isHeaderSafe(token)) return []
  try {
    const answer = await fetch(
      `/api/v1/rooms/${encodeURIComponent(roomId)}/live/respondent-tests`,
      {
        headers: { authorization: `Bearer ${token}` },
        signal: withinTime(signal, TIMEOUT_MS),
      },
    )
    const found = await read<{ items: RespondentTest[] }>(answer)
    return found.ok ? found.data.items : []
  } catch {
    return []
  }
}

async function post<T>(path: string, body: object, bearer?: string): Promise<Answer<T>> {
  if (bearer !== undefined && !isHeaderSafe(bearer)) return { ok: false, refusal: BAD_LINK }
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return await read<T>(answer)
  } catch {
    // There is no network, the request timed out, or a proxy answered without JSON.
    return { ok: false, refusal: UNAVAILABLE }
  }
}

async function read<T>(answer: Response): Promise<Answer<T>> {
  if (answer.status === 204) return { ok: true, data: CONFIRMED as T }
  const body = (await answer.json()) as { success: true; data: T } | ErrorEnvelope
  if (body.success) return { ok: true, data: body.data }
  return { ok: false, refusal: refusalOf(body.error.code, headersOf(answer)) }
}

function headersOf(answer: Response) {
  const localNowMs = Date.now()
  const serverNow = new Date(answer.headers.get('date') ?? localNowMs)
  return {
    opensAt: dateOf(answer, OPENS_HEADER),
    closesAt: dateOf(answer, CLOSES_HEADER),
    challenge: answer.headers.get('www-authenticate'),
    isCancelled: answer.headers.get(RELEASED) === 'cancelled',
    serverNow,
    localNowMs,
  }
}

function dateOf({ headers }: Response, header: string): Date | null {
  const at = headers.get(header)
  return at === null ? null : new Date(at)
}

function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
