import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { hostInUrl } from '../../platform/config/config.ts'

/** True if another process already listens there. */
export async function isPortTaken(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return false
  } catch {
    return true
  } finally {
    server.close()
  }
}

/** Below the ports that systems assign to connections, one of which could take it before we listen. */
const PORTS = { from: 20_000, to: 32_000 }
const TRIES_MAX = 100

/** A port at which nobody listens now, and which no connection gets by chance. Throws if none is found. */
export async function freePort(host: string): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (!(await isPortTaken(host, port))) return port
  }
  throw new Error(`no free port at ${host}`)
}

/** A server that listens everywhere is reached locally by the loopback address. */
export function loopbackOf(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : hostInUrl(host)
}
