import type { Pause } from './pause.ts'
import { LOST, type Refusal } from './refusal.ts'
import type { TicketKeeper } from './ticket-keeper.ts'

/** After the provider's own attempts have failed: waits before each fresh connection. */
const DELAYS_MS = [500, 2_000, 5_000, 10_000]
/** And when they are used up, while the service cannot be reached. */
const PAUSE_MS = 10_000

interface Recovery {
  pause: Pause
  tickets: TicketKeeper
  /** False once the visit is over. */
  isWanted(): boolean
  /** Opens a fresh media connection; false when it does not come up. */
  reconnect(): Promise<boolean>
}

/**
 * Sleep, a phone call, another network: a fresh media connection. While the service cannot be
 * reached it is waited for, as long as the ticket allows; media that fails is tried a few times.
 * Answers why the visit ends, or undefined when it continues or is over already.
 */
export async function recover(recovery: Recovery): Promise<Refusal | undefined> {
  const { pause, tickets } = recovery
  let failures = 0
  for (let tries = 0; failures < DELAYS_MS.length; tries += 1) {
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
