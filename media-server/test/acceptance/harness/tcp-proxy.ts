import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  url: string
  /** Breaks every connection and refuses new ones for the given time. */
  outage(durationMs: number): void
  close(): Promise<void>
}

/** Stands between a client and the signalling port, so that a test can break the connection. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isDown = false
  const track = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((inbound) => {
    track(inbound)
    if (isDown) {
      inbound.destroy()
      return
    }
    const outbound = connect(Number(target.port), target.hostname)
    track(outbound)
    inbound.pipe(outbound).pipe(inbound)
    inbound.on('close', () => outbound.destroy())
    outbound.on('close', () => inbound.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outage(durationMs) {
      isDown = true
      dropAll()
      setTimeout(() => {
        isDown = false
      }, durationMs).unref()
    },
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve)
      })
      dropAll()
      await closed
    },
  }
}
