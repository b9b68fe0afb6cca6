import { Ping, SignalRequest, SignalResponse } from '@livekit/protocol'
import { WebSocket } from 'ws'
import { AwakeClock } from '../lib/awake-clock.ts'
import { type Log, reasonOf } from '../lib/log.ts'

export type SignalMessage = SignalResponse['message']
export type SignalDemand = SignalRequest['message']

/** The server does not let us in; the status is that of its HTTP answer. */
export class SignalRefusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the server refused the recorder with HTTP status ${status}`)
    this.status = status
  }
}

export interface SignalHooks {
  onMessage: (message: SignalMessage) => void
  /** Not called for a close of our own. */
  onClose: () => void
}

interface SignalOptions {
  token: string
  query: Readonly<Record<string, string>>
  hooks: SignalHooks
  log: Log
}

const PROTOCOL = '16'
const OPEN_TIMEOUT_MS = 5000
const PING_INTERVAL_MS = 1000
// An open connection without any message for so long, answers to pings included, is gone.
const SILENT_MS = 4000

/** The client's end of the signalling: one binary message is one protobuf message. */
export class SignalConnection {
  readonly #socket: WebSocket
  readonly #awake = new AwakeClock()
  #timer: NodeJS.Timeout | undefined
  #hooks: SignalHooks | undefined
  #heardAtMs = 0

  /** Rejects with SignalRefusal, or with why the server was not reached; messages may come before. */
  readonly opened: Promise<void>

  constructor(url: string, { token, query, hooks, log }: SignalOptions) {
    const search = new URLSearchParams({ protocol: PROTOCOL, sdk: 'unknown', ...query })
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/rtc?${search}`, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: OPEN_TIMEOUT_MS,
    })
    this.opened = opening(socket)
    this.#socket = socket
    this.#hooks = hooks
    socket.on('open', () => this.#watch())
    socket.on('message', (data: Buffer) => {
      this.#heardAtMs = this.#awake.nowMs
      const message = decode(data, log)
      if (message !== undefined) this.#hooks?.onMessage(message)
    })
    // Reported by the promise above, or followed by the close.
    socket.on('error', () => {})
    socket.on('close', () => this.#end())
  }

  send(message: SignalDemand): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(new SignalRequest({ message }).toBinary())
  }

  close(): void {
    this.#hooks = undefined
    clearInterval(this.#timer)
    this.#socket.close()
    // A server that does not answer must not hold the socket.
    setTimeout(() => this.#socket.terminate(), PING_INTERVAL_MS).unref()
  }

  #watch(): void {
    this.#awake.tick()
    this.#heardAtMs = this.#awake.nowMs
    this.#timer = setInterval(() => this.#ping(), PING_INTERVAL_MS).unref()
  }

  #ping(): void {
    this.#awake.tick()
    const { nowMs, wokeAtMs } = this.#awake
    if (nowMs - Math.max(this.#heardAtMs, wokeAtMs) > SILENT_MS) {
      this.#socket.terminate()
      return this.#end()
    }
    this.send({ case: 'pingReq', value: new Ping({ timestamp: BigInt(Date.now()) }) })
  }

  #end(): void {
    clearInterval(this.#timer)
    const hooks = this.#hooks
    this.#hooks = undefined
    hooks?.onClose()
  }
}

function opening(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      reject(new SignalRefusal(response.statusCode ?? 0))
      socket.terminate()
    })
  })
}

function decode(data: Buffer, log: Log): SignalMessage | undefined {
  try {
    return SignalResponse.fromBinary(data).message
  } catch (error) {
    log({ level: 'warn', msg: 'invalid signal message', reason: reasonOf(error) })
    return undefined
  }
}
