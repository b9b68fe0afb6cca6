import { inTransaction, type Tx } from '../db/db.ts'
import { onceAvailable } from '../db/once-available.ts'
import { claimUntilStopped } from '../jobs/claim-loop.ts'
import { listenFor } from '../jobs/wake-up.ts'
import { createPace, type Pace } from '../lib/pace.ts'
import { settlesWithin } from '../lib/settles-within.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  type Ending,
  finishDelivery,
} from './delivery-store.ts'
import {
  type Health,
  listSecrets,
  lockHealth,
  markEndpointAnswering,
  markEndpointFailing,
  markEndpointGone,
} from './endpoint-store.ts'
import {
  ATTEMPTS_MAX,
  BREAKER_OPENS_AT,
  nextPauseSec,
  nextProbeSec,
  PARKED_AFTER,
  PROBE_MAX_SEC,
} from './schedule.ts'
import { createSender, type Sender, type SendOutcome } from './send-webhook.ts'
import { traceAttempt } from './trace-attempt.ts'

type DeliveryDeps = Pick<
  Deps,
  'db' | 'secretBox' | 'config' | 'clock' | 'log' | 'metrics' | 'tracer' | 'stopping'
>

export interface DeliveryWorker {
  /** Claims no more until `resume`, and waits for the attempts under way. */
  pause(): Promise<void>
  resume(): void
  /**
   * Claims no more and waits up to 14 s for the attempts under way; those that are cut off are made
   * again after their leases. Takes at most 16 s, whatever the database does.
   */
  stop(): Promise<void>
}

/** Grace for attempts under way. */
const STOP_MS = 14_000
/** Grace for a statement under way. */
const STATEMENT_MS = 2_000
/**
 * Attempts under way in one process. A claimed delivery that waits here keeps its endpoint from its turn, and is made twice if its
 * lease ends meanwhile or its result cannot be stored.
 */
const IN_FLIGHT = { first: 64, max: 256, min: 16, ownMs: 500 } as const
/** The share of the attempts for endpoints that answer slowly, or not at all. */
const SLOW_SHARE = 1 / 4
/** Log messages for a change of an endpoint. */
const FAILS = 'webhook endpoint failing'
const IS_GONE = 'webhook endpoint is gone'
/** From this duration on, a receiver counts as slow. */
const SLOW_FROM_MS = 2_000

/** Sends what is due until stopped. Any number of processes may do so on one database. */
export function startDeliveryWorker(deps: DeliveryDeps): DeliveryWorker {
  const { db, config, log } = deps
  const sender = createSender(config.webhooks.targets)
  const hints = listenFor(db, 'webhook_deliveries')
  const inFlight = new Set<Promise<void>>()
  const pace = createPace(IN_FLIGHT)
  let slowInFlight = 0
  const stopping = new AbortController()
  let isPaused = false
  let filling: Promise<unknown> = Promise.resolve()

  async function fill(): Promise<boolean> {
    const places = pace.places()
    const limit = places - inFlight.size
    const slowFree = Math.floor(places * SLOW_SHARE) - slowInFlight
    const claimed = await claimDeliveries(db, {
      limit,
      slowLimit: Math.min(Math.max(slowFree, 0), limit),
    })
    for (const delivery of claimed) {
      if (delivery.isSlow) slowInFlight += 1
      const attempt = deliverAt(pace, deps, sender, delivery).finally(() => {
        inFlight.delete(attempt)
        if (delivery.isSlow) slowInFlight -= 1
        hints.now()
      })
      inFlight.add(attempt)
    }
    return claimed.length > 0
  }

  const looping = claimUntilStopped({
    stop: stopping.signal,
    hints,
    isFull: () => isPaused || inFlight.size >= pace.places(),
    claim: () => {
      const claim = fill()
      filling = claim
      return claim
    },
    failure: 'claiming webhook deliveries failed',
    log,
  })
  return {
    async pause() {
      isPaused = true
      await Promise.allSettled([filling])
      await Promise.allSettled(inFlight)
    },
    resume() {
      isPaused = false
      hints.now()
    },
    async stop() {
      stopping.abort()
      hints.stop()
      await settlesWithin(looping, STATEMENT_MS)
      await settlesWithin(Promise.allSettled(inFlight), STOP_MS)
      await sender.close()
    },
  }
}

