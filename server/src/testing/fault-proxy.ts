import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect as connectTo, createServer, type Socket } from 'node:net'

/** A proxy to the database that can break connections as networks do. */
export interface FaultProxy {
  /** The database's address through the proxy. */
  url: string
  /** Passes nothing on, and notifies nobody: this covers open connections and new ones. */
  hang(): void
  /** Open connections hang for good; new ones work. */
  hangOpen(): void
  /** Refuses connections: nothing listens at the address. */
  refuse(): Promise<void>
  /** Ends every open connection. */
  cut(): void
  /** Leads new connections to this server; open ones stay where they are. */
  leadTo(url: string): void
  /** Passes everything on again. Hung connections have lost what they waited for. */
  mend(): Promise<void>
  close(): Promise<void>
}

interface Way {
  inside: Socket
  outside: Socket
  isStuck: boolean
}

export async function startFaultProxy(url: string): Promise<FaultProxy> {
  let target = new URL(url)
  const ways = new Set<Way>()
  let isHanging = false

  const server = createServer((inside) => {
    const outside = connectTo(Number(target.port), target.hostname)
    ways.add(lead({ inside, outside, isStuck: isHanging }, end))
  })

  function end(way: Way): void {
    ways.delete(way)
    way.inside.destroy()
    way.outside.destroy()
  }

  function cut(): void {
    for (const way of ways) end(way)
  }

  function stick(): void {
    for (const way of ways) way.isStuck = true
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  const here = new URL(url)
  here.host = `127.0.0.1:${port}`
  return {
    url: here.href,
    hang() {
      isHanging = true
      stick()
    },
    hangOpen: stick,
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    cut,
    leadTo(address) {
      target = new URL(address)
    },
    async mend() {
      isHanging = false
      for (const way of ways) if (way.isStuck) end(way)
      if (!server.listening) await listen(port)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** A stuck network path does not tell one side that the other is gone. */
function lead(way: Way, end: (way: Way) => void): Way {
  const { inside, outside } = way
  pass(way, inside, outside)
  pass(way, outside, inside)
  for (const socket of [inside, outside]) {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!way.isStuck) end(way)
    })
  }
  return way
}

function pass(way: Way, from: Socket, to: Socket): void {
  from.on('data', (chunk: Buffer) => {
    if (!way.isStuck) to.write(chunk)
  })
}
