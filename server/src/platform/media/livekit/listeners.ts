import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { type HeardSound, MediaError } from '../../ports/media.ts'
import type { ListenMessage, ListenNews, ListenOrder } from './listen.process.ts'

/** The process is ended when it listened to nothing for this long. */
const IDLE_MS = 60_000

// Compiled or not, it is the sibling of this file.
const PROGRAM = new URL(`listen.process${path.extname(import.meta.url)}`, import.meta.url)

const HEAP = '--max-old-space-size=256'

interface Process {
  child: ChildProcess
  /** Rooms that are listened to, by id. */
  rooms: Map<number, (news: ListenNews) => void>
}

/** Listens to a media room until that ends or the connection is lost; see `listenToRoom`. Throws `MediaError`. */
export type Listen = (
  order: Omit<ListenOrder, 'id'> & { hear: (sound: HeardSound) => void },
  signal: AbortSignal,
) => Promise<void>

/**
 * Listens to media rooms from a separate process, which starts with the first one: a defect of the WebRTC library may end its
 * process, and must not end the service. Decoding leaves the service's own thread alone.
 */
export function createListeners({ idleMs = IDLE_MS } = {}): Listen {
  let running: Process | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function letGo(gone: Process): void {
    gone.child.kill('SIGKILL')
    if (running === gone) running = undefined
    for (const [id, take] of gone.rooms) take({ id, problem: 'the listening process has ended' })
  }

  function start(): Process {
    // The process gets neither the secrets of the service nor the options of its caller.
    const child = fork(PROGRAM, {
      env: {},
      execArgv: [HEAP],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    const started: Process = { child, rooms: new Map() }
    child.on('error', () => letGo(started))
    child.on('exit', () => letGo(started))
    child.on('message', (news: ListenNews) => started.rooms.get(news.id)?.(news))
    // A service that is stopping does not wait for it: it ends with the channel.
    child.unref()
    child.channel?.unref()
    return started
  }

  return async ({ hear, ...order }, signal) => {
    signal.throwIfAborted()
    clearTimeout(idle)
    running ??= start()
    const mine = running
    const id = (lastId += 1)
    const send = (message: ListenMessage) => mine.child.send(message, () => {})
    const ended = Promise.withResolvers<string | undefined>()
    const leave = () => {
      send({ id, isOver: true })
      // Whatever the process does: nothing that it still sends is heard.
      ended.resolve(undefined)
    }
    mine.rooms.set(id, (news) => {
      if ('problem' in news) ended.resolve(news.problem)
      else if (!signal.aborted) hear(news)
    })
    signal.addEventListener('abort', leave)
    try {
      send({ id, ...order })
      const problem = await ended.promise
      signal.throwIfAborted()
      if (problem !== undefined) throw new MediaError(`could not listen: ${problem}`)
    } finally {
      signal.removeEventListener('abort', leave)
      mine.rooms.delete(id)
      if (mine.rooms.size === 0) idle = setTimeout(() => letGo(mine), idleMs).unref()
    }
  }
}
