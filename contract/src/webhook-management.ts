import { type Static, Type } from 'typebox'
import {
  about,
  boolean,
  DateTime,
  dateTime,
  named,
  nullable,
  PageQuery,
  string,
  text,
  uuid,
} from './envelope.ts'
import { WEBHOOK_DESCRIPTION_MAX, WEBHOOK_URL_MAX } from './limits.ts'
import { EventBody } from './management.ts'
import { oneOf, wordsOf } from './schema.ts'
import { WEBHOOK_DATA, type WebhookType } from './webhooks.ts'

// Webhook endpoints and deliveries in the tenant's management API.

const STRICT = { additionalProperties: false } as const

/** The types that an endpoint can be limited to. `webhook.test` is sent only on request. */
export const SUBSCRIBED_TYPES = Object.keys(WEBHOOK_DATA).filter(
  (type) => type !== 'webhook.test',
) as Exclude<WebhookType, 'webhook.test'>[]

const SubscribedType = named(
  'SubscribedType',
  about(oneOf(SUBSCRIBED_TYPES), 'A type of event that an endpoint can be limited to.'),
)

const EventTypes = Type.Array(SubscribedType, {
  minItems: 1,
  maxItems: SUBSCRIBED_TYPES.length,
  uniqueItems: true,
  description: 'Types of events that are sent there.',
})

const Url = about(
  text(WEBHOOK_URL_MAX),
  'Where the webhooks go: a public https address. A local installation also takes http and loopback addresses.',
)
const Description = about(text(WEBHOOK_DESCRIPTION_MAX), 'What the endpoint is for.')

export const WebhookEndpointState = wordsOf(
  'WebhookEndpointState',
  ['active', 'paused', 'gone'] as const,
  {
    about: 'Whether the endpoint gets webhooks.',
    active: 'It gets them.',
    paused: 'They wait until it is active again.',
    gone: 'It answered 410. They wait until it is active again.',
  },
)

const ENDPOINT_FIELDS = {
  id: uuid('Id of the endpoint.'),
  url: string('Where the webhooks go.'),
  description: nullable(Type.String(), 'What it is for. Null without a description.'),
  event_types: nullable(
    Type.Array(Type.String()),
    'Types of events that are sent there. Null for every type, later ones included.',
  ),
  state: WebhookEndpointState,
  consecutive_failures: Type.Integer({
    minimum: 0,
    description: 'Attempts that failed in a row.',
  }),
  next_probe_at: nullable(DateTime, 'When a failing endpoint is tried again. Null while it works.'),
  created_at: dateTime('When it was created.'),
}

export const WebhookEndpointBody = named(
  'WebhookEndpoint',
  Type.Object(ENDPOINT_FIELDS, { description: 'An address that your webhooks are sent to.' }),
)
export type WebhookEndpointBody = Static<typeof WebhookEndpointBody>

const secret = string('Secret that signs the webhooks: `whsec_` and base64. It is shown only once.')

export const CreatedWebhookEndpointBody = named(
  'CreatedWebhookEndpoint',
  Type.Object({ ...ENDPOINT_FIELDS, secret }, { description: 'A new endpoint with its secret.' }),
)
export type CreatedWebhookEndpointBody = Static<typeof CreatedWebhookEndpointBody>

export const WebhookEndpointRequest = named(
  'WebhookEndpointRequest',
  Type.Object(
    {
      url: Url,
      description: Type.Optional(Description),
      event_types: Type.Optional(
        about(EventTypes, 'Types of events that are sent there; every type if absent.'),
      ),
    },
    { ...STRICT, description: 'The endpoint to create.' },
  ),
)
export type WebhookEndpointRequest = Static<typeof WebhookEndpointRequest>

export const WebhookEndpointPatch = named(
  'WebhookEndpointPatch',
  Type.Object(
    {
      url: Type.Optional(Url),
      description: Type.Optional(nullable(Description, 'Null removes the description.')),
      event_types: Type.Optional(nullable(EventTypes, 'Null for every type.')),
      state: Type.Optional(
        about(
          named(
            'WebhookEndpointSwitch',
            about(
              oneOf(['active', 'paused'] as const),
              'Whether webhooks are sent to an endpoint.',
            ),
          ),
          '`paused`: events wait. `active`: what waits is sent immediately, also after a failure or a 410.',
        ),
      ),
    },
    { ...STRICT, description: 'What to change. An absent member stays as it is.' },
  ),
)
export type WebhookEndpointPatch = Static<typeof WebhookEndpointPatch>

export const RotatedSecretBody = named(
  'RotatedSecret',
  Type.Object(
    {
      secret,
      previous_secrets_expire_at: dateTime(
        'Until when the previous secrets sign beside the new one.',
      ),
    },
    { description: 'A new secret.' },
  ),
)
export type RotatedSecretBody = Static<typeof RotatedSecretBody>

const ATTEMPT_FIELDS = {
  status: nullable(Type.Integer(), 'HTTP status of the answer. Null when there was none.'),
  error: nullable(
    Type.String(),
    'Why it failed, such as `timeout` or `http_500`. Null when the endpoint accepted it.',
  ),
  duration_ms: Type.Integer({ minimum: 0, description: 'How long the attempt took.' }),
}

export const AttemptOutcomeBody = named(
  'WebhookAttemptOutcome',
  Type.Object(
    {
      is_accepted: boolean('Whether the endpoint answered with a 2xx.'),
      event_id: string('Id of the event that was sent.'),
      ...ATTEMPT_FIELDS,
    },
    { description: 'What the endpoint answered.' },
  ),
)
export type AttemptOutcomeBody = Static<typeof AttemptOutcomeBody>

