import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether somebody listens there already. */
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

export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
