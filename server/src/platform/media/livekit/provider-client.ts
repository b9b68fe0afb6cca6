import { createSecretKey } from 'node:crypto'
import type { VideoGrant } from 'livekit-server-sdk'
import { Agent } from 'undici'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { signJws } from '../../lib/compact-jws.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'

/** An error answer of the provider. */
export class ProviderRefusal extends Error {
  readonly status: number
  /** The provider's own error code. An address outside of the API gives none, or that of another server. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined) {
    // Never repeats the provider's text, which quotes the token.
    super(`${code ?? 'refused'} ${status}`)
    this.status = status
    this.code = code
  }
}

interface Call<Answer> {
  grant: VideoGrant
  body: { toJsonString(): string }
  /** The message's class in LiveKit's protocol. */
  answer: { fromJsonString(text: string, options: { ignoreUnknownFields: boolean }): Answer }
}

/** Calls a method of LiveKit's server API, such as `RoomService/CreateRoom`. */
export type CallProvider = <Answer>(method: string, call: Call<Answer>) => Promise<Answer>

const TOKEN_LIFE_SEC = 600
/** A token is replaced while half of its life is left. */
const TOKEN_KEPT_MS = (TOKEN_LIFE_SEC / 2) * 1000

/** Timeouts of calls. */
export interface CallTimeouts {
  callSec: number
  /** A shorter one for an address where nobody accepts the connection. */
  connectSec?: number
}

/** Tokens carry the service's time: LiveKit refuses tokens of a machine whose clock is wrong. */
type ProviderAccess = Pick<Config['livekit'], 'apiUrl' | 'apiKey' | 'apiSecret'> & { clock: Clock }

/**
 * A client of LiveKit's server API: Twirp with JSON over kept-alive connections. Throws ProviderRefusal, or any error of the
 * connection, of a timeout or of an answer in another shape.
 */
export function createProviderClient(
  { apiUrl, apiKey, apiSecret, clock }: ProviderAccess,
  { callSec, connectSec }: CallTimeouts,
): CallProvider {
  const base = new URL(`${apiUrl.replace(/^ws/, 'http').replace(/\/$/, '')}/twirp/livekit.`)
  const secret = createSecretKey(apiSecret, 'utf8')
  const dispatcher = new Agent(
    connectSec === undefined ? {} : { connect: { timeout: connectSec * 1000 } },
  )
  const tokens = new Map<string, { atMs: number; token: string }>()

  function sign(grant: VideoGrant): string {
    const nbf = Math.floor(clock().getTime() / 1000)
    const claims = { iss: apiKey, video: grant, nbf, exp: nbf + TOKEN_LIFE_SEC }
    return signJws({ alg: 'HS256' }, claims, secret)
  }

  /** Tokens for every room are kept and used for many calls. */
  function tokenFor(grant: VideoGrant): string {
    if (grant.room !== undefined) return sign(grant)
    const key = Object.keys(grant).join()
    const kept = tokens.get(key)
    if (kept !== undefined && performance.now() - kept.atMs < TOKEN_KEPT_MS) return kept.token
    const token = sign(grant)
    tokens.set(key, { atMs: performance.now(), token })
    return token
  }

  return async (method, { grant, body, answer }) =>
    withTimeLimit(callSec * 1000, async (signal) => {
      const response = await dispatcher.request({
        origin: base.origin,
        path: `${base.pathname}${method}`,
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenFor(grant)}`,
          'content-type': 'application/json',
        },
        body: body.toJsonString(),
        signal,
      })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new ProviderRefusal(response.statusCode, codeIn(text))
      return answer.fromJsonString(text, { ignoreUnknownFields: true })
    })
}

function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}
