import { type Log, reasonOf } from '../../src/lib/log.ts'
import { CLEAR_NETWORK, NetworkDirection, type NetworkSettings } from './emulated-network.ts'

/** The used part of the library's UDP transport. */
interface UdpTransport {
  type: 'udp'
  closed: boolean
  onData: (data: Buffer, address: unknown) => void
  send: (data: Buffer, address?: unknown) => Promise<void>
}

interface DelayedPacket {
  atMs: number
  deliver: () => void
}

const UPWARD_SEED = 1
const DOWNWARD_SEED = 2

/** The network of one participant: all packets of its peer connections pass through it. */
export class EmulatedNetwork {
  readonly #settingsNow: () => NetworkSettings | undefined
  readonly #log: Log
  readonly #attached = new WeakSet<UdpTransport>()
  readonly #up = new Direction(UPWARD_SEED)
  readonly #down = new Direction(DOWNWARD_SEED)

  /** `settingsNow` is asked for every packet, so that settings change during a connection. */
  constructor(settingsNow: () => NetworkSettings | undefined, log: Log) {
    this.#settingsNow = settingsNow
    this.#log = log
  }

  /**
   * Puts the emulated network between the sockets of a connection and the library. The socket's own transport is
   * the one place that every packet passes, the checks of ICE included, and both of its ends are
   * properties that the library sets itself: nothing of its classes is replaced.
   */
  attach(connection: object): void {
    const { protocols } = connection as { protocols: readonly { transport?: UdpTransport }[] }
    for (const { transport } of protocols) {
      if (transport?.type !== 'udp' || this.#attached.has(transport)) continue
      this.#attached.add(transport)
      this.#wrap(transport)
    }
  }

  #wrap(transport: UdpTransport): void {
    const receive = transport.onData
    const send = transport.send
    transport.onData = (data, address) => {
      this.#carry(this.#up, data, () => {
        if (!transport.closed) receive(data, address)
      })
    }
    transport.send = (data, address) => {
      this.#carry(this.#down, data, () => {
        // A socket that closes meanwhile: its connection is being ended.
        if (!transport.closed) void send(data, address).catch(() => undefined)
      })
      return Promise.resolve()
    }
  }

  #carry(direction: Direction, data: Buffer, deliver: () => void): void {
    direction.carry(data.length, this.#settingsNow(), () => {
      try {
        deliver()
      } catch (error) {
        this.#log({ level: 'error', msg: 'packet handling failed', reason: reasonOf(error) })
      }
    })
  }
}

/** Holds the packets of one direction back until they have arrived. */
class Direction {
  readonly #direction: NetworkDirection
  readonly #waiting: DelayedPacket[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(seed: number) {
    this.#direction = new NetworkDirection(seed)
  }

  carry(sizeBytes: number, settings: NetworkSettings | undefined, deliver: () => void): void {
    // After the emulation ends, packets that it still holds come first.
    if (settings === undefined && this.#waiting.length === 0) return deliver()
    const nowMs = performance.now()
    const atMs = this.#direction.arrivalOf(sizeBytes, settings ?? CLEAR_NETWORK, nowMs)
    if (atMs === undefined) return
    if (atMs <= nowMs && this.#waiting.length === 0) return deliver()
    this.#waiting.push({ atMs, deliver })
    this.#schedule(nowMs)
  }

  #schedule(nowMs: number): void {
    const [next] = this.#waiting
    if (next === undefined || this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#deliverDue(), Math.ceil(next.atMs - nowMs)).unref()
  }

  #deliverDue(): void {
    this.#timer = undefined
    const nowMs = performance.now()
    while (this.#waiting[0] !== undefined && this.#waiting[0].atMs <= nowMs) {
      this.#waiting.shift()?.deliver()
    }
    this.#schedule(nowMs)
  }
}
