import { Type } from 'typebox'
import { listOf } from '../envelope.ts'
import {
  CreatedWebhookEndpointBody,
  WebhookEndpointRequest,
  OutcomeBody,
  RotatedSecretBody,
  WebhookDeliveryBody,
  WebhookDeliveryDetailBody,
  WebhookDeliveryQuery,
  WebhookEndpointBody,
  WebhookEndpointPatch,
  WebhookReplay,
  WebhookReplayBody,
  WebhookReplayProgressBody,
} from '../webhook-management.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { idOf, ListQuery } from './params.ts'
import {
  ATTEMPT_OUTCOME,
  EVENT,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
  WEBHOOK_REPLAY,
} from './samples-of-management.ts'

const EndpointParams = Type.Object({
  webhook_endpoint_id: idOf(WEBHOOK_ENDPOINT, 'Id of the endpoint.'),
})
const DeliveryParams = Type.Object({
  webhook_delivery_id: Type.String({
    pattern: '^[1-9][0-9]{0,17}$',
    description: 'Id of the delivery.',
    examples: [WEBHOOK_DELIVERY.id],
  }),
})
const ReplayParams = Type.Object({
  webhook_replay_id: idOf(WEBHOOK_REPLAY, 'Id of the replay.'),
})

const MANAGED = { plane: 'control', scope: 'manage', tag: 'Extensions' } as const
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/webhook-endpoints',
  ...MANAGED,
  summary: 'List webhook endpoints',
  description: 'Returns your endpoints, oldest first, and how each is doing.',
  query: ListQuery,
  answers: { 200: listOf(WebhookEndpointBody) },
  example: { answer: pageOf(WEBHOOK_ENDPOINT) },
})

export const createWebhookEndpoint = operation({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  ...MANAGED,
  summary: 'Create a webhook endpoint',
  description:
    'Adds an endpoint beside the others. It gets the events that happen from now on; send earlier ones with a replay. The answer is the only time that you see the secret, so a repeat creates another endpoint; it takes no Idempotency-Key. Send it a test afterwards.',
  body: WebhookEndpointRequest,
  answers: { 201: CreatedWebhookEndpointBody },
  refusals: ['VALIDATION_ERROR'],
  hasLocation: true,
  example: {
    request: {
      url: 'https://backend.example.com/webhooks/interviews',
      event_types: ['recording.status_changed', 'transcription.completed'],
    },
    answer: { ...WEBHOOK_ENDPOINT, secret: SECRET },
  },
})

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/webhook-endpoints/{webhook_endpoint_id}',
  ...MANAGED,
  summary: 'Get a webhook endpoint',
  description: 'Returns the endpoint and how it is doing.',
  params: EndpointParams,
  answers: { 200: WebhookEndpointBody },
  example: { answer: WEBHOOK_ENDPOINT },
})

export const patchWebhookEndpoint = operation({
  id: 'patchWebhookEndpoint',
  method: 'PATCH',
  path: '/webhook-endpoints/{webhook_endpoint_id}',
  ...MANAGED,
  summary: 'Change, pause or resume a webhook endpoint',
  description:
    'Changes the members that you send. Set `state` to `active` after you have repaired an endpoint that failed or was gone: what waits is sent immediately.',
  params: EndpointParams,
  body: WebhookEndpointPatch,
  answers: { 200: WebhookEndpointBody },
  refusals: ['VALIDATION_ERROR'],
  example: { request: { state: 'paused' }, answer: { ...WEBHOOK_ENDPOINT, state: 'paused' } },
})

export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/webhook-endpoints/{webhook_endpoint_id}',
  ...MANAGED,
  summary: 'Delete a webhook endpoint',
  description:
    'Nothing is sent there any more, and what waits is cancelled. Its deliveries stay in the list for 30 days. A repeat returns 204.',
  params: EndpointParams,
  answers: { 204: NOTHING },
})

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhook-endpoints/{webhook_endpoint_id}/rotate-secret',
  ...MANAGED,
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Returns a new secret, shown only once. For a day the previous one signs, too: `webhook-signature` has both signatures. At most three secrets sign at a time.',
  params: EndpointParams,
  answers: { 200: RotatedSecretBody },
  example: {
    answer: { secret: SECRET, previous_secrets_expire_at: '2030-11-22T03:10:00.000Z' },
  },
})

