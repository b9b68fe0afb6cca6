import { FACTS_PER_MINUTE } from '@interview-room/contract/live-moderation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app-types.ts'
import { refuseLate } from './refuse-haste.ts'
import { isTicket, type TicketHolder, type Tickets } from './ticket.ts'

/** Writes of one person that one process works at side by side; a page sends one or two. */
const RUNNING_MAX = 3
/** Those that wait for their turn; the next one is refused. What a minute allows may come at once. */
const WAITING_MAX = FACTS_PER_MINUTE
const RETRY_AFTER_SEC = 1

/** A turn, to be given back once. */
type Release = () => void

/**
 * Bounds what one person can keep busy: before anything of theirs waits for a lock or a connection,
 * their requests wait for each other. Throws 429 RATE_LIMIT_EXCEEDED for one too many.
 */
export function createTurns({ runningMax = RUNNING_MAX, waitingMax = WAITING_MAX } = {}) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async function takeTurn(person: string): Promise<Release> {
    const queue = queues.get(person) ?? { running: 0, waiting: [] }
    queues.set(person, queue)
    if (queue.running < runningMax) {
      queue.running += 1
    } else {
      if (queue.waiting.length >= waitingMax) await refuseLate(RETRY_AFTER_SEC)
      // Whoever gives a turn back hands it on.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    return () => {
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.running -= 1
      if (queue.running === 0) queues.delete(person)
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Ban, close and cancel: they wait neither for others nor for their connections. */
    isUrgent?: boolean
  }
}

/** Gives each ticket holder's writes their turns, on every route of this scope but the urgent ones. */
export function limitTicketHolders(app: App, tickets: Tickets): void {
  const takeTurn = createTurns()
  const turns = new WeakMap<FastifyRequest, Release>()

  app.addHook('preHandler', async (request: FastifyRequest) => {
    const { headers, method, params, routeOptions } = request
    const roomId = (params as { room_id?: string }).room_id
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead || roomId === undefined || routeOptions.config.isUrgent === true) return
    // The simple route comes with its credential in the body.
    const { authorization } = headers
    if (authorization === undefined || !isTicket(authorization)) return
    const holder = await tickets.verify(authorization, roomId)
    turns.set(request, await takeTurn(personOf(holder)))
  })
  app.addHook('onSend', async (request: FastifyRequest, _reply: FastifyReply, payload) => {
    turns.get(request)?.()
    turns.delete(request)
    return payload
  })
}

/** One person in one room; on the simple route one visit. */
export function personOf({ roomId, mediaIdentity }: TicketHolder): string {
  return `${roomId} ${mediaIdentity}`
}
