import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './tools.ts'

/**
 * A server whose certificate for `localhost` ended yesterday, of the authority of the proxy. Needs openssl, which
 * Debian has beside its authorities.
 */
export async function startExpiredServer(
  authorityFile: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-expired-'))
  const openssl = (line: string) => run('openssl', line.split(' '), { cwd: folder })
  const authorityKey = authorityFile.replace(/crt$/, 'key')
  await openssl(
    'req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=localhost' +
      ' -addext subjectAltName=DNS:localhost',
  )
  await openssl(
    'x509 -req -in request.pem -copy_extensions copy -days -1 -out cert.pem' +
      ` -CA ${authorityFile} -CAkey ${authorityKey}`,
  )
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(path.join(folder, name))),
  )
  const server = createServer({ key, cert }, (_request, response) => response.end())
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