export const testWebhookEndpoint = operation({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints/{webhook_endpoint_id}/test',
  ...MANAGED,
  summary: 'Test a webhook endpoint',
  description:
    'Sends an event of the type `webhook.test` to this endpoint immediately, whatever types it takes, and returns what it answered.',
  params: EndpointParams,
  answers: { 200: OutcomeBody },
  isLong: true,
  example: { answer: { outcome: ATTEMPT_OUTCOME } },
})

export const replayWebhookEvents = operation({
  id: 'replayWebhookEvents',
  method: 'POST',
  path: '/webhook-endpoints/{webhook_endpoint_id}/replay',
  ...MANAGED,
  summary: 'Replay events',
  description:
    'Sends the events of a period to this endpoint again, with the same ids and content, those included that it accepted, or that happened before it was created. Tests of endpoints (`webhook.test`) are left out. Use `dry_run` to count them first. The answer has the first events queued; of many, the rest follows as fast as the endpoint takes them, and new events do not wait for it. Events are kept for 30 days.',
  params: EndpointParams,
  body: WebhookReplay,
  answers: { 200: WebhookReplayBody },
  refusals: ['VALIDATION_ERROR'],
  isLong: true,
  example: {
    request: { since: '2030-11-21T00:00:00Z', type: 'recording.status_changed', dry_run: true },
    answer: { id: null, status: null, events: 42, is_dry_run: true },
  },
})

export const getWebhookReplay = operation({
  id: 'getWebhookReplay',
  method: 'GET',
  path: '/webhook-replays/{webhook_replay_id}',
  ...MANAGED,
  summary: 'Get a replay',
  description: 'Returns how far the replay is. Replays are kept for 30 days.',
  params: ReplayParams,
  answers: { 200: WebhookReplayProgressBody },
  example: { answer: WEBHOOK_REPLAY },
})

export const cancelWebhookReplay = operation({
  id: 'cancelWebhookReplay',
  method: 'POST',
  path: '/webhook-replays/{webhook_replay_id}/cancel',
  ...MANAGED,
  summary: 'Cancel a replay',
  description:
    'Queues no more of its events. What was queued before, some hundred events at most, is sent. A replay that has ended stays as it is.',
  params: ReplayParams,
  answers: { 200: WebhookReplayProgressBody },
  example: {
    answer: { ...WEBHOOK_REPLAY, status: 'cancelled', finished_at: '2030-11-22T03:11:00.000Z' },
  },
})

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-deliveries',
  ...MANAGED,
  summary: 'List webhook deliveries',
  description:
    'Returns deliveries of the last 30 days, newest first: one for each event and endpoint.',
  query: WebhookDeliveryQuery,
  answers: { 200: listOf(WebhookDeliveryBody) },
  example: { answer: pageOf(WEBHOOK_DELIVERY) },
})

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/webhook-deliveries/{webhook_delivery_id}',
  ...MANAGED,
  summary: 'Get a webhook delivery',
  description:
    'Returns the delivery with the event that is sent and its attempts. Use it to find out why your receiver refuses an event.',
  params: DeliveryParams,
  answers: { 200: WebhookDeliveryDetailBody },
  example: {
    answer: {
      ...WEBHOOK_DELIVERY,
      event: EVENT,
      attempts: [
        {
          number: 1,
          started_at: '2030-11-21T03:10:01.000Z',
          status: 200,
          error: null,
          duration_ms: 84,
        },
      ],
    },
  },
})

export const redeliverWebhook = operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: '/webhook-deliveries/{webhook_delivery_id}/redeliver',
  ...MANAGED,
  summary: 'Make a delivery again',
  description:
    'Sends the event to its endpoint again immediately, with the same id and content, and returns what it answered. A delivery that is being attempted at this moment is left alone. Older pending events of the same resource go first.',
  params: DeliveryParams,
  answers: { 200: OutcomeBody },
  refusals: ['VALIDATION_ERROR'],
  isLong: true,
  example: { answer: { outcome: { ...ATTEMPT_OUTCOME, event_id: EVENT.id } } },
})
