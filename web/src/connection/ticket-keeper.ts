import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import type { Answer, LiveApi } from './live-api.ts'

const RETRY_MS = 10_000
const MIN_DELAY_MS = 1_000
const REPORT_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000]

type Ticket = Pick<TicketBody, 'ticket' | 'ticket_expires_at' | 'media'>

const LIFE_MS = ROOM_TICKET_LIFE_SEC * 1000

/** Two thirds of the ticket's remaining life, so that two more attempts fit before its end. */
function renewalDelayMs(leftMs: number): number {
  return Math.max(MIN_DELAY_MS, (Math.min(leftMs, LIFE_MS) * 2) / 3)
}

/** Holds the room ticket and the media access, and renews them during the call. */
export class TicketKeeper {
  readonly #api: LiveApi
  #ticket: Ticket
  /** The service's clock minus this machine's, which may be wrong by hours. */
  #clockOffsetMs: number
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: LiveApi, ticket: Ticket) {
    this.#api = api
    this.#ticket = ticket
    this.#clockOffsetMs = clockOffsetMs(ticket)
    this.#renewBeforeEnd()
  }

  get media() {
    return this.#ticket.media
  }

  /** The ticket has expired, so it cannot be renewed. */
  get isOver(): boolean {
    return this.#leftMs < 0
  }

  get ticket(): string {
    return this.#ticket.ticket
  }

  /** Takes a new ticket that the live stream brought. */
  take(ticket: Ticket): void {
    this.#ticket = ticket
    this.#renewBeforeEnd()
  }

  /** Renews now, for a caller that has to connect again. The keeper also renews automatically. */
  renew(): Promise<Answer<TicketBody>> {
    return this.#renew(false)
  }

  async #renew(isConnected: boolean): Promise<Answer<TicketBody>> {
    const answer = await this.#api.renew(this.#ticket.ticket, isConnected)
    if (answer.ok) {
      this.#ticket = answer.data
      this.#clockOffsetMs = clockOffsetMs(answer.data)
    }
    return answer
  }

  /**
   * Reports to the service that media is connected. The service's own observation of the provider is the second way.
   */
  async reportConnected(mediaSid: string): Promise<void> {
    for (const delayMs of REPORT_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (await this.#api.reportConnected(this.#ticket.ticket, mediaSid)) return
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  get #leftMs(): number {
    return Date.parse(this.#ticket.ticket_expires_at) - Date.now() - this.#clockOffsetMs
  }

  #renewBeforeEnd(): void {
    this.#renewIn(renewalDelayMs(this.#leftMs))
  }

  #renewIn(delayMs: number): void {
    clearTimeout(this.#timer)
    // The visit may end during a renewal.
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#keep(), delayMs)
  }

  async #keep(): Promise<void> {
    const answer = await this.#renew(true)
    // A refusal has no effect here. A banned or removed person is disconnected as well.
    if (answer.ok) this.#renewBeforeEnd()
    else this.#renewIn(RETRY_MS)
  }
}

/** Computes the offset from a ticket that was just issued for its whole life. */
function clockOffsetMs(ticket: Ticket): number {
  return Date.parse(ticket.ticket_expires_at) - LIFE_MS - Date.now()
}
