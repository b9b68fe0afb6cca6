import type { Pause } from './pause.ts'
import { LOST, type Refusal } from './refusal.ts'
import type { TicketKeeper } from './ticket-keeper.ts'

/** The pauses before new connections, after the provider's own attempts have failed. */
const DELAYS_MS = [500, 2_000, 5_000, 10_000]
/** The pause after that, while the service cannot be reached. */
const PAUSE_MS = 10_000

interface Recovery {
  pause: Pause
  tickets: TicketKeeper
  /** False once the visit has ended. */
  isWanted(): boolean
  /** True for a person who was not in the room yet. They give up by themselves. */
  isPatient(): boolean
  /** Opens a new media connection. False if it does not come up. */
  reconnect(): Promise<boolean>
}

/**
 * Opens a new media connection after sleep, a phone call or a change of network. It waits for an unreachable service
 * as long as the ticket is valid, and tries failing media a few times, or until a person who enters gives up. Returns the reason if the visit ends, and
 * undefined if it continues or has ended already.
 */
export async function recover(recovery: Recovery): Promise<Refusal | undefined> {
  const { pause, tickets } = recovery
  let failures = 0
  for (let tries = 0; recovery.isPatient() || failures < DELAYS_MS.length; tries += 1) {
    await pause.wait(DELAYS_MS[tries] ?? PAUSE_MS)
    if (!recovery.isWanted()) return undefined

    const answer = await tickets.renew()
    if (!recovery.isWanted()) return undefined
    if (!answer.ok && answer.refusal.page !== 'unavailable') {
      return answer.refusal.page === 'bad-link' ? LOST : answer.refusal
    }
    if (!answer.ok && tickets.isOver) return LOST
    if (answer.ok && (await recovery.reconnect())) return undefined
    if (answer.ok) failures += 1
  }
  return recovery.isWanted() ? LOST : undefined
}

/** The reason why a visit ended. Undefined if the service knows none, or cannot be reached. */
export async function whyEnded(tickets: TicketKeeper): Promise<Refusal | undefined> {
  const answer = await tickets.renew()
  const isKnown =
    !answer.ok && ['banned', 'closed', 'elsewhere', 'over'].includes(answer.refusal.page)
  return isKnown ? answer.refusal : undefined
}
