import type { Deps } from '../platform/ports/deps.ts'
import { tenantMustExist } from '../platform/tenants/manage-tenants.ts'
import type { Endpoint } from '../platform/webhooks/endpoint-store.ts'
import {
  countRedelivery,
  deliveriesOf,
  endpointOf,
  endpointsOf,
  type Outcome,
  pauseWebhooks,
  redeliverEvent,
  removeWebhooks,
  resumeWebhooks,
  skipWebhook,
  testWebhooks,
} from '../platform/webhooks/manage-webhooks.ts'
import {
  cancelReplay,
  type Replay,
  replaysOf,
  startReplay,
} from '../platform/webhooks/replay-webhooks.ts'
import { rotateSecret, setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { Command } from './command.ts'
import type { Options } from './options.ts'

const LIMIT_DEFAULT = 50

/** The endpoint that the option names, else the tenant's only one. */
async function endpointMustExist(deps: Pick<Deps, 'db'>, options: Options): Promise<Endpoint> {
  const tenantId = options.uuid('tenant')
  await tenantMustExist(deps.db, tenantId)
  const id = options.optional('endpoint')
  const endpoint =
    id === undefined
      ? await endpointOf(deps, tenantId)
      : (await endpointsOf(deps, tenantId)).find((one) => one.id === id)
  if (endpoint === undefined) {
    throw new CommandError(
      id === undefined
        ? 'the tenant has no webhook endpoint; `webhooks set` makes one'
        : `the tenant has no webhook endpoint ${id}; \`webhooks list\` shows them`,
    )
  }
  if (endpoint.state === 'disabled') {
    throw new CommandError('the webhook endpoint was removed; `webhooks set` makes a new one')
  }
  return endpoint
}

/** The receiver's answer, or the reason why there was no attempt. */
function describeOutcome(outcome: Outcome) {
  if (outcome === undefined) {
    return { outcome: 'no attempt: is a worker running, and the endpoint not paused?' }
  }
  const { eventId, status, errorClass, durationMs } = outcome
  return {
    event_id: eventId,
    outcome: errorClass === null ? 'accepted' : errorClass,
    status,
    duration_ms: durationMs,
  }
}

export const WEBHOOK_COMMANDS: Record<string, Command> = {
  set: {
    needs: ['--tenant <id>', '--url <address>'],
    takes: ['--endpoint <id>'],
    summary:
      'Send the webhooks of a tenant there, in place of its endpoint (or the named one) and secret if it has one; shows the new secret this once.',
    usesSecretsKey: true,
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const url = options.required('url')
      await tenantMustExist(deps.db, tenantId)
      const isNamed = options.optional('endpoint') !== undefined
      const endpointId = isNamed ? (await endpointMustExist(deps, options)).id : undefined
      const set = await setEndpoint(deps, { tenantId, url, endpointId })
      const { secret, replaced } = set
      return {
        endpoint_id: set.endpointId,
        url,
        secret,
        replaced: replaced === undefined ? null : { url: replaced.url, secret: 'ended' },
      }
    },
  },
  list: {
    needs: ['--tenant <id>'],
    summary: 'The endpoints of a tenant and how they are doing.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(deps.db, tenantId)
      const endpoints = await endpointsOf(deps, tenantId)
      return endpoints.map((endpoint) => ({
        endpoint_id: endpoint.id,
        url: endpoint.url,
        event_types: endpoint.eventTypes ?? 'all',
        state: endpoint.state,
        consecutive_failures: endpoint.consecutiveFailures,
        next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
      }))
    },
  },
  rotate: {
    needs: ['--tenant <id>'],
    takes: ['--endpoint <id>', '--end-old'],
    summary:
      'A new secret beside the old one, which still signs for a day; or ends immediately, as after a leak.',
    usesSecretsKey: true,
    async run(deps, options) {
      const { id: endpointId } = await endpointMustExist(deps, options)
      const rotation = { endpointId, now: deps.clock(), isOldEnded: options.flag('end-old') }
      const { secret, oldEndAt } = await rotateSecret(deps, rotation)
      const issued = { endpoint_id: endpointId, secret }
      return { ...issued, previous_secrets_expire_at: oldEndAt.toISOString() }
    },
  },
  test: {
    needs: ['--tenant <id>'],
    takes: ['--endpoint <id>'],
    summary: 'Send an event of type webhook.test immediately; shows what the receiver answers.',
    async run(deps, options) {
      return describeOutcome(await testWebhooks(deps, await endpointMustExist(deps, options)))
    },
  },
  pause: {
    needs: ['--tenant <id>'],
    takes: ['--endpoint <id>'],
    summary: 'Send nothing until resumed; what happens meanwhile waits.',
    async run(deps, options) {
      return pauseWebhooks(deps, await endpointMustExist(deps, options))
    },
  },
  resume: {
    needs: ['--tenant <id>'],
    takes: ['--endpoint <id>'],
    summary: 'Send what waits immediately, also after failures; shows the first answer.',
    async run(deps, options) {
      const resumed = await resumeWebhooks(deps, await endpointMustExist(deps, options))
      const { pending, outcome } = resumed
      return { pending, ...(pending > 0 && describeOutcome(outcome)) }
    },
  },
  remove: {
    needs: ['--tenant <id>'],
    takes: ['--endpoint <id>'],
    summary: 'Send nothing there any more, and cancel what waits.',
    async run(deps, options) {
      return removeWebhooks(deps, await endpointMustExist(deps, options))
    },
  },
  skip: {
    needs: ['--tenant <id>', '--event <id>'],
    takes: ['--endpoint <id>'],
    summary: 'Give up an event; those that wait for it are sent.',
    async run(deps, options) {
      const { id: endpointId } = await endpointMustExist(deps, options)
      const eventId = options.required('event')
      if (!(await skipWebhook(deps, { endpointId, eventId }))) {
        throw new CommandError(`no delivery of ${eventId} is pending`)
      }
      return { event_id: eventId, state: 'cancelled' }
    },
  },
  deliveries: {
    needs: ['--tenant <id>'],
    takes: ['--limit <n>'],
    summary: 'The latest deliveries, the newest first.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(deps.db, tenantId)
      const limit = options.count('limit', LIMIT_DEFAULT)
      const deliveries = await deliveriesOf(deps, { tenantId, limit })
      return deliveries.map((delivery) => ({
        event_id: delivery.eventId,
        type: delivery.type,
        state: delivery.state,
        attempts: delivery.attempt,
        last_status: delivery.lastStatus,
        last_error: delivery.lastError,
        created_at: delivery.createdAt.toISOString(),
        due_at: delivery.dueAt?.toISOString() ?? null,
        is_parked: delivery.isParked,
      }))
    },
  },
  redeliver: {
    needs: ['--tenant <id>'],
    takes: [
      '--endpoint <id>',
      '--event <id>',
      '--since <date>',
      '--until <date>',
      '--type <type>',
      '--dry-run',
    ],
    summary: 'Send events again, with the same id and bytes.',
    async run(deps, options) {
      const eventId = options.optional('event')
      const [since, until] = options.period('since', 'until')
      const type = options.optional('type')
      if ((eventId === undefined) === (since === undefined)) {
        throw new UsageError('give either --event or --since')
      }
      if (eventId !== undefined && (until !== undefined || type !== undefined)) {
        throw new UsageError('--until and --type go with --since')
      }
      const endpoint = await endpointMustExist(deps, options)
      const { tenantId } = endpoint
      const wanted = { tenantId, eventId, type, since, until }
      if (options.flag('dry-run')) {
        const count = await countRedelivery(deps, wanted, endpoint)
        if (count === 0 && eventId !== undefined) throw unknownEvent(eventId)
        return { would_be_queued: count }
      }
      if (since !== undefined) {
        return describeReplay(await startReplay(deps, { ...wanted, since }, endpoint))
      }
      const redelivered = await redeliverEvent(
        deps,
        { ...wanted, eventId: eventId ?? '' },
        endpoint,
      )
      if (redelivered === undefined) throw unknownEvent(eventId)
      return { queued: 1, ...describeOutcome(redelivered.outcome) }
    },
  },
  replays: {
    needs: ['--tenant <id>'],
    takes: ['--limit <n>'],
    summary: 'The latest redeliveries of a period and how far they are, the newest first.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(deps.db, tenantId)
      const limit = options.count('limit', LIMIT_DEFAULT)
      return (await replaysOf(deps, { tenantId, limit })).map(describeReplay)
    },
  },
  'cancel-replay': {
    needs: ['--tenant <id>', '--replay <id>'],
    summary: 'Queue no more events of a redelivery; what was queued is sent.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const id = options.uuid('replay')
      const replay = await cancelReplay(deps, { tenantId, id })
      if (replay === undefined) throw new CommandError(`the tenant has no replay ${id}`)
      return describeReplay(replay)
    },
  },
}

function unknownEvent(eventId: string | undefined): CommandError {
  return new CommandError(`the tenant has no webhook event ${eventId} of the last 30 days`)
}

function describeReplay({ id, endpointId, state, events, queued, createdAt }: Replay) {
  return {
    replay_id: id,
    endpoint_id: endpointId,
    state,
    events,
    queued,
    created_at: createdAt.toISOString(),
  }
}
