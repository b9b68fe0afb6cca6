import type { RTCDataChannel } from 'werift'
import { type Log, reasonOf } from '../lib/log.ts'

export type DataKind = 'reliable' | 'lossy'

const WAITING_BYTES_MAX = 4 * 1024 * 1024
const LOSSY_BUFFER_MAX_BYTES = 512 * 1024

/** The kind of a channel by its label; undefined for labels we do not serve. */
export function kindOfLabel(label: string): DataKind | undefined {
  if (label === '_reliable') return 'reliable'
  return label === '_lossy' ? 'lossy' : undefined
}

/** A channel to a client. What must not be lost waits until the channel is open. */
export class OutboundChannel {
  readonly #channel: RTCDataChannel
  readonly #isReliable: boolean
  readonly #log: Log
  #waiting: Buffer[] = []
  #waitingBytes = 0

  constructor(channel: RTCDataChannel, log: Log) {
    this.#channel = channel
    this.#log = log
    this.#isReliable = kindOfLabel(channel.label) === 'reliable'
    channel.stateChange.subscribe((state) => {
      if (state === 'open') this.#flush()
    })
  }

  send(payload: Buffer): void {
    const { readyState } = this.#channel
    if (readyState === 'open') this.#sendNow(payload)
    else if (readyState === 'connecting' && this.#isReliable) this.#keep(payload)
  }

  #sendNow(payload: Buffer): void {
    if (!this.#isReliable && this.#channel.bufferedAmount >= LOSSY_BUFFER_MAX_BYTES) return
    try {
      this.#channel.send(payload)
    } catch (error) {
      // The connection of one receiver is ending; the others of the same message must not suffer.
      this.#log({ level: 'warn', msg: 'sending data failed', reason: reasonOf(error) })
    }
  }

  #keep(payload: Buffer): void {
    if (this.#waitingBytes + payload.length > WAITING_BYTES_MAX) {
      this.#log({ level: 'warn', msg: 'data dropped before the channel opened' })
      return
    }
    this.#waiting.push(payload)
    this.#waitingBytes += payload.length
  }

  #flush(): void {
    for (const payload of this.#waiting) this.#sendNow(payload)
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
