import type { IncomingMessage } from 'node:http'
import { bodyOf, serveRaw } from '../raw-http.ts'
import { openBareOperations } from './open-bare-operations.ts'

/**
 * The floor of the HTTP edge: `node:http` with only the SQL and the provider's call. It checks no key, validates no
 * body and logs nothing.
 */
const operations = openBareOperations(process.env)

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://raw')
  const [, what, id = ''] = url.pathname.split('/')
  if (request.method === 'POST') return operations.createRoom(JSON.parse(await bodyOf(request)))
  if (what === 'rooms') return operations.getRoom(id)
  if (what === 'sessions') return operations.listSessions(url.searchParams.get('external_id') ?? '')
  return operations.findKey(id)
}

serveRaw(answer)
