import { WEBHOOKS } from '@interview-room/contract/operations/webhooks.ts'
import { WEBHOOK_DATA, type WebhookType } from '@interview-room/contract/webhooks.ts'

const SIGNED = [
  ['webhook-id', 'Id of the event, the same at every attempt: the key to deduplicate by.'],
  ['webhook-timestamp', 'Seconds since 1970, of this attempt.'],
  [
    'webhook-signature',
    '`v1,<base64 of HMAC-SHA256 over id.timestamp.body>`; several, separated by a space, while the secret rotates.',
  ],
] as const

const REF = '#/components/schemas'

/** The `webhooks` of the description: what a tenant's endpoint is sent. */
export function webhooks(): Record<string, object> {
  const types = Object.keys(WEBHOOK_DATA) as WebhookType[]
  return Object.fromEntries(types.map((type) => [type, { post: webhook(type) }]))
}

function webhook(type: WebhookType): object {
  const { summary, example } = WEBHOOKS[type]
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary,
    description:
      'Signed by Standard Webhooks 1.0. Delivered at least once; anything but 2xx is tried again, twelve times over some days.',
    tags: ['Webhooks'],
    security: [],
    parameters: SIGNED.map(([name, description]) => ({
      in: 'header',
      name,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `${REF}/${nameOf(type)}` }, example } },
    },
    responses: {
      '2XX': { description: 'Taken. The body is not read.' },
      '410': { description: 'No longer wanted: the endpoint is disabled.' },
      '4XX': { description: 'Not taken; tried again later.' },
    },
  }
}

/** What a call carries, by the name of its component: `ParticipantEnteredEvent`. */
export function webhookSchemas(): Record<string, object> {
  const types = Object.keys(WEBHOOK_DATA) as WebhookType[]
  return Object.fromEntries(types.map((type) => [nameOf(type), envelope(type)]))
}

function nameOf(type: WebhookType): string {
  const words = type.split(/[._]/)
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Event`
}

function envelope(type: WebhookType): object {
  return {
    type: 'object',
    required: ['id', 'version', 'type', 'occurred_at', 'data'],
    properties: {
      id: { type: 'string', pattern: '^evt_' },
      version: { type: 'string', const: '1' },
      type: { type: 'string', const: type },
      occurred_at: { type: 'string', format: 'date-time' },
      data: WEBHOOK_DATA[type],
    },
  }
}
