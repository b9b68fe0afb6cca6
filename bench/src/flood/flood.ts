import { type HttpConnection, openHttpConnection } from '../http-connection.ts'

export interface Flood {
  /** Number of answers so far, by status. */
  statuses: ReadonlyMap<number, number>
  end(): Promise<void>
}

export interface FloodOptions {
  port: number
  connections: number
  request: () => Buffer
}

/** Every connection sends its next request after each answer, whatever its status. */
export async function startFlood({ port, connections, request }: FloodOptions): Promise<Flood> {
  const statuses = new Map<number, number>()
  const open = new Set<HttpConnection>()
  const ending = new AbortController()

  async function repeat(first: HttpConnection): Promise<void> {
    let connection = first
    while (!ending.signal.aborted) {
      try {
        const { status } = await connection.exchange(request())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      } catch {
        // The service may close the connections of a removed participant.
        open.delete(connection)
        if (ending.signal.aborted) return
        connection = await openHttpConnection(port)
        open.add(connection)
      }
    }
  }

  const firsts = await Promise.all(
    Array.from({ length: connections }, () => openHttpConnection(port)),
  )
  for (const connection of firsts) open.add(connection)
  const repeating = firsts.map((connection) => repeat(connection))
  return {
    statuses,
    async end() {
      ending.abort()
      await Promise.all(repeating)
      for (const connection of open) connection.close()
    },
  }
}
