import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type ObjectLocation, StorageError } from '../ports/storage.ts'

/** Headers of the storage's answer that a program needs to seek in the file. */
const PASSED_ON = ['content-type', 'content-length', 'content-range', 'accept-ranges']

/** Pause before the first, second, ... attempt to continue. An attempt that brings bytes starts the series again. */
const CONTINUED_AFTER_MS = [100, 1000]

interface Failure {
  hasFailed: boolean
}

/**
 * Lets `work` read the locations without their addresses: while it lasts, this process serves everything but paths on this machine.
 * So a signed address is in no process list, the storage's certificate is checked, and it does not matter which protocols an ffmpeg
 * supports. Throws `StorageError` if the storage failed, even if `work` did not notice: a program takes a connection that ends
 * early for the end of the file.
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
    const done = await work([...routes].map(([route, location]) => localOf(location, port, route)))
    if (failure.hasFailed) throw cannotBeFetched()
    return done
  } catch (error) {
    throw failure.hasFailed ? cannotBeFetched() : error
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function cannotBeFetched(): StorageError {
  return new StorageError('a video cannot be fetched from the storage')
}

function localOf(location: ObjectLocation, port: number, route: string): ObjectLocation {
  return location.kind === 'path'
    ? location
    : { kind: 'url', url: `http://127.0.0.1:${port}${route}` }
}

/** A program that disconnects is no failure: it does so whenever it seeks. */
async function passOn(
  url: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  failure: Failure,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const { signal } = gone
  try {
    const { range } = request.headers
    const answer = await fetch(url, { headers: range ? { range } : {}, signal })
    // A program may ask for bytes beyond the end, which gives 416.
    if (!answer.ok && answer.status !== 416) throw new Error(`answered with ${answer.status}`)
    response.writeHead(answer.status, headersOf(answer))
    await pipeline(Readable.from(bytesOf(url, answer, { signal, failure })), response)
  } catch {
    failure.hasFailed ||= !signal.aborted
    response.destroy()
  }
}

/**
 * The bytes of an answer. If they break off, the rest is requested again: a storage closes connections that a program leaves
 * waiting while it reads elsewhere.
 */
async function* bytesOf(
  url: string,
  answer: Response,
  { signal, failure }: { signal: AbortSignal; failure: Failure },
): AsyncGenerator<Uint8Array> {
  const { first, last } = placeOf(answer)
  let next = first
  let current: Response | undefined = answer
  for (let tries = 0; ; tries += 1) {
    try {
      current ??= await fetchFrom(url, { next, last, signal })
      for await (const chunk of (current.body ?? []) as AsyncIterable<Uint8Array>) {
        next += chunk.length
        tries = 0
        yield chunk
      }
      return
    } catch (error) {
      const pauseMs = CONTINUED_AFTER_MS[tries]
      if (last === undefined || pauseMs === undefined) {
        // Set before the program learns of it, because the program may finish then.
        failure.hasFailed ||= !signal.aborted
        throw error
      }
      current = undefined
      await delay(pauseMs, undefined, { signal })
    }
  }
}

async function fetchFrom(
  url: string,
  { next, last, signal }: { next: number; last: number | undefined; signal: AbortSignal },
): Promise<Response> {
  const rest = await fetch(url, { headers: { range: `bytes=${next}-${last ?? ''}` }, signal })
  if (rest.status === 206 && placeOf(rest).first === next) return rest
  throw new Error(`answered with ${rest.status}`)
}

/** The byte range of an answer: the first byte, and the last one if the answer names it. */
function placeOf({ status, headers }: Response): { first: number; last: number | undefined } {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get('content-range') ?? '') ?? []
  if (status === 206 && first !== undefined) return { first: Number(first), last: Number(last) }
  const length = headers.get('content-length')
  return { first: 0, last: length === null ? undefined : Number(length) - 1 }
}

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => PASSED_ON.includes(name)))
}