/** Makes one attempt, and notes whether the process keeps up. */
async function deliverAt(
  pace: Pace,
  deps: DeliveryDeps,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<void> {
  const claimedMs = performance.now()
  try {
    const receiverMs = await deliver(deps, sender, delivery)
    pace.note(performance.now() - claimedMs - receiverMs)
  } catch (error) {
    // The lease makes the delivery due again if its result could not be stored.
    pace.note(Number.POSITIVE_INFINITY)
    deps.log.warn({ err: error }, 'storing a webhook attempt failed')
  }
}

/**
 * Makes one attempt, and stores all of its results in one transaction. The log names endpoints that change. Returns the
 * milliseconds of the attempt itself.
 */
async function deliver(
  { db, secretBox, clock, log, metrics, tracer, stopping }: DeliveryDeps,
  sender: Sender,
  delivery: ClaimedDelivery,
): Promise<number> {
  const sealed = await listSecrets(db, delivery.endpointId)
  const startedAt = clock()
  const start = performance.now()
  const message = {
    id: delivery.eventId,
    timestampSec: Math.floor(startedAt.getTime() / 1000),
    body: delivery.body,
    url: delivery.url,
    traceparent: delivery.traceparent,
    secrets: openReadable(secretBox, sealed),
    now: startedAt,
  }
  const outcome = await traceAttempt(tracer, delivery, () => sender.send(message))
  const attempt: Attempt = {
    startedAt,
    durationMs: Math.round(performance.now() - start),
    status: outcome.status,
    errorClass: outcome.kind === 'accepted' ? null : outcome.errorClass,
  }
  log.info(
    { event: delivery.eventId, endpoint: delivery.endpointId, n: delivery.attempt + 1, ...attempt },
    'webhook attempt',
  )
  const made = { attempt, outcome, now: clock() }
  // Not stored, it would be made again after its lease.
  const { ending, change } = await onceAvailable(
    () => inTransaction(db, (tx) => record(tx, delivery, made)),
    stopping,
  )
  const what = { event: delivery.eventId, endpoint: delivery.endpointId, ...attempt }
  metrics.attempts.inc({ outcome: outcome.kind })
  if (change !== undefined) log.warn(what, change)
  if (change === FAILS) metrics.breakersOpened.inc()
  if (change === IS_GONE) metrics.endpointsGone.inc()
  if (ending.state === 'failed') {
    log.error(what, 'webhook given up')
    metrics.deliveriesFailed.inc()
  }
  return attempt.durationMs
}

/**
 * The secrets that SECRETS_KEY can decrypt, in their order. After a lost key, the tenant sets a new secret; the old one, still
 * valid beside it, must not stop that. Throws if none can be decrypted.
 */
function openReadable(
  secretBox: DeliveryDeps['secretBox'],
  sealed: readonly Uint8Array[],
): string[] {
  const problems: unknown[] = []
  const readable = sealed.flatMap((each) => {
    try {
      return secretBox.open(each)
    } catch (problem) {
      problems.push(problem)
      return []
    }
  })
  if (readable.length === 0 && problems.length > 0) throw problems[0]
  return readable
}

interface Made {
  attempt: Attempt
  outcome: SendOutcome
  now: Date
}

interface RecordedAttempt {
  ending: Ending
  /** The change of the endpoint, if an operator should know of it. */
  change: string | undefined
}

async function record(tx: Tx, delivery: ClaimedDelivery, made: Made): Promise<RecordedAttempt> {
  const { attempt, outcome, now } = made
  // The endpoint is locked before the delivery. A change of the endpoint makes deliveries due, also after this lock.
  const health = outcome.kind === 'accepted' ? undefined : await lockHealth(tx, delivery)
  if (outcome.kind !== 'accepted' && health === undefined) {
    // A result of the old address says nothing about the new one.
    const ending = unspent(delivery, now)
    await finishDelivery(tx, delivery, { attempt, ending })
    return { ending, change: undefined }
  }
  const ending = endingOf(delivery, outcome, now)
  const isOurs = await finishDelivery(tx, delivery, { attempt, ending })
  return { ending, change: isOurs ? await judge(tx, delivery, { ...made, health }) : undefined }
}

/** Updates the health of the endpoint at the address that was called. */
async function judge(
  tx: Tx,
  delivery: ClaimedDelivery,
  { attempt, outcome, now, health }: Made & { health: Health | undefined },
): Promise<string | undefined> {
  const { endpointId, url } = delivery
  const isSlow = attempt.durationMs >= SLOW_FROM_MS
  if (outcome.kind === 'gone') {
    return (await markEndpointGone(tx, delivery)) ? IS_GONE : undefined
  }
  if (outcome.kind !== 'failed' || health === undefined) {
    const moreParallel = outcome.status === 429 ? undefined : isSlow ? 0 : 1
    const wasOpen = await markEndpointAnswering(tx, { endpointId, url, isSlow, moreParallel })
    return wasOpen ? 'webhook endpoint answers again' : undefined
  }
  const failing = failingOf(delivery, outcome, health, now)
  await markEndpointFailing(tx, { ...failing, endpointId, isSlow })
  return failing.nextProbeAt !== null && health.nextProbeAt === null ? FAILS : undefined
}

type Failure = Extract<SendOutcome, { kind: 'failed' }>

/**
 * The health of an endpoint after one more failure. While the breaker is open a probe counts once, however many attempts it has;
 * attempts that were under way when it opened add nothing.
 */
function failingOf(
  { eventId, isProbe, probeLeaseUntil }: ClaimedDelivery,
  outcome: Failure,
  health: Health,
  now: Date,
): Health {
  const isOpen = health.nextProbeAt !== null
  const isNews = isProbe && health.nextProbeAt?.getTime() === probeLeaseUntil?.getTime()
  if (isOpen && !isNews) return health
  const failedEvents = health.failedEvents + (health.failedEventId === eventId ? 0 : 1)
  const inARow = health.failures + 1
  const isUnreachable = outcome.status === null
  const opensNow = !isOpen && nextProbeSec({ inARow, events: failedEvents, isUnreachable })
  // The first probe follows soon, even if one event alone had failed for long before.
  const failures = opensNow ? BREAKER_OPENS_AT : inARow
  const probeSec = nextProbeSec({ inARow: failures, events: failedEvents, isUnreachable })
  return {
    failures,
    failedEventId: eventId,
    failedEvents,
    nextProbeAt: probeSec === undefined ? null : addSec(now, probePauseSec(probeSec, outcome)),
  }
}

/** A receiver that asks for more time gets it; one that was repaired is found within a quarter of an hour. */
function probePauseSec(probeSec: number, { retryAfterSec = 0 }: Failure): number {
  return Math.max(probeSec, Math.min(retryAfterSec, PROBE_MAX_SEC))
}

/** The next state of the delivery. A failed probe and a receiver that is gone use up no attempt. */
function endingOf(delivery: ClaimedDelivery, outcome: SendOutcome, now: Date): Ending {
  const { isProbe, isParked } = delivery
  const spent = delivery.attempt + 1
  if (outcome.kind === 'accepted') {
    return { state: 'succeeded', attempt: spent, dueAt: now, isParked }
  }
  if (outcome.kind === 'gone' || (isProbe && outcome.kind === 'failed'))
    return unspent(delivery, now)
  const pauseSec = nextPauseSec(spent, {
    random: Math.random(),
    ...(outcome.retryAfterSec === undefined ? {} : { retryAfterSec: outcome.retryAfterSec }),
  })
  if (pauseSec === undefined)
    return { state: 'failed', attempt: ATTEMPTS_MAX, dueAt: now, isParked }
  return {
    state: 'pending',
    attempt: spent,
    dueAt: addSec(now, pauseSec),
    isParked: isParked || (outcome.status !== null && spent >= PARKED_AFTER),
  }
}

/** The attempt does not count, and another one follows. */
function unspent({ attempt, isParked }: ClaimedDelivery, now: Date): Ending {
  return { state: 'pending', attempt, dueAt: now, isParked }
}

function addSec(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
