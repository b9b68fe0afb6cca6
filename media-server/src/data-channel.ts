import type { RTCDataChannel } from 'werift'

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
  #waiting: Buffer[] = []
  #waitingBytes = 0

  constructor(channel: RTCDataChannel) {
    this.#channel = channel
    this.#isReliable = kindOfLabel(channel.label) === 'reliable'
    channel.stateChange.subscribe((state) => {
      if (state === 'open') this.#flush()
    })
  }

  send(payload: Buffer): void {
    const { readyState, bufferedAmount } = this.#channel
    if (readyState === 'open') {
      if (this.#isReliable || bufferedAmount < LOSSY_BUFFER_MAX_BYTES) this.#channel.send(payload)
      return
    }
    if (!this.#isReliable || readyState !== 'connecting') return
    if (this.#waitingBytes + payload.length > WAITING_BYTES_MAX) return
    this.#waiting.push(payload)
    this.#waitingBytes += payload.length
  }

  #flush(): void {
    for (const payload of this.#waiting) this.#channel.send(payload)
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
