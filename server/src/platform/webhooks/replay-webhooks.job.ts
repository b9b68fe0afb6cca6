import type { Job } from '../jobs/job.ts'
import type { Deps } from '../ports/deps.ts'
import { continueReplay, REPLAY_WEBHOOKS } from './replay-webhooks.ts'

/** Pause while enough deliveries wait. */
const WAIT_SEC = 0.5
/** Pause while the endpoint gets nothing. */
const REST_SEC = 15

/** Adds the deliveries of a replay, a page after the other, as fast as the receiver takes them. */
export function replayWebhooksJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: REPLAY_WEBHOOKS,
    async run({ key, signal }) {
      for (;;) {
        signal.throwIfAborted()
        const progress = await continueReplay({ db }, key)
        if (progress === 'ended') return { outcome: 'done' }
        if (progress === 'added') continue
        const pauseSec = progress === 'waiting' ? WAIT_SEC : REST_SEC
        return { outcome: 'again', at: new Date(clock().getTime() + pauseSec * 1000) }
      }
    },
  }
}
