import { once } from 'node:events'
import { connect } from 'node:net'

interface Answer {
  status: number
  body: string
}

/**
 * One keep-alive connection with one request at a time. The bench shares the cores with the service under test, and
 * this costs a fraction of a full HTTP client.
 */
export interface HttpConnection {
  exchange(request: Buffer): Promise<Answer>
  close(): void
}

export async function openHttpConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<Answer> | undefined
  let failure: Error | undefined

  function fail(error: Error): void {
    failure = error
    waiting?.reject(error)
  }

  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = readAnswer(received)
      if (answer === undefined) return
      received = Buffer.alloc(0)
      waiting?.resolve(answer)
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed a connection')))

  return {
    exchange(request) {
      if (failure !== undefined) throw failure
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close() {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The answer once it has arrived completely. Throws if it states no length. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`no length in the answer ${head}`)
  const from = end + HEAD_END.length
  if (bytes.length < from + Number(length)) return undefined
  return { status: Number(head.slice(9, 12)), body: bytes.toString('utf8', from) }
}

export interface RequestParts {
  method: 'GET' | 'POST'
  path: string
  authorization: string
  body?: unknown
}

export function requestBytes({ method, path, authorization, body }: RequestParts): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${authorization}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`)
}
