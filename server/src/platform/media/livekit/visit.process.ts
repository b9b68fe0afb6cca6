import { visitRoom } from '@interview-room/media-server/src/recorder/visit-room.ts'

/** A visit to a media room, or the end of one. The process answers an order with `VisitOutcome`. */
type VisitMessage = VisitOrder | { id: number; isOver: true }

export interface VisitOrder {
  id: number
  /** http(s) address of the LiveKit server. */
  url: string
  token: string
}

export interface VisitOutcome {
  id: number
  /** Undefined if the visit was reported. */
  problem?: string
}

process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group; the parent of this process ends it.
process.on('SIGINT', () => {})
// The WebRTC library throws some errors of connections out of reach of their visits, which then end by their own time limit.
process.on('uncaughtException', () => {})
process.on('unhandledRejection', () => {})

const visits = new Map<number, AbortController>()

process.on('message', (message: VisitMessage) => {
  if ('isOver' in message) visits.get(message.id)?.abort(new Error('the visit is over'))
  else void visit(message)
})

async function visit({ id, ...order }: VisitOrder): Promise<void> {
  const over = new AbortController()
  visits.set(id, over)
  const problem = await visitRoom({ ...order, signal: over.signal }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  visits.delete(id)
  const outcome: VisitOutcome = { id, ...(problem !== undefined && { problem }) }
  process.send?.(outcome)
}
