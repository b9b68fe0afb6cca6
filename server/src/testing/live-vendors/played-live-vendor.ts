import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LiveVendor } from '../../platform/config/live-text-config.ts'
import { Ear } from './ear.ts'

/** A connection of a client. */
interface Line {
  request: IncomingMessage
  /** Texts of the client, parsed. An empty text is null. */
  messages: unknown[]
  soundBytes: number
  ear: Ear
  send(message: object): void
  sendText(text: string): void
  close(code?: number): void
}

/** Behaviour on one connection. */
interface Talk {
  /** The client sent sound, which the ear has heard. True where an utterance ended in it. */
  sound(hasEnded: boolean): void
  message(message: unknown): void
}

/** A vendor's live messages as its document describes them. No vendor was called. */
export interface LiveVendorFixture {
  name: LiveVendor
  /** The vendor's document, and its version or date. */
  follows: string
  /** Path below the address of the played server, for the setting of the address. */
  path: string
  talk(line: Line): Talk
  /** An answer to a call by HTTP: the address of a session. */
  http?(origin: string): { status: number; body: object }
}

export interface PlayedLiveVendor {
  /** For the setting of the vendor's address. */
  url: string
  lines: Line[]
  /** Calls by HTTP: method and path. */
  calls: string[]
  bodies: unknown[]
  keys: unknown[]
  /** The status of a refusal at the door, in place of a connection. */
  refusesWith: number | undefined
  /** Hears, and answers nothing. */
  isMute: boolean
  /** Breaks all connections, as a process that dies. */
  kill(): void
  close(): Promise<void>
}

/** A local server that plays a vendor's live engine, for the sound of `speak`. */
export async function playLiveVendor(fixture: LiveVendorFixture): Promise<PlayedLiveVendor> {
  const sockets = new Set<WebSocket>()
  const server = createServer()
  const wss = new WebSocketServer({ noServer: true })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const scheme = fixture.http === undefined ? 'ws' : 'http'
  const played: PlayedLiveVendor = {
    url: `${scheme}://127.0.0.1:${port}${fixture.path}`,
    lines: [],
    calls: [],
    bodies: [],
    keys: [],
    refusesWith: undefined,
    isMute: false,
    kill: () => {
      for (const socket of sockets) socket.terminate()
    },
    close: async () => {
      played.kill()
      server.close()
      server.closeAllConnections()
    },
  }
  server.on('request', (request, response) => {
    answer(fixture, played, request)
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      })
      .catch(() => response.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    played.keys.push(request.headers.authorization)
    if (played.refusesWith !== undefined) {
      socket.end(`HTTP/1.1 ${played.refusesWith} Refused\r\ncontent-length: 6\r\n\r\nsecret`)
      return
    }
    wss.handleUpgrade(request, socket, head, (accepted) => {
      sockets.add(accepted)
      accepted.on('close', () => sockets.delete(accepted))
      connect(fixture, played, { socket: accepted, request })
    })
  })
  return played
}

async function answer(
  fixture: LiveVendorFixture,
  played: PlayedLiveVendor,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  played.calls.push(`${request.method} ${request.url}`)
  played.keys.push(request.headers['x-gladia-key'])
  const said = Buffer.concat(chunks).toString()
  if (said !== '') played.bodies.push(JSON.parse(said))
  if (played.refusesWith !== undefined) return { status: played.refusesWith, body: {} }
  if (request.method === 'DELETE') return { status: 202, body: {} }
  return fixture.http?.(`ws://${request.headers.host}`) ?? { status: 404, body: {} }
}

function connect(
  fixture: LiveVendorFixture,
  played: PlayedLiveVendor,
  { socket, request }: { socket: WebSocket; request: IncomingMessage },
): void {
  const line: Line = {
    request,
    messages: [],
    soundBytes: 0,
    ear: new Ear(),
    send: (message) => {
      if (!played.isMute) socket.send(JSON.stringify(message))
    },
    sendText: (text) => socket.send(text),
    close: (code) => socket.close(code),
  }
  played.lines.push(line)
  const talk = fixture.talk(line)
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const text = data.toString()
      const message: unknown = text === '' ? null : JSON.parse(text)
      line.messages.push(message)
      talk.message(message)
      return
    }
    line.soundBytes += data.length
    const pcm = new Int16Array(Uint8Array.from(data).buffer)
    talk.sound(line.ear.hear(pcm))
  })
}
