import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX } from '@interview-room/contract/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Answered, KeyedRequest, Outcome } from '../idempotency/answer.ts'
import { answerOnce, answerOnceLeased, type Keep } from '../idempotency/answer-once.ts'
import { refuseField } from '../lib/service-error.ts'
import { valuesOf } from './header-values.ts'

type OnceDeps = Pick<Deps, 'db' | 'config'>

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  /** What stands for the body in the fingerprint; the parsed body unless given. */
  content?: unknown
}

/** Answers a request that may carry an Idempotency-Key, from one transaction. */
export async function sendOnce(
  deps: OnceDeps,
  exchange: Exchange,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<FastifyReply> {
  return send(exchange.reply, await answerOnce(deps, keyed(exchange), work))
}

/** The same for an operation that calls the provider before its last transaction. */
export async function sendOnceLeased(
  deps: OnceDeps,
  exchange: Exchange,
  work: (keep: Keep) => Promise<void>,
): Promise<FastifyReply> {
  return send(exchange.reply, await answerOnceLeased(deps, keyed(exchange), work))
}

function send(reply: FastifyReply, { answer, isReplayed }: Answered): FastifyReply {
  void reply.code(answer.status).headers(answer.headers)
  if (isReplayed) void reply.header('idempotent-replayed', 'true')
  if (answer.body === null) return reply.send()
  void reply.type('application/json; charset=utf-8').serializer((text: unknown) => String(text))
  return reply.send(answer.body)
}

function keyed({ request, content = request.body }: Exchange): KeyedRequest {
  const key = readKey(request)
  return {
    tenantId: request.tenantId,
    key,
    // It is only ever compared under a key, and most requests have none.
    fingerprint: key === undefined ? NO_FINGERPRINT : fingerprintOf(request, content),
  }
}

const NO_FINGERPRINT = Buffer.alloc(0)

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`)

/** Throws 400 INVALID_REQUEST for a header that is given twice or is no key. */
function readKey({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined {
  // Node joins repeated headers of this kind, and a joined text may look like one key.
  const values = valuesOf(raw, 'idempotency-key')
  const [key] = values
  if (key === undefined) return undefined
  if (values.length === 1 && KEY.test(key)) return key
  throw refuseField('INVALID_REQUEST', {
    field: 'Idempotency-Key',
    code: values.length > 1 ? 'DUPLICATE' : 'INVALID_FORMAT',
    message: `must be one header of 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`,
  })
}

function fingerprintOf(request: FastifyRequest, content: unknown): Buffer {
  const { method, params, query } = request
  const parts = [method, request.routeOptions.url, params, query, content ?? null]
  return createHash('sha256').update(canonical(parts)).digest()
}

/** JSON with sorted members: two spellings of one request are one request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
