import { Server as NetServer, type Socket } from 'node:net'
import type { App } from './app-types.ts'

export interface EndingTimes {
  /** How long a connection without a request in flight may send another one, which is its last. */
  idleMs: number
  /** How long requests in flight may take after that. */
  requestsMs: number
}

/**
 * Ends the connections of a server that closes: it stops listening, ends the streams (whose
 * routes have hooks of their own), answers late requests with `Connection: close`, closes connections that are
 * idle or have not finished a request head, and closes the rest after a bound. A client that keeps
 * sending sees no reset: its connection ends after an answer that announces it.
 *
 * Call it before any route is registered; call what it answers after the last one.
 */
export function endConnectionsInOrder(app: App, times: EndingTimes): () => void {
  const connections = trackConnections(app)
  let isEnding = false

  app.addHook('preClose', async () => {
    isEnding = true
    // Node's own close would cut idle connections off immediately, and with them the next request of
    // a client that keeps sending.
    if (app.server.listening) NetServer.prototype.close.call(app.server)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isEnding) void reply.header('connection', 'close')
  })

  return () => {
    // Hooks of the root run before those of plugins: this one comes after those that end streams.
    void app.register(async (last: App) => {
      last.addHook('preClose', async () => {
        await connections.untilNone(times.idleMs)
        connections.endIdle()
        await connections.untilNone(times.requestsMs)
        connections.destroyAll()
      })
    })
  }
}

function trackConnections({ server }: App) {
  /** Requests in flight of each open connection. */
  const open = new Map<Socket, number>()
  let isEndingIdle = false
  let onNone: (() => void) | undefined

  server.on('connection', (socket: Socket) => {
    open.set(socket, 0)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) onNone?.()
    })
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })

  function count(socket: Socket, change: 1 | -1): void {
    const requests = open.get(socket)
    if (requests === undefined) return
    open.set(socket, requests + change)
    if (isEndingIdle && requests + change === 0) socket.destroySoon()
  }

  return {
    async untilNone(timeoutMs: number): Promise<void> {
      if (open.size === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        onNone = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    endIdle(): void {
      isEndingIdle = true
      for (const [socket, requests] of open) if (requests === 0) socket.destroySoon()
    },
    destroyAll(): void {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
