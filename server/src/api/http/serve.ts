import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { FastifyReply } from 'fastify'
import { type Answer, type Outcome, toAnswer } from '../idempotency/answer.ts'
import type { App } from './app-types.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { type AnswerOf, type Call, route } from './route.ts'

/** Takes no Idempotency-Key. `serveOnce` and `serveOnceLeased` serve operations that take one. */
type UnkeyedOperation = Operation & { isKeyed?: never }

/** Takes no HEAD, whose answer would not end. */
type StreamOperation = UnkeyedOperation & { hasNoHead: true }

type Handler<O extends Operation, A extends AnswerOf<O>> = (call: Call<O>) => Promise<A>

interface Steps<O extends Operation, A extends AnswerOf<O>> {
  handle: Handler<O, A>
  /** Runs after the answer, which does not wait for it. */
  afterwards: (call: Call<O>) => Promise<void>
}

/** Serves an operation by a function that returns its answer. */
export function serve<const O extends UnkeyedOperation, const A extends AnswerOf<O>>(
  app: App,
  operation: O,
  given: Handler<O, A> | Steps<O, A>,
): void {
  const steps = typeof given === 'function' ? { handle: given } : given
  const isPlain = Object.values(operation.answers).some((answer) => 'mediaType' in answer)
  route(app, operation, async (call, reply) => {
    const outcome = outcomeOf(operation, await steps.handle(call))
    send(reply, isPlain ? plainAnswer(operation, outcome) : toAnswer(outcome))
    if ('afterwards' in steps) await steps.afterwards(call)
    return reply
  })
}

/** Serves server-sent events: `open` refuses, or returns what writes them. */
export function serveStream<const O extends StreamOperation>(
  app: App,
  operation: O,
  open: (call: Call<O>) => Promise<(stream: EventStream) => void>,
): void {
  route(app, operation, async (call, reply) => {
    const write = await open(call)
    // Skip a reader who has already left. Nothing would ever close a stream opened for one.
    if (reply.raw.destroyed) return void reply.hijack()
    write(openEventStream(reply))
    return undefined
  })
}

/** Uses the declared status if the answer names none. */
export function outcomeOf<O extends Operation>(operation: O, answer: AnswerOf<O>): Outcome {
  const status = Number(Object.keys(operation.answers)[0])
  return { status, ...(answer as Partial<Outcome> | undefined) }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function send(reply: FastifyReply, { status, headers, body }: Answer): void {
  void reply.code(status).headers(headers)
  if (body === null) return void reply.send()
  if (!reply.hasHeader('content-type')) void reply.type(JSON_TYPE)
  void reply.serializer(String).send(body)
}

function plainAnswer({ answers }: Operation, { status, headers, data }: Outcome): Answer {
  const { mediaType } = answers[status] as { mediaType: string }
  return { status, headers: { 'content-type': mediaType, ...headers }, body: JSON.stringify(data) }
}
