import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookError } from './webhook.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another one of thirty-two bytes.').toString('base64')}`
const BODY = JSON.stringify({
  id: 'evt_1',
  version: '1',
  type: 'webhook.test',
  occurred_at: '2030-11-21T01:00:00.000Z',
  data: { message: 'é' },
})

function signed(at = new Date(), secret = SECRET): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, BODY),
  }
}

describe('a webhook', () => {
  test('returns its event, with data by its type, if the signature is right', () => {
    const event = verifyWebhook({ body: BODY, headers: signed(), secret: SECRET })
    expect(event.type === 'webhook.test' && event.data.message).toBe('é')
  })

  test('is read from bytes and from Headers, too', () => {
    const body = new TextEncoder().encode(BODY)
    const headers = new Headers(signed())
    expect(verifyWebhook({ body, headers, secret: SECRET }).id).toBe('evt_1')
  })

  test('is read from headers in any case, as gateways forward them', () => {
    const names = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])
    const headers = Object.fromEntries(names)
    expect(verifyWebhook({ body: BODY, headers, secret: SECRET }).id).toBe('evt_1')
  })

  test('is accepted with either secret during a rotation', () => {
    const secret = [OTHER, SECRET]
    expect(verifyWebhook({ body: BODY, headers: signed(), secret }).id).toBe('evt_1')
  })

  test.each([
    ['is signed by another secret', { headers: signed(new Date(), OTHER) }],
    ['is older than five minutes', { headers: signed(new Date(Date.now() - 301_000)) }],
    ['was changed on its way', { body: BODY.replace('evt_1', 'evt_2') }],
    ['has no signature', { headers: {} }],
  ])('that %s throws WebhookError', (_what, change) => {
    const request = { body: BODY, headers: signed(), secret: SECRET, ...change }
    expect(() => verifyWebhook(request)).toThrow(WebhookError)
  })

  test('reports that it is too old', () => {
    const headers = signed(new Date(Date.now() - 301_000))
    expect(() => verifyWebhook({ body: BODY, headers, secret: SECRET })).toThrow(/too old/)
  })

  test.each([
    ['a body that was parsed', { body: JSON.parse(BODY) }, /before any parsing/],
    ['no secret', { secret: undefined as never }, /whsec_/],
    ['an empty secret', { secret: '' }, /whsec_/],
    ['a malformed secret', { secret: ['whsec_%', SECRET] }, /whsec_/],
    ['a secret of a missing variable', { secret: 'whsec_undefined' }, /at least 32/],
    ['a secret that was cut off', { secret: SECRET.slice(0, 30) }, /at least 32/],
  ])('is not blamed for %s', (_what, change, message) => {
    const request = { body: BODY, headers: signed(), secret: SECRET, ...change }
    expect(() => verifyWebhook(request)).toThrow(TypeError)
    expect(() => verifyWebhook(request)).toThrow(message)
  })
})
