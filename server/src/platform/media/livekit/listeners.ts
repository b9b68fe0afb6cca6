import path from 'node:path'
import { type HeardSound, MediaError } from '../../ports/media.ts'
import type { ListenNews, ListenOrder } from './listen.process.ts'
import { createSideProcess } from './side-process.ts'

/** The process is ended when it listened to nothing for this long. */
const IDLE_MS = 60_000

// Compiled or not, it is the sibling of this file.
const PROGRAM = new URL(`listen.process${path.extname(import.meta.url)}`, import.meta.url)

/** Listens to a media room until that ends or the connection is lost; see `listenToRoom`. Throws `MediaError`. */
export type Listen = (
  order: Omit<ListenOrder, 'id'> & { hear: (sound: HeardSound) => void },
  signal: AbortSignal,
) => Promise<void>

/** Listens to media rooms from a separate process. Decoding leaves the service's own thread alone. */
export function createListeners({ idleMs = IDLE_MS } = {}): Listen {
  const listening = createSideProcess<Omit<ListenOrder, 'id'>, ListenNews>({
    program: PROGRAM,
    heapMb: 256,
    idleMs,
    gone: 'the listening process has ended',
  })
  return async ({ hear, ...message }, signal) => {
    signal.throwIfAborted()
    const ended = Promise.withResolvers<string | undefined>()
    const order = listening.open((news) => {
      if (!('pcm' in news)) ended.resolve(news.problem)
      else if (!signal.aborted) hear(news)
    })
    const leave = () => {
      order.send({ isOver: true })
      // Whatever the process does: nothing that it still sends is heard.
      ended.resolve(undefined)
    }
    signal.addEventListener('abort', leave)
    try {
      order.send(message)
      const problem = await ended.promise
      signal.throwIfAborted()
      if (problem !== undefined) throw new MediaError(`could not listen: ${problem}`)
    } finally {
      signal.removeEventListener('abort', leave)
      order.close()
    }
  }
}
