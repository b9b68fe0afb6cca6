import { once } from 'node:events'
import { connect } from 'node:net'
import { createParser } from 'eventsource-parser'
import { requestBytes } from '../http-connection.ts'

/** A live stream, and the credential that opens it. */
export interface Source {
  port: number
  path: string
  authorization: string
}

interface Arrival {
  id: string
  /** The `performance.now()` when the event was complete. */
  atMs: number
}

/** A stream that is read as it arrives. */
export interface Reader {
  arrivals: readonly Arrival[]
  /** Bytes of the message events, without their framing. */
  bytes(): number
  /** Resolves when the expected number of messages has arrived. Rejects if the stream ends before. */
  complete: Promise<void>
  close(): void
}

export async function openReader(source: Source, expected: number): Promise<Reader> {
  const aborter = new AbortController()
  const response = await fetch(`http://127.0.0.1:${source.port}${source.path}`, {
    headers: { authorization: source.authorization },
    signal: aborter.signal,
  })
  const { body, status } = response
  if (status !== 200 || body === null) throw new Error(`${status} ${await response.text()}`)
  const arrivals: Arrival[] = []
  const { promise: complete, resolve, reject } = Promise.withResolvers<void>()
  let bytes = 0

  const parser = createParser({
    onEvent({ event, id = '', data }) {
      if (event !== 'message') return
      const atMs = performance.now()
      bytes += id.length + Buffer.byteLength(data)
      arrivals.push({ id: (JSON.parse(data) as { id: string }).id, atMs })
      if (arrivals.length === expected) resolve()
    },
  })

  async function readAll(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) parser.feed(decoder.decode(chunk, { stream: true }))
    throw new Error(`a stream ended after ${arrivals.length} messages`)
  }
  readAll(body).catch(reject)
  // A caller that closes the reader early does not await this.
  complete.catch(() => {})
  return { arrivals, bytes: () => bytes, complete, close: () => aborter.abort() }
}

/** A stream that is opened and then not read. */
export interface SlowReader {
  /** Reads the rest, and returns true if the server had cut the stream. */
  wasCutBefore(lastId: string): Promise<boolean>
}

export async function openSlowReader({ port, path, authorization }: Source): Promise<SlowReader> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.write(requestBytes({ method: 'GET', path, authorization }))
  await once(socket, 'readable')
  return {
    async wasCutBefore(lastId) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      let tail = ''
      socket.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString('latin1')).slice(-64 * 1024)
        if (tail.includes(lastId)) resolve(false)
      })
      socket.on('error', () => resolve(true))
      socket.on('close', () => resolve(true))
      const wasCut = await promise
      socket.destroy()
      return wasCut
    },
  }
}
