import { SignalRequest, SignalResponse } from '@livekit/protocol'
import type { WebSocket } from 'ws'
import { type Log, reasonOf } from './log.ts'

export type SignalMessage = SignalResponse['message']
export type SignalDemand = SignalRequest['message']

const PING_INTERVAL_MS = 10_000
const MISSED_PONGS_MAX = 2
const GOING_AWAY = 1000

/** One WebSocket with a client: one binary message is one protobuf message. */
export class SignalSocket {
  onDemand: (demand: SignalDemand) => void = () => {}
  onClose: () => void = () => {}
  readonly #socket: WebSocket
  readonly #pingTimer: NodeJS.Timeout
  #missedPongs = 0

  constructor(socket: WebSocket, log: Log) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      const demand = decode(data as Buffer, isBinary, log)
      if (demand !== undefined) this.onDemand(demand)
    })
    socket.on('close', () => {
      clearInterval(this.#pingTimer)
      this.onClose()
    })
    socket.on('error', (error) => {
      log({ level: 'warn', msg: 'signal socket failed', reason: reasonOf(error) })
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

  close(): void {
    this.#socket.close(GOING_AWAY)
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
    log({ level: 'warn', msg: 'signal message not understood', reason: reasonOf(error) })
    return undefined
  }
}
