import { type HttpConnection, openHttpConnection } from './http-connection.ts'
import { cpuSecOf } from './process-usage.ts'

/** The result of one side in one round. */
export interface Rate {
  /** Requests, or their SQL, per second. */
  perSec: number
  /** CPU milliseconds of the measured process per request. */
  cpuMs: number
}

export interface Load {
  port: number
  /** The process that answers the requests. */
  pid: number
  connections: number
  seconds: number
  request: () => Buffer
  /** The expected status. Any other one ends the run. */
  status: number
}

/** Every connection sends its next request after each answer. */
export async function applyLoad({
  port,
  pid,
  connections,
  seconds,
  request,
  status,
}: Load): Promise<Rate> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => openHttpConnection(port)),
  )
  const cpuBefore = cpuSecOf(pid)
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0

  async function repeat(connection: HttpConnection): Promise<void> {
    while (performance.now() < end) {
      const answer = await connection.exchange(request())
      if (answer.status !== status) throw new Error(`${answer.status} ${answer.body}`)
      count += 1
    }
  }

  try {
    await Promise.all(open.map((connection) => repeat(connection)))
    const tookSec = (performance.now() - start) / 1000
    return { perSec: count / tookSec, cpuMs: ((cpuSecOf(pid) - cpuBefore) * 1000) / count }
  } finally {
    for (const connection of open) connection.close()
  }
}
