import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpRefusal, readBody, sendText } from '../../src/api/http.ts'
import { type ApiKeys, TokenError } from '../../src/api/tokens.ts'
import { authenticate } from '../../src/api/twirp.ts'
import { type Faults, FaultsError, readFaults } from './faults.ts'

/** `POST /faults` adds to what goes wrong, `DELETE /faults` forgets it. For tests only. */
export async function serveFaults(
  request: IncomingMessage,
  response: ServerResponse,
  faults: Faults,
  apiKeys: ApiKeys,
): Promise<void> {
  try {
    const { video } = await authenticate(request, apiKeys)
    if (video.roomRecord !== true) throw new TokenError('permissions denied')
    if (request.method === 'DELETE') faults.clear()
    else if (request.method === 'POST') faults.add(readFaults(parse(await readBody(request))))
    else throw new HttpRefusal(405, 'POST or DELETE')
    sendText(response, 200, 'OK')
  } catch (error) {
    if (error instanceof TokenError) sendText(response, 401, error.message)
    else if (error instanceof FaultsError) sendText(response, 400, error.message)
    else if (error instanceof HttpRefusal) sendText(response, error.status, error.message)
    else throw error
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    throw new HttpRefusal(400, 'the body is not JSON')
  }
}
