import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { listenFor } from '../jobs/wake-up.ts'
import { ATTEMPTS_MAX, nextPauseSec, nextProbeSec } from './schedule.ts'
import { createSender, type Sender, type SendOutcome } from './send-webhook.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  type Ending,
  finishDelivery,
  listSecrets,
  lockFailures,
  markEndpointFailing,
  markEndpointGone,
  markEndpointWell,
} from './store.ts'

type DeliveryDeps = Pick<Deps, 'db' | 'secretBox' | 'config' | 'log'>

export interface DeliveryWorker {
  /** Claims no more and waits for the attempts under way, at most 15 s each. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
const IN_FLIGHT_MAX = 32

/** Sends what is due until stopped. Any number of processes may do so on one database. */
export function startDeliveryWorker(deps: DeliveryDeps): DeliveryWorker {
  const { db, config, log } = deps
  const sender = createSender({ allowPrivate: config.webhooks.allowPrivateTargets })
  const hints = listenFor(db, 'webhook_deliveries', log)
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function fill(): Promise<number> {
    const claimed = await claimDeliveries(db, IN_FLIGHT_MAX - inFlight.size)
    for (const delivery of claimed) {
      const attempt = deliver(deps, sender, delivery)
        // The lease returns what could not be written down.
        .catch((error: unknown) => log.warn({ err: error }, 'webhook attempt not recorded'))
        .finally(() => {
          inFlight.delete(attempt)
          hints.now()
        })
      inFlight.add(attempt)
    }
    return claimed.length
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claimed = await fill().catch((error: unknown) => {
        log.warn({ err: error }, 'webhook deliveries cannot be claimed')
        return 0
      })
      if (claimed === 0) await hints.wait(POLL_MS)
    }
  }

  const looping = loop()
  return {
    async stop() {
      stopping.abort()
      await hints.stop()
      await looping
      await Promise.allSettled(inFlight)
      await sender.close()
    },
  }
}

/** One attempt, and what follows from it in one transaction. */
async function deliver(
  { db, secretBox, log }: DeliveryDeps,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<void> {
  const secrets = await listSecrets(db, delivery.endpointId)
  const startedAt = new Date()
  const start = performance.now()
  const outcome = await sender.send({
    id: delivery.eventId,
    timestampSec: Math.floor(startedAt.getTime() / 1000),
    body: delivery.body,
    url: delivery.url,
    traceparent: delivery.traceparent,
    secrets: secrets.map((sealed) => secretBox.open(sealed)),
    now: startedAt,
  })
  const attempt: Attempt = {
    startedAt,
    durationMs: Math.round(performance.now() - start),
    status: outcome.status,
    errorClass: outcome.kind === 'failed' ? outcome.errorClass : null,
  }
  log.info(
    { event: delivery.eventId, endpoint: delivery.endpointId, n: delivery.attempt + 1, ...attempt },
    'webhook attempt',
  )
  await inTransaction(db, (tx) => record(tx, delivery, { attempt, outcome }))
}

async function record(
  tx: Tx,
  delivery: ClaimedDelivery,
  { attempt, outcome }: { attempt: Attempt; outcome: SendOutcome },
): Promise<void> {
  const { endpointId, isProbe } = delivery
  const failuresBefore = await lockFailures(tx, endpointId)
  const ending = endingOf(delivery, outcome)
  const isOurs = await finishDelivery(tx, delivery, { attempt, ending })
  if (!isOurs) return

  if (outcome.kind === 'accepted') {
    await markEndpointWell(tx, { endpointId, wasOpen: isProbe })
    return
  }
  if (outcome.kind === 'gone') {
    await markEndpointGone(tx, endpointId)
    return
  }
  const failures = failuresBefore + 1
  const probeSec = nextProbeSec(failures)
  await markEndpointFailing(tx, {
    endpointId,
    failures,
    nextProbeAt: probeSec === undefined ? null : inSeconds(probeSec),
  })
}

/** A probe spends no attempt, and neither does a receiver that is gone. */
function endingOf({ attempt, isProbe }: ClaimedDelivery, outcome: SendOutcome): Ending {
  const made = attempt + 1
  if (outcome.kind === 'accepted') return { state: 'succeeded', attempt: made, dueAt: new Date() }
  if (isProbe || outcome.kind === 'gone') return { state: 'pending', attempt, dueAt: new Date() }
  const pauseSec = nextPauseSec(made, {
    random: Math.random(),
    ...(outcome.retryAfterSec === undefined ? {} : { retryAfterSec: outcome.retryAfterSec }),
  })
  if (pauseSec === undefined) return { state: 'failed', attempt: ATTEMPTS_MAX, dueAt: new Date() }
  return { state: 'pending', attempt: made, dueAt: inSeconds(pauseSec) }
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}
