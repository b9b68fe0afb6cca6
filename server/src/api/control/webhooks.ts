import { WEBHOOK_ENDPOINTS_MAX } from '@interview-room/contract/limits.ts'
import type { EventBody } from '@interview-room/contract/management.ts'
import * as webhooks from '@interview-room/contract/operations/webhook-management.ts'
import type {
  OutcomeBody,
  WebhookDeliveryBody,
  WebhookEndpointBody,
  WebhookReplayProgressBody,
} from '@interview-room/contract/webhook-management.ts'
import { checkedDateTime } from '../../platform/lib/date-time.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { TargetError } from '../../platform/lib/target-guard.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { ListedDelivery } from '../../platform/webhooks/delivery-list-store.ts'
import type { Endpoint } from '../../platform/webhooks/endpoint-store.ts'
import {
  changeEndpoint,
  countRedelivery,
  deliveriesOf,
  deliveryOf,
  endpointsOf,
  type Outcome,
  redeliverEvent,
  removeWebhooks,
  testWebhooks,
  type WholeDelivery,
} from '../../platform/webhooks/manage-webhooks.ts'
import {
  cancelReplay,
  type Replay,
  replayOf,
  startReplay,
} from '../../platform/webhooks/replay-webhooks.ts'
import { addEndpoint, isInUse, rotateSecret } from '../../platform/webhooks/set-endpoint.ts'
import type { App } from '../http/app-types.ts'
import { rowsBehind } from '../http/rows-behind.ts'
import { serve } from '../http/serve.ts'

type InUse = Endpoint & { state: WebhookEndpointBody['state'] }

/** Webhook endpoints and deliveries, as a tenant manages them. */
export async function webhookControlRoutes(app: App, deps: Deps): Promise<void> {
  endpointRoutes(app, deps)
  attemptRoutes(app, deps)
  deliveryRoutes(app, deps)
}

function endpointRoutes(app: App, deps: Deps): void {
  serve(app, webhooks.listWebhookEndpoints, async ({ query, tenantId }) => {
    const scope = { list: 'webhook-endpoints', tenantId, filters: {} }
    const data = await deps.paging.page(query, scope, {
      rows: async ({ after, limit }) => {
        const all = await endpointsOf(deps, tenantId)
        // Deleted ones are there still: a page may have ended with one.
        const behind = rowsBehind(all, ({ id }) => id, { after, limit: all.length })
        return behind.filter(isUsed).slice(0, limit + 1)
      },
      positionOf: ({ id }) => id,
      present: presentEndpoint,
    })
    return { data }
  })

  serve(app, webhooks.createWebhookEndpoint, async ({ body, tenantId }) => {
    const { url, description = null, event_types: eventTypes = null } = body
    const endpoint = { tenantId, url, description, eventTypes }
    const added = await addEndpoint(deps, endpoint).catch(refuseTarget)
    if (added === undefined) {
      throw refuseField('VALIDATION_ERROR', {
        field: 'body',
        code: 'NOT_ALLOWED',
        message: `must not be more than ${WEBHOOK_ENDPOINTS_MAX} endpoints`,
      })
    }
    const { endpointId: id, secret } = added
    const data = { ...presentEndpoint(await mustFind(deps, { tenantId, id })), secret }
    return { headers: { location: `/api/v1/webhook-endpoints/${id}` }, data }
  })

  serve(app, webhooks.getWebhookEndpoint, async ({ params, tenantId }) => {
    const endpoint = await mustFind(deps, { tenantId, id: params.webhook_endpoint_id })
    return { data: presentEndpoint(endpoint) }
  })

  serve(app, webhooks.patchWebhookEndpoint, async ({ params, body, tenantId }) => {
    const key = { tenantId, id: params.webhook_endpoint_id }
    await mustFind(deps, key)
    const { event_types: eventTypes, ...members } = body
    const change = { ...members, ...(eventTypes !== undefined && { eventTypes }) }
    await changeEndpoint(deps, key.id, change).catch(refuseTarget)
    return { data: presentEndpoint(await mustFind(deps, key)) }
  })

  serve(app, webhooks.deleteWebhookEndpoint, async ({ params, tenantId }) => {
    const endpoints = await endpointsOf(deps, tenantId)
    const endpoint = endpoints.find(({ id }) => id === params.webhook_endpoint_id)
    if (endpoint === undefined) throw new ServiceError('NOT_FOUND')
    await removeWebhooks(deps, endpoint)
  })
}

function attemptRoutes(app: App, deps: Deps): void {
  serve(app, webhooks.rotateWebhookSecret, async ({ params, tenantId }) => {
    const { id: endpointId } = await mustFind(deps, { tenantId, id: params.webhook_endpoint_id })
    const { secret, oldEndAt } = await rotateSecret(deps, { endpointId, now: deps.clock() })
    return { data: { secret, previous_secrets_expire_at: oldEndAt.toISOString() } }
  })

  serve(app, webhooks.testWebhookEndpoint, async ({ params, tenantId }) => {
    const endpoint = await mustFind(deps, { tenantId, id: params.webhook_endpoint_id })
    return { data: presentOutcome(await testWebhooks(deps, endpoint)) }
  })

  serve(app, webhooks.replayWebhookEvents, async ({ params, body, tenantId }) => {
    const endpoint = await mustFind(deps, { tenantId, id: params.webhook_endpoint_id })
    const since = checkedDateTime(body.since)
    const until = body.until === undefined ? undefined : checkedDateTime(body.until)
    if (until !== undefined && until <= since) {
      throw refuseField('VALIDATION_ERROR', {
        field: 'until',
        code: 'OUT_OF_RANGE',
        message: 'must be after since',
      })
    }
    const wanted = { tenantId, type: body.type, since, until }
    if (body.dry_run === true) {
      const events = await countRedelivery(deps, { ...wanted, eventId: undefined }, endpoint)
      return { data: { id: null, status: null, events, is_dry_run: true } }
    }
    const { id, state: status, events } = await startReplay(deps, wanted, endpoint)
    return { data: { id, status, events, is_dry_run: false } }
  })

  serve(app, webhooks.getWebhookReplay, async ({ params, tenantId }) => ({
    data: presentReplay(await replayOf(deps, { tenantId, id: params.webhook_replay_id })),
  }))

  serve(app, webhooks.cancelWebhookReplay, async ({ params, tenantId }) => ({
    data: presentReplay(await cancelReplay(deps, { tenantId, id: params.webhook_replay_id })),
  }))
}

