import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { WebSocket } from 'ws'
import { type Log, reasonOf } from '../lib/log.ts'

export type SignalMessage = SignalResponse['message']
export type SignalDemand = SignalRequest['message']

const PING_INTERVAL_MS = 10_000
const MISSED_PONGS_MAX = 2
const GOING_AWAY = 1000
const POLICY_VIOLATION = 1008
const TOO_LARGE = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'

/** One WebSocket with a client: one binary message is one protobuf message. */
export class SignalSocket {
  /** True while one more message is taken; asked before a message is decoded. */
  admits: () => boolean = () => true
  onDemand: (demand: SignalDemand) => void = () => {}
  onClose: () => void = () => {}
  /** A message was too large to be read; the socket is being closed for it. */
  onTooLarge: () => void = () => {}
  readonly #socket: WebSocket
  readonly #pingTimer: NodeJS.Timeout
  #missedPongs = 0
  #refusal: string | undefined

  constructor(socket: WebSocket, log: Log) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      if (this.#refusal !== undefined || !this.admits()) return
      const demand = decode(data as Buffer, isBinary, log)
      if (demand !== undefined) this.onDemand(demand)
    })
    socket.on('close', () => {
      clearInterval(this.#pingTimer)
      this.onClose()
    })
    socket.on('error', (error) => {
      log({ level: 'warn', msg: 'signal socket failed', reason: reasonOf(error) })
      if ((error as NodeJS.ErrnoException).code === TOO_LARGE) this.onTooLarge()
    })
    socket.on('pong', () => {
      this.#missedPongs = 0
    })
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS).unref()
  }

  send(message: SignalMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(new SignalResponse({ message }).toBinary())
  }

  /** Nothing more is taken from this client; the close that is to follow says why. */
  refuse(reason: string): void {
    this.#refusal = reason
  }

  close(): void {
    if (this.#refusal === undefined) this.#socket.close(GOING_AWAY)
    else this.#socket.close(POLICY_VIOLATION, this.#refusal)
  }

  #ping(): void {
    if (this.#missedPongs >= MISSED_PONGS_MAX) {
      this.#socket.terminate()
      return
    }
    this.#missedPongs++
    this.#socket.ping()
  }
}

function decode(data: Buffer, isBinary: boolean, log: Log): SignalDemand | undefined {
  try {
    const request = isBinary
      ? SignalRequest.fromBinary(data)
      : SignalRequest.fromJsonString(data.toString('utf8'), { ignoreUnknownFields: true })
    return request.message
  } catch (error) {
    log({ level: 'warn', msg: 'invalid signal message', reason: reasonOf(error) })
    return undefined
  }
}