/** The result of a test, or of a repeated delivery. */
export const OutcomeBody = named(
  'WebhookOutcome',
  Type.Object(
    {
      outcome: nullable(
        AttemptOutcomeBody,
        'The attempt. Null when the endpoint is paused or gone: the event waits. Null, too, when none was made within 20 seconds.',
      ),
    },
    { description: 'What came of an attempt that was made immediately.' },
  ),
)
export type OutcomeBody = Static<typeof OutcomeBody>

export const WebhookDeliveryState = wordsOf(
  'WebhookDeliveryState',
  ['pending', 'succeeded', 'failed', 'cancelled'] as const,
  {
    about: 'What became of a delivery.',
    pending: 'It is still attempted.',
    succeeded: 'The endpoint accepted it.',
    failed: 'It was given up after the last attempt.',
    cancelled: 'It was given up because the endpoint was deleted, or by the operator.',
  },
)

const DELIVERY_FIELDS = {
  id: string('Id of the delivery.'),
  endpoint_id: uuid('Id of the endpoint.'),
  event_id: string('Id of the event: the header `webhook-id`.'),
  type: string('Type of the event.'),
  state: WebhookDeliveryState,
  attempts_made: Type.Integer({ minimum: 0, description: 'Attempts so far.' }),
  is_parked: boolean(
    'Whether the endpoint refuses this event, so that later ones of its resource pass it.',
  ),
  last_status: nullable(Type.Integer(), 'HTTP status of the last attempt. Null without an answer.'),
  last_error: nullable(Type.String(), 'Why the last attempt failed. Null if it did not.'),
  created_at: dateTime('When the event was recorded.'),
  next_attempt_at: nullable(
    DateTime,
    'When the next attempt is due. Null if it waits for an older one of its resource, or is not pending.',
  ),
  finished_at: nullable(DateTime, 'When it ended. Null while it is pending.'),
}

export const WebhookDeliveryBody = named(
  'WebhookDelivery',
  Type.Object(DELIVERY_FIELDS, { description: 'One event on its way to one endpoint.' }),
)
export type WebhookDeliveryBody = Static<typeof WebhookDeliveryBody>

export const WebhookDeliveryDetailBody = named(
  'WebhookDeliveryDetail',
  Type.Object(
    {
      ...DELIVERY_FIELDS,
      event: EventBody,
      attempts: Type.Array(
        named(
          'WebhookAttempt',
          Type.Object(
            {
              number: Type.Integer({ minimum: 1, description: 'Number of the attempt.' }),
              started_at: dateTime('When it began.'),
              ...ATTEMPT_FIELDS,
            },
            { description: 'One attempt.' },
          ),
        ),
        { description: 'Its attempts, oldest first; at most the last 100.' },
      ),
    },
    { description: 'A delivery with what is sent and every attempt.' },
  ),
)
export type WebhookDeliveryDetailBody = Static<typeof WebhookDeliveryDetailBody>

export const WebhookDeliveryQuery = Type.Object(
  {
    endpoint_id: Type.Optional(uuid('Deliveries to this endpoint only.')),
    state: Type.Optional(about(WebhookDeliveryState, 'Deliveries in this state only.')),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Events of this type only.' }),
    ),
    ...PageQuery,
  },
  STRICT,
)

export const WebhookReplay = named(
  'WebhookReplay',
  Type.Object(
    {
      since: dateTime('Events that happened at this time or later.'),
      until: Type.Optional(dateTime('Events that happened until this time; after `since`.')),
      type: Type.Optional(
        about(
          SubscribedType,
          'Events of this type only; otherwise every type that the endpoint takes.',
        ),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Only count the events.', 'x-default': false }),
      ),
    },
    { ...STRICT, description: 'Which events to send again.' },
  ),
)
export type WebhookReplay = Static<typeof WebhookReplay>

export const WebhookReplayStatus = wordsOf(
  'WebhookReplayStatus',
  ['running', 'done', 'cancelled'] as const,
  {
    about: 'How far a replay is.',
    running: 'Its events are being queued, as fast as the endpoint takes them.',
    done: 'All of its events were queued. The last ones may still be on their way.',
    cancelled: 'It was cancelled, or its endpoint was deleted. What was queued before is sent.',
  },
)

export const WebhookReplayBody = named(
  'WebhookReplayResult',
  Type.Object(
    {
      id: nullable(uuid('An id.'), 'Id of the replay. Null for a dry run.'),
      status: nullable(WebhookReplayStatus, 'How far it is. Null for a dry run.'),
      events: Type.Integer({ minimum: 0, description: 'How many events are sent again.' }),
      is_dry_run: boolean('Whether they were only counted.'),
    },
    { description: 'What a replay sends.' },
  ),
)
export type WebhookReplayBody = Static<typeof WebhookReplayBody>

export const WebhookReplayProgressBody = named(
  'WebhookReplayProgress',
  Type.Object(
    {
      id: uuid('Id of the replay.'),
      endpoint_id: uuid('Id of the endpoint.'),
      status: WebhookReplayStatus,
      type: nullable(Type.String(), 'Events of this type only. Null for every type it takes.'),
      since: dateTime('Events that happened at this time or later.'),
      until: nullable(DateTime, 'Events that happened until this time. Null without an end.'),
      events: Type.Integer({ minimum: 0, description: 'Events when it was ordered.' }),
      events_queued: Type.Integer({ minimum: 0, description: 'Events that were queued so far.' }),
      created_at: dateTime('When it was ordered.'),
      finished_at: nullable(DateTime, 'When it ended. Null while it runs.'),
    },
    { description: 'A replay and how far it is.' },
  ),
)
export type WebhookReplayProgressBody = Static<typeof WebhookReplayProgressBody>
