import type { Deps } from '../platform/ports/deps.ts'
import { tenantMustExist } from '../platform/tenants/manage-tenants.ts'
import {
  countRedelivery,
  deliveriesOf,
  type Endpoint,
  endpointOf,
  endpointsOf,
  type Outcome,
  pauseWebhooks,
  redeliverWebhooks,
  removeWebhooks,
  resumeWebhooks,
  skipWebhook,
  testWebhooks,
} from '../platform/webhooks/manage-webhooks.ts'
import { rotateSecret, setEndpoint } from '../platform/webhooks/set-endpoint.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { Command } from './command.ts'
import type { Options } from './options.ts'

const LIMIT_DEFAULT = 50

/** The endpoint that is named, else the tenant's only one. */
async function endpointMustExist(deps: Pick<Deps, 'db'>, options: Options): Promise<Endpoint> {
  const tenantId = options.uuid('tenant')
  const id = options.optional('endpoint')
  const endpoint =
    id === undefined
      ? await endpointOf(deps, tenantId)
      : (await endpointsOf(deps, tenantId)).find((one) => one.id === id)
  if (endpoint === undefined) throw new CommandError('the tenant has no webhook endpoint')
  if (endpoint.state === 'disabled') {
    throw new CommandError('the webhook endpoint was removed; `webhooks set` makes a new one')
  }
  return endpoint
}

/** What the receiver answered, or why nobody asked it. */
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
    usage: '--tenant <id> --url <address>',
    summary:
      'Send the webhooks of a tenant there, in place of its endpoint and secret if it has one; shows the new secret this once.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const url = options.required('url')
      await tenantMustExist(deps.db, tenantId)
      const { endpointId, secret, replaced } = await setEndpoint(deps, { tenantId, url })
      return {
        endpoint_id: endpointId,
        url,
        secret,
        replaced: replaced === undefined ? null : { url: replaced.url, secret: 'ended' },
      }
    },
  },
  list: {
    usage: '--tenant <id>',
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
    usage: '--tenant <id> [--endpoint <id>]',
    summary: 'A new secret beside the old one, which still signs for a day.',
    async run(deps, options) {
      const { id: endpointId } = await endpointMustExist(deps, options)
      const rotated = await rotateSecret(deps, { endpointId, now: deps.clock() })
      return { endpoint_id: rotated.endpointId, secret: rotated.secret }
    },
  },
  test: {
    usage: '--tenant <id> [--endpoint <id>]',
    summary: 'Send an event of type webhook.test immediately; shows what the receiver answers.',
    async run(deps, options) {
      return describeOutcome(await testWebhooks(deps, await endpointMustExist(deps, options)))
    },
  },
  pause: {
    usage: '--tenant <id> [--endpoint <id>]',
    summary: 'Send nothing until resumed; what happens meanwhile waits.',
    async run(deps, options) {
      return pauseWebhooks(deps, await endpointMustExist(deps, options))
    },
  },
  resume: {
    usage: '--tenant <id> [--endpoint <id>]',
    summary: 'Send what waits immediately, also after failures; shows the first answer.',
    async run(deps, options) {
      const resumed = await resumeWebhooks(deps, await endpointMustExist(deps, options))
      const { pending, outcome } = resumed
      return { pending, ...(pending > 0 && describeOutcome(outcome)) }
    },
  },
  remove: {
    usage: '--tenant <id> [--endpoint <id>]',
    summary: 'Send nothing there any more, and cancel what waits.',
    async run(deps, options) {
      return removeWebhooks(deps, await endpointMustExist(deps, options))
    },
  },
  skip: {
    usage: '--tenant <id> [--endpoint <id>] --event <evt_...>',
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
    usage: '--tenant <id> [--limit <n>]',
    summary: 'The latest deliveries, the newest first.',
    async run(deps, options) {
      const limit = options.count('limit', LIMIT_DEFAULT)
      const deliveries = await deliveriesOf(deps, { tenantId: options.uuid('tenant'), limit })
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
    usage:
      '--tenant <id> [--endpoint <id>] (--event <evt_...> | --since <date> [--until <date>] [--type <type>]) [--dry-run]',
    summary: 'Send events again, with the same id and bytes.',
    async run(deps, options) {
      const eventId = options.optional('event')
      const since = options.date('since')
      if ((eventId === undefined) === (since === undefined)) {
        throw new UsageError('give either --event or --since')
      }
      const endpoint = await endpointMustExist(deps, options)
      const { tenantId } = endpoint
      const [until, type] = [options.date('until'), options.optional('type')]
      const wanted = { tenantId, eventId, type, since, until }
      if (options.flag('dry-run'))
        return { would_be_queued: await countRedelivery(deps, wanted, endpoint) }
      const { queued, outcome } = await redeliverWebhooks(deps, wanted, endpoint)
      const isOne = eventId !== undefined && queued === 1
      return { queued, ...(isOne && describeOutcome(outcome)) }
    },
  },
}
