import { tenantMustExist } from '../tenants/manage-tenants.ts'
import {
  deliveriesOf,
  endpointOf,
  redeliverWebhooks,
  testWebhooks,
} from '../webhooks/manage-webhooks.ts'
import { rotateSecret, setEndpoint } from '../webhooks/set-endpoint.ts'
import type { Command } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'

const LIMIT_DEFAULT = 50

export const WEBHOOK_COMMANDS: Record<string, Command> = {
  set: {
    usage: '--tenant <id> --url <address>',
    summary: 'Send the webhooks of a tenant there; shows the new secret this once.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      const url = options.required('url')
      await tenantMustExist(deps.db, tenantId)
      const { endpointId, secret } = await setEndpoint(deps, { tenantId, url })
      return { endpoint_id: endpointId, url, secret }
    },
  },
  list: {
    usage: '--tenant <id>',
    summary: 'The endpoint of a tenant and how it is doing.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      await tenantMustExist(deps.db, tenantId)
      const endpoint = await endpointOf(deps, tenantId)
      if (endpoint === undefined) return []
      return [
        {
          endpoint_id: endpoint.id,
          url: endpoint.url,
          state: endpoint.state,
          consecutive_failures: endpoint.consecutiveFailures,
          next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
        },
      ]
    },
  },
  rotate: {
    usage: '--tenant <id>',
    summary: 'A new secret beside the old one, which still signs for a day.',
    async run(deps, options) {
      const rotated = await rotateSecret(deps, {
        tenantId: options.uuid('tenant'),
        now: deps.clock(),
      })
      if (rotated === undefined) throw new CommandError('the tenant has no webhook endpoint')
      return { endpoint_id: rotated.endpointId, secret: rotated.secret }
    },
  },
  test: {
    usage: '--tenant <id>',
    summary: 'Send an event of type webhook.test.',
    async run(deps, options) {
      const tenantId = options.uuid('tenant')
      if ((await endpointOf(deps, tenantId)) === undefined) {
        throw new CommandError('the tenant has no webhook endpoint')
      }
      await testWebhooks(deps, tenantId)
      return { tenant_id: tenantId, queued: true }
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
        due_at: delivery.dueAt.toISOString(),
      }))
    },
  },
  redeliver: {
    usage: '--tenant <id> (--event <evt_...> | --since <date> [--until <date>])',
    summary: 'Send events once more, with the same id and bytes.',
    async run(deps, options) {
      const eventId = options.optional('event')
      const since = options.date('since')
      if ((eventId === undefined) === (since === undefined)) {
        throw new UsageError('give either --event or --since')
      }
      const tenantId = options.uuid('tenant')
      const until = options.date('until')
      return { queued: await redeliverWebhooks(deps, { tenantId, eventId, since, until }) }
    },
  },
}