function deliveryRoutes(app: App, deps: Deps): void {
  serve(app, webhooks.listWebhookDeliveries, async ({ query, tenantId }) => {
    const { endpoint_id: endpointId, state, type } = query
    const scope = { list: 'webhook-deliveries', tenantId, filters: { endpointId, state, type } }
    const data = await deps.paging.page(query, scope, {
      rows: ({ after, limit }) => {
        const before = after === undefined ? after : BigInt(after)
        return deliveriesOf(deps, { tenantId, endpointId, state, type, before, limit: limit + 1 })
      },
      positionOf: ({ id }) => String(id),
      present: presentDelivery,
    })
    return { data }
  })

  serve(app, webhooks.getWebhookDelivery, async ({ params, tenantId }) => {
    const delivery = await mustFindDelivery(deps, tenantId, params.webhook_delivery_id)
    const attempts = delivery.attempts.map((attempt) => ({
      number: attempt.n,
      started_at: attempt.startedAt.toISOString(),
      status: attempt.status,
      error: attempt.errorClass,
      duration_ms: attempt.durationMs,
    }))
    const event = JSON.parse(delivery.body) as EventBody
    return { data: { ...presentDelivery(delivery), event, attempts } }
  })

  serve(app, webhooks.redeliverWebhook, async ({ params, tenantId }) => {
    const delivery = await mustFindDelivery(deps, tenantId, params.webhook_delivery_id)
    const { eventId, endpointId } = delivery
    const endpoint = (await endpointsOf(deps, tenantId)).find(({ id }) => id === endpointId)
    if (endpoint === undefined || !isUsed(endpoint)) {
      throw refuseField('VALIDATION_ERROR', {
        field: 'webhook_delivery_id',
        code: 'NOT_ALLOWED',
        message: 'must be a delivery to an endpoint that was not deleted',
      })
    }
    const redelivered = await redeliverEvent(deps, { tenantId, eventId }, endpoint)
    return { data: presentOutcome(redelivered?.outcome) }
  })
}

const isUsed = (endpoint: Endpoint): endpoint is InUse => isInUse(endpoint)

/** Throws 404 NOT_FOUND, for a deleted endpoint too. */
async function mustFind(deps: Deps, key: { tenantId: string; id: string }): Promise<InUse> {
  const endpoint = (await endpointsOf(deps, key.tenantId)).find(({ id }) => id === key.id)
  if (endpoint === undefined || !isUsed(endpoint)) throw new ServiceError('NOT_FOUND')
  return endpoint
}

/** Throws 404 NOT_FOUND. */
async function mustFindDelivery(deps: Deps, tenantId: string, id: string): Promise<WholeDelivery> {
  const delivery = await deliveryOf(deps, { tenantId, deliveryId: BigInt(id) })
  if (delivery === undefined) throw new ServiceError('NOT_FOUND')
  return delivery
}

function refuseTarget(error: unknown): never {
  if (!(error instanceof TargetError)) throw error
  throw refuseField('VALIDATION_ERROR', {
    field: 'url',
    code: 'NOT_ALLOWED',
    message: error.message,
  })
}

function presentEndpoint(endpoint: InUse): WebhookEndpointBody {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
    state: endpoint.state,
    consecutive_failures: endpoint.consecutiveFailures,
    next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  }
}

/** Throws 404 NOT_FOUND where there is none. */
function presentReplay(replay: Replay | undefined): WebhookReplayProgressBody {
  if (replay === undefined) throw new ServiceError('NOT_FOUND')
  return {
    id: replay.id,
    endpoint_id: replay.endpointId,
    status: replay.state,
    type: replay.type,
    since: replay.since.toISOString(),
    until: replay.until?.toISOString() ?? null,
    events: replay.events,
    events_queued: replay.queued,
    created_at: replay.createdAt.toISOString(),
    finished_at: replay.finishedAt?.toISOString() ?? null,
  }
}

function presentOutcome(outcome: Outcome): OutcomeBody {
  if (outcome === undefined) return { outcome: null }
  const { eventId, status, errorClass, durationMs } = outcome
  return {
    outcome: {
      is_accepted: errorClass === null,
      event_id: eventId,
      status,
      error: errorClass,
      duration_ms: durationMs,
    },
  }
}

function presentDelivery(delivery: ListedDelivery): WebhookDeliveryBody {
  const isPending = delivery.state === 'pending'
  return {
    id: String(delivery.id),
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    type: delivery.type,
    state: delivery.state,
    attempts_made: delivery.attempt,
    is_parked: delivery.isParked,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: (isPending && delivery.dueAt?.toISOString()) || null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  }
}
