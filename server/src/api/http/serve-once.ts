import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_MAX } from '@interview-room/contract/limits.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import { type Deps, urgent } from '../../platform/ports/deps.ts'
import { answerOnce, answerOnceLeased } from '../idempotency/answer-once.ts'
import type { KeyedAnswer, KeyedRequest } from '../idempotency/answer.ts'
import type { App } from './app-types.ts'
import { valuesOf } from './header-values.ts'
import { type AnswerOf, type Call, route } from './route.ts'
import { outcomeOf, send } from './serve.ts'

type KeyedOperation = Operation & { isKeyed: true }

interface Server {
  app: App
  deps: Pick<Deps, 'db' | 'urgentDb' | 'config'>
}

interface OnceSteps<O extends Operation, P> {
  /** Runs outside of the transaction, also when the answer turns out to be kept already. */
  prepare?: (call: Call<O>) => Promise<P>
  /** Runs in the transaction that keeps the answer. */
  handle: (call: Call<O>, tx: Tx, prepared: P) => Promise<AnswerOf<O>>
  /** Runs after the answer, which does not wait for it, also after a kept one. */
  afterwards?: (call: Call<O>) => Promise<void>
}

/**
 * Serves an operation that takes an Idempotency-Key by a function that returns its answer. It runs in
 * a transaction, which keeps the answer together with the effect; a repeat gets what was kept.
 */
export function serveOnce<const O extends KeyedOperation, P = undefined>(
  { app, deps }: Server,
  operation: O,
  { prepare, handle, afterwards }: OnceSteps<O, P>,
): void {
  const used = operation.isUrgent ? urgent(deps) : deps
  route(app, operation, async (call, reply) => {
    const prepared = (await prepare?.(call)) as P
    const answered = await answerOnce(used, keyedRequestOf(call, call.body), async (tx) =>
      outcomeOf(operation, await handle(call, tx, prepared)),
    )
    sendOnce(reply, answered)
    await afterwards?.(call)
    return reply
  })
}

interface LastTransaction<P> {
  prepared: P
  /** Nothing is written in it after `handle`, because there is no key to keep the answer under. */
  isLast: boolean
}

interface LeasedSteps<O extends Operation, P> {
  /** Calls the provider; no transaction is open. */
  prepare: (call: Call<O>) => Promise<P>
  /** Runs in the last transaction, which keeps the answer. */
  handle: (call: Call<O>, tx: Tx, last: LastTransaction<P>) => Promise<AnswerOf<O>>
  /** Undoes `prepare` when the last transaction fails. */
  undo: (prepared: P) => Promise<void>
}

/** The same for an operation that calls the provider before its last transaction. */
export function serveOnceLeased<const O extends KeyedOperation, P>(
  { app, deps }: Server,
  operation: O,
  { prepare, handle, undo }: LeasedSteps<O, P>,
): void {
  route(app, operation, async (call, reply) => {
    const request = keyedRequestOf(call, call.body)
    const answered = await answerOnceLeased(deps, request, async (keep) => {
      const prepared = await prepare(call)
      const last = { prepared, isLast: request.key === undefined }
      try {
        await inTransaction(deps.db, async (tx) =>
          keep(tx, outcomeOf(operation, await handle(call, tx, last))),
        )
      } catch (error) {
        await undo(prepared)
        throw error
      }
    })
    sendOnce(reply, answered)
    return reply
  })
}

/** Sends an answer that may be the one that was kept. */
export function sendOnce(reply: FastifyReply, { answer, isReplayed }: KeyedAnswer): void {
  if (isReplayed) void reply.header('idempotent-replayed', 'true')
  send(reply, answer)
}

/** @param content what stands for the body in the fingerprint. */
export function keyedRequestOf(
  request: Pick<FastifyRequest, 'raw' | 'tenantId' | 'viewer' | 'method' | 'routeOptions'> & {
    params: unknown
    query: unknown
  },
  content: unknown,
): KeyedRequest {
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

/** Throws 400 INVALID_REQUEST if the header is given twice or is not a valid key. */
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

function fingerprintOf(request: Parameters<typeof keyedRequestOf>[0], content: unknown): Buffer {
  const { method, params, query, viewer } = request
  // Viewers share the keys of their tenant, but nobody may get somebody else's answer.
  const whose = viewer === null ? [] : [viewer.reference]
  const parts = [method, request.routeOptions.url, params, query, content ?? null, ...whose]
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
