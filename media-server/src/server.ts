import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import {
  closeHttp,
  HttpRefusal,
  listen,
  pathOf,
  refuseUpgrade,
  sendPreflight,
  sendText,
} from './api/http.ts'
import { serveTwirp, twirpRoutesOf } from './api/twirp.ts'
import { WebhookSender, webhookTarget } from './api/webhooks.ts'
import { egressService } from './egress/egress-service.ts'
import { Egresses, type EgressOptions } from './egress/egresses.ts'
import { AwakeClock } from './lib/awake-clock.ts'
import { type LogEntry, reasonOf, silentLog } from './lib/log.ts'
import type { RtcOptions } from './rtc/peer.ts'
import { roomService } from './sfu/room-service.ts'
import { recordableRooms, Rooms } from './sfu/rooms.ts'
import { MESSAGE_MAX_BYTES } from './sfu/signal-bounds.ts'
import { admit, connect, type SignalRouteOptions } from './sfu/signal-route.ts'

export interface MediaServerOptions {
  host: string
  /** 0 takes a free port. */
  port: number
  /** API key to API secret. */
  apiKeys: Record<string, string>
  webhook?: { urls: string[]; apiKey: string }
  /** A join creates the room when it is absent. Default: off, such a join is refused. */
  autoCreate?: boolean
  rtc?: RtcOptions
  /** How long the media of somebody who joined may take to come up, in milliseconds. Default 15 s. */
  joinTimeoutMs?: number
  /** Recording; without it, the methods answer as a server that has no egress worker. */
  egress?: EgressOptions
  log?: (entry: LogEntry) => void
}

export interface MediaServer {
  /** `http://host:port` */
  url: string
  port: number
  /** Notifies clients and webhook receivers of the shutdown, for two seconds at most. */
  close(): Promise<void>
}

const DRAIN_TIMEOUT_MS = 2000
const JOIN_TIMEOUT_MS = 15_000

/** Parts of a server. */
export interface MediaServerParts {
  rooms: Rooms
  webhooks: WebhookSender
  egresses: Egresses | undefined
  /** Handlers of further paths. */
  handlers?: ReadonlyMap<string, Handler>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Starts the server. Rejects when the port is taken, the webhook key is unknown, or the egress folder of no use. */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const { log = silentLog } = options
  const webhooks = new WebhookSender(webhookTarget(options), log)
  const rooms = openRooms(options, webhooks)
  const deps = { rooms: recordableRooms(rooms), webhooks, log }
  const egresses = options.egress && new Egresses(options.egress, deps)
  return serveParts({ rooms, webhooks, egresses }, options)
}

export function openRooms(options: MediaServerOptions, webhooks: WebhookSender): Rooms {
  const { apiKeys, rtc = {}, joinTimeoutMs = JOIN_TIMEOUT_MS, log = silentLog } = options
  return new Rooms({ apiKeys, rtc, log, webhooks, awake: new AwakeClock(), joinTimeoutMs })
}

/** Serves the parts on the port of the options, until the server is closed. */
export async function serveParts(
  parts: MediaServerParts,
  options: MediaServerOptions,
): Promise<MediaServer> {
  const { rooms, webhooks, egresses } = parts
  const { apiKeys, autoCreate = false, log = silentLog } = options
  const signal = { rooms, apiKeys, autoCreate, log }
  const handle = handlerOf(parts, signal)
  const http = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      log({ level: 'error', msg: 'request failed', path: pathOf(request), reason: reasonOf(error) })
      response.destroy()
    })
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES })
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void upgrade(request, { socket, head }, { sockets, signal })
  })
  const port = await listen(http, options)
  const close = async () => {
    await egresses?.close()
    rooms.close()
    await webhooks.drain(DRAIN_TIMEOUT_MS)
    for (const client of sockets.clients) client.terminate()
    await closeHttp(http)
  }
  await egresses?.recover().catch(async (error: unknown) => {
    await close()
    throw error
  })

  return { url: `http://${options.host}:${port}`, port, close }
}

function handlerOf(
  { rooms, egresses, handlers = new Map() }: MediaServerParts,
  signal: SignalRouteOptions,
): Handler {
  const { apiKeys, log } = signal
  const routes = twirpRoutesOf({
    RoomService: roomService(rooms),
    Egress: egressService(recordableRooms(rooms), egresses),
  })
  return async (request, response) => {
    const path = pathOf(request)
    if (request.method === 'OPTIONS') return sendPreflight(request, response)
    if (path.startsWith('/twirp/')) {
      return serveTwirp(request, response, { routes, apiKeys, log })
    }
    if (path === '/') return sendText(response, 200, 'OK')
    if (path === '/rtc/validate') return validate(request, response, signal)
    const handler = handlers.get(path)
    if (handler !== undefined) return handler(request, response)
    // Without the newer signalling of /rtc/v1, clients fall back to /rtc on exactly this answer.
    return sendText(response, 404, 'not found')
  }
}

async function validate(
  request: IncomingMessage,
  response: ServerResponse,
  signal: SignalRouteOptions,
): Promise<void> {
  try {
    await admit(request, signal)
    sendText(response, 200, 'success')
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error
    sendText(response, error.status, error.message)
  }
}

async function upgrade(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  { sockets, signal }: { sockets: WebSocketServer; signal: SignalRouteOptions },
): Promise<void> {
  try {
    if (pathOf(request) !== '/rtc') throw new HttpRefusal(404, 'not found')
    const admission = await admit(request, signal)
    sockets.handleUpgrade(request, socket, head, (ws) => connect(admission, ws, signal))
  } catch (error) {
    if (error instanceof HttpRefusal) return refuseUpgrade(socket, error)
    signal.log({ level: 'error', msg: 'join failed', reason: reasonOf(error) })
    refuseUpgrade(socket, new HttpRefusal(500, 'internal error'))
  }
}
