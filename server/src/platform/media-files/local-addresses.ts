import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ObjectLocation, StorageError } from '../ports/storage.ts'

/** Of the storage's answer, what a program needs that seeks in the file. */
const PASSED_ON = ['content-type', 'content-length', 'content-range', 'accept-ranges']

interface Failure {
  hasFailed: boolean
}

/**
 * Lets `work` read the places without their addresses: what is not a path is reached through this
 * process, on this machine, while `work` lasts. So a signed address is in no list of processes, the
 * storage's certificate is checked, and it does not matter what protocols an ffmpeg knows. Throws
 * `StorageError` when `work` fails because the storage did.
 */
export async function withLocalAddresses<T>(
  locations: readonly ObjectLocation[],
  work: (local: readonly ObjectLocation[]) => Promise<T>,
): Promise<T> {
  if (locations.every(({ kind }) => kind === 'path')) return work(locations)
  const failure: Failure = { hasFailed: false }
  const routes = new Map(locations.map((location) => [`/${randomUUID()}`, location]))
  const server = createServer((request, response) => {
    const location = routes.get(request.url ?? '')
    if (location?.kind !== 'url') response.writeHead(404).end()
    else void passOn(location.url, { request, response }, failure)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await work([...routes].map(([route, location]) => localOf(location, port, route)))
  } catch (error) {
    if (failure.hasFailed) throw new StorageError('a video cannot be fetched from the storage')
    throw error
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function localOf(location: ObjectLocation, port: number, route: string): ObjectLocation {
  return location.kind === 'path'
    ? location
    : { kind: 'url', url: `http://127.0.0.1:${port}${route}` }
}

/** That the program goes away is no failure: it does so whenever it seeks. */
async function passOn(
  url: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  failure: Failure,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const { range } = request.headers
  try {
    const answer = await fetch(url, { headers: range ? { range } : {}, signal: gone.signal })
    // That there is nothing behind the end is what a program may ask.
    if (!answer.ok && answer.status !== 416) throw new Error(`answered with ${answer.status}`)
    response.writeHead(answer.status, headersOf(answer))
    if (answer.body === null) response.end()
    else await pipeline(Readable.fromWeb(answer.body), response)
  } catch {
    failure.hasFailed ||= !gone.signal.aborted
    response.destroy()
  }
}

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => PASSED_ON.includes(name)))
}
