import { dateTime, named } from '@interview-room/contract/envelope.ts'
import { WEBHOOKS } from '@interview-room/contract/operations/webhooks.ts'
import { WEBHOOK_DATA, type WebhookType } from '@interview-room/contract/webhooks.ts'
import { type TSchema, Type } from 'typebox'

const SIGNED = [
  ['webhook-id', 'Id of the event, the same in every attempt. Use it to detect repeats.'],
  ['webhook-timestamp', 'Time of this attempt, in seconds since 1970.'],
  [
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`. Several of them, separated by a space, while the secret rotates.',
  ],
] as const

const DELIVERY =
  'Verify the signature over the raw body ([Standard Webhooks](https://www.standardwebhooks.com/) 1.0) and answer with 2xx within 15 seconds. Anything else is retried: twelve attempts over about three days. The same event may arrive more than once; `id` identifies it.'

/** The `webhooks` of the description: the requests to a tenant's endpoint. */
export function webhooks(): Record<string, object> {
  const types = Object.keys(WEBHOOK_DATA) as WebhookType[]
  return Object.fromEntries(types.map((type) => [type, { post: webhook(type) }]))
}

function webhook(type: WebhookType): object {
  const { summary, description, example } = WEBHOOKS[type]
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary,
    description: `${description}\n\n${DELIVERY}`,
    ...delivery(envelope(type), example),
  }
}

/**
 * Every webhook, also as what follows from an operation. Generators that only read what operations refer to
 * (oapi-codegen) make the types of webhooks of it; and it gives a receiver one type for all that may arrive.
 */
export function webhookCallback(): Record<string, object> {
  const types = Object.keys(WEBHOOK_DATA) as WebhookType[]
  const WebhookEvent = Type.Unsafe({
    title: 'WebhookEvent',
    description: 'Anything that your webhook endpoint receives. `type` says which.',
    oneOf: types.map((type) => envelope(type)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        types.map((type) => [type, `#/components/schemas/${nameOf(type)}`]),
      ),
    },
  })
  const post = {
    operationId: 'onWebhook',
    summary: 'Any webhook',
    description: `Sent to your webhook endpoints. The address is an example.\n\n${DELIVERY}`,
    ...delivery(WebhookEvent, WEBHOOKS['participant.entered'].example),
  }
  return { webhook: { 'https://backend.example.com/webhooks': { post } } }
}

function delivery(schema: TSchema, example: unknown): object {
  return {
    tags: ['Webhooks'],
    security: [],
    parameters: SIGNED.map(([name, text]) => ({
      in: 'header',
      name,
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Received. The service ignores the body.' },
      '410': { description: 'Never send anything to this endpoint again. It is disabled.' },
      '4XX': { description: 'Not accepted. The service tries again later.' },
      '5XX': { description: 'Not accepted. The service tries again later.' },
    },
  }
}

/** `ParticipantEnteredEvent` */
function nameOf(type: WebhookType): string {
  const words = type.split(/[._]/)
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Event`
}

function envelope(type: WebhookType) {
  return named(
    nameOf(type),
    Type.Object(
      {
        id: Type.String({
          pattern: '^evt_',
          description: 'Id of the event. Detect repeats by it.',
        }),
        version: Type.Literal('1', { description: 'Version of the envelope.' }),
        type: Type.Literal(type, { description: `Always \`${type}\`.` }),
        occurred_at: dateTime('When it happened.'),
        data: WEBHOOK_DATA[type],
      },
      { description: WEBHOOKS[type].summary },
    ),
  )
}
