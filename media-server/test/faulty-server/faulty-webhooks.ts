import { type EventContent, WebhookSender } from '../../src/api/webhooks.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Faults } from './faults.ts'

/** Drops, doubles and delays events where a fault asks for it. */
export class FaultyWebhooks extends WebhookSender {
  readonly #faults: Faults

  constructor(target: ConstructorParameters<typeof WebhookSender>[0], log: Log, faults: Faults) {
    super(target, log)
    this.#faults = faults
  }

  override send(key: string, content: EventContent): void {
    const fault = this.#faults.takeWebhook(content.event)
    if (fault === undefined) return super.send(key, content)
    if (fault.action === 'drop') return
    const times = fault.action === 'double' ? 2 : 1
    for (let time = 0; time < times; time++) {
      // Events sent meanwhile overtake a delayed one.
      if (fault.delayMs === 0) super.send(key, content)
      else setTimeout(() => super.send(key, content), fault.delayMs).unref()
    }
  }
}
