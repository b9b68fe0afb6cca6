import { Agent, fetch } from 'undici'
import { checkTarget, guardedLookup, TargetError, type TargetRules } from '../lib/target-guard.ts'
import { withTimeLimit } from '../lib/time-limit.ts'
import { readRetryAfterSec } from './schedule.ts'
import { type SignedMessage, signatureHeader } from './signature.ts'

/** The result of one attempt. */
export type SendOutcome =
  | { kind: 'accepted'; status: number }
  | { kind: 'gone'; status: number; errorClass: string }
  /** The receiver works, but does not take this event, or not now. */
  | { kind: 'refused'; status: number; errorClass: string; retryAfterSec: number | undefined }
  /** The receiver does not work: no answer, or 5xx. */
  | { kind: 'failed'; status: number | null; errorClass: string; retryAfterSec: number | undefined }

export interface Sender {
  send(
    message: SignedMessage & {
      url: string
      secrets: readonly string[]
      now: Date
      traceparent?: string | null
    },
  ): Promise<SendOutcome>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const ATTEMPT_TIMEOUT_MS = 15_000
const ANSWER_MAX_BYTES = 16 * 1024

/** Sends signed webhooks: no redirects, bounded in time and in what it reads of an answer. */
export function createSender(rules: TargetRules): Sender {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(rules) as never },
    // Reusing a connection that the receiver has closed meanwhile would cost an attempt.
    pipelining: 0,
  })

  return {
    async send({ url, secrets, now, traceparent = null, ...message }) {
      try {
        checkTarget(url, rules)
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'InterviewRoom-Webhooks/1',
          'webhook-id': message.id,
          'webhook-timestamp': String(message.timestampSec),
          'webhook-signature': signatureHeader(message, secrets),
          ...(traceparent !== null && { traceparent }),
        }
        const sent = { method: 'POST', dispatcher, redirect: 'manual', headers } as const
        return await withTimeLimit(ATTEMPT_TIMEOUT_MS, async (signal) => {
          const answer = await fetch(url, { ...sent, body: message.body, signal })
          // The status has arrived, and nothing else matters.
          await drain(answer.body).catch(() => undefined)
          return judge(answer.status, readRetryAfterSec(answer.headers.get('retry-after'), now))
        })
      } catch (error) {
        return {
          kind: 'failed',
          status: null,
          errorClass: classOf(error),
          retryAfterSec: undefined,
        }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function judge(status: number, retryAfterSec: number | undefined): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted', status }
  const errorClass = `http_${status}`
  if (status === 410) return { kind: 'gone', status, errorClass }
  const isAskingForTime = status === 429 || status === 503
  return {
    kind: status >= 500 ? 'failed' : 'refused',
    status,
    errorClass,
    retryAfterSec: isAskingForTime ? retryAfterSec : undefined,
  }
}

/** Reads a little of the body, so that the connection can be used again; the rest is cut off. */
async function drain(body: Awaited<ReturnType<typeof fetch>>['body']): Promise<void> {
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += (chunk as Uint8Array).byteLength
    if (bytes > ANSWER_MAX_BYTES) break
  }
}

/** A text for the log: an error code of the network, never a text that a receiver could have written. */
function classOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof TargetError) return 'refused_target'
  const { name, code } = cause as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'ConnectTimeoutError') return 'timeout'
  return typeof code === 'string' ? code.toLowerCase() : 'network'
}
