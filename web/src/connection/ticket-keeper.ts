import type { TicketBody } from '@interview-room/contract/live-entry.ts'
import type { Answer, LiveApi } from './live-api.ts'

const RETRY_MS = 10_000
const MIN_DELAY_MS = 1_000
const REPORT_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000]

type Ticket = Pick<TicketBody, 'ticket' | 'ticket_expires_at' | 'media'>

/** Two thirds of what is left of the ticket's life, so that two more tries fit before its end. */
function renewalDelayMs(expiresAt: Date, nowMs: number): number {
  return Math.max(MIN_DELAY_MS, ((expiresAt.getTime() - nowMs) * 2) / 3)
}

/** Holds the room ticket and the media access, and renews them while the call is up. */
export class TicketKeeper {
  readonly #api: LiveApi
  #ticket: Ticket
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(api: LiveApi, ticket: Ticket) {
    this.#api = api
    this.#ticket = ticket
    this.#renewIn(renewalDelayMs(new Date(ticket.ticket_expires_at), Date.now()))
  }

  get media() {
    return this.#ticket.media
  }

  /** Nothing can be renewed with it any more. */
  get isOver(): boolean {
    return Date.parse(this.#ticket.ticket_expires_at) < Date.now()
  }

  get ticket(): string {
    return this.#ticket.ticket
  }

  /** A fresh ticket that came unasked, by the live stream. */
  take(ticket: Ticket): void {
    this.#ticket = ticket
    this.#renewIn(renewalDelayMs(new Date(ticket.ticket_expires_at), Date.now()))
  }

  /** For callers that have to connect again; meanwhile the keeper renews automatically. */
  renew(): Promise<Answer<TicketBody>> {
    return this.#renew(false)
  }

  async #renew(isConnected: boolean): Promise<Answer<TicketBody>> {
    const answer = await this.#api.renew(this.#ticket.ticket, isConnected)
    if (answer.ok) this.#ticket = answer.data
    return answer
  }

  /** Reports to the service that media is connected; its own observation of the provider is the second way. */
  async reportConnected(mediaSid: string): Promise<void> {
    for (const delayMs of REPORT_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (await this.#api.reportConnected(this.#ticket.ticket, mediaSid)) return
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #renewIn(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#keep(), delayMs)
  }

  async #keep(): Promise<void> {
    const answer = await this.#renew(true)
    const expiresAt = new Date(this.#ticket.ticket_expires_at)
    // A refusal is not acted on here: a banned or removed person is disconnected as well.
    this.#renewIn(answer.ok ? renewalDelayMs(expiresAt, Date.now()) : RETRY_MS)
  }
}
