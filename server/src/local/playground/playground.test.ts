import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { rotateSecret, setEndpoint } from '../../platform/webhooks/set-endpoint.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { playground } from './playground.ts'

const LOCAL = {
  base_url: 'http://192.168.1.5:3000',
  tenant_id: '0198f0a0-0000-7000-8000-000000000001',
  api_key: 'key.secret',
  token_key: { kid: 'local-1', alg: 'ES256' as const, private_jwk: {} },
  webhook: { url: 'http://192.168.1.5:3000/playground/webhook', secret: 'whsec_c2VjcmV0' },
}
const NETWORK = '192.168.1.77'
const LOOPBACK_PEERS = ['127.0.0.1', '127.0.1.1', '::1', '::ffff:127.0.0.1']
const NETWORK_PEERS = [NETWORK, '::ffff:192.168.1.77', 'fe80::1', '2001:db8::7']
const ROUTES = [
  { method: 'GET', url: '/' },
  { method: 'GET', url: '/playground/api/state' },
  { method: 'GET', url: '/playground/board' },
  { method: 'GET', url: '/playground/api/webhooks/stream' },
  { method: 'POST', url: `/playground/api/rooms/${LOCAL.tenant_id}/links` },
  { method: 'POST', url: '/playground/api/key' },
  { method: 'POST', url: '/playground/api/sample' },
] as const

const plane = useControlPlane()
/** As `npm start` runs it with HOST=0.0.0.0, and with PLAYGROUND_OPEN=true as well. */
let closed: FastifyInstance
let open: FastifyInstance

beforeAll(async () => {
  const config = loadConfig({
    ...TEST_ENVIRONMENT,
    HOST: '0.0.0.0',
    PUBLIC_URL: 'http://box.test:3000',
    TRUST_PROXY: 'true',
  })
  const start = async (isOpen: boolean) => {
    const deps = { ...plane.deps, config }
    const plugins = [playground(deps, { local: LOCAL, dataDir: '/data', isOpen })]
    return createApp(deps, { plugins })
  }
  closed = await start(false)
  open = await start(true)
})

afterAll(async () => {
  await closed?.close()
  await open?.close()
})

interface Visitor {
  peer: string
  host?: string
  headers?: Record<string, string>
}

async function visit(app: FastifyInstance, { peer, host = 'localhost:3000', headers }: Visitor) {
  const { statusCode } = await app.inject({
    method: 'GET',
    url: '/playground/api/state',
    remoteAddress: peer,
    headers: { host, ...headers },
  })
  return statusCode
}

describe('the playground of a service that listens everywhere', () => {
  test.each(LOOPBACK_PEERS)('is there for this machine: %s', async (peer) => {
    expect(await visit(closed, { peer })).toBe(200)
    expect(await visit(closed, { peer, host: '127.0.0.1:3000' })).toBe(200)
    expect(await visit(closed, { peer, host: '[::1]:3000' })).toBe(200)
  })

  test.each(NETWORK_PEERS)('is not there for the network: %s', async (peer) => {
    for (const host of ['localhost:3000', '192.168.1.5:3000', 'box.test:3000']) {
      expect(await visit(closed, { peer, host })).toBe(404)
    }
  })

  test.each(ROUTES)('has no route for the network: $method $url', async (route) => {
    const answer = await closed.inject({
      ...route,
      remoteAddress: NETWORK,
      headers: { host: 'localhost' },
    })
    expect(answer.statusCode).toBe(404)
  })

  test('believes no header that names another peer', async () => {
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
      const headers = { [name]: name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' }
      expect(await visit(closed, { peer: NETWORK, headers })).toBe(404)
    }
  })

  test('does not exist for requests through a proxy on this machine', async () => {
    const headers = { 'x-forwarded-for': NETWORK }
    expect(await visit(closed, { peer: '127.0.0.1', headers })).toBe(404)
    expect(await visit(closed, { peer: '127.0.0.1', host: 'box.test:3000' })).toBe(404)
  })

  test('does not exist under a foreign name that leads here', async () => {
    expect(await visit(closed, { peer: '127.0.0.1', host: 'rebound.test:3000' })).toBe(404)
    expect(await visit(open, { peer: '127.0.0.1', host: 'rebound.test:3000' })).toBe(404)
    expect(await visit(open, { peer: NETWORK, host: 'rebound.test:3000' })).toBe(404)
  })
})

test('a setting opens the playground to the network', async () => {
  for (const host of ['192.168.1.5:3000', '[2001:db8::5]:3000', 'box.test:3000']) {
    expect(await visit(open, { peer: NETWORK, host })).toBe(200)
  }
})

test('a page of another site cannot act through a form', async () => {
  const answer = await open.inject({
    method: 'POST',
    url: '/playground/api/key',
    remoteAddress: '127.0.0.1',
    headers: { host: 'localhost', 'sec-fetch-site': 'cross-site' },
    payload: {},
  })
  expect(answer.statusCode).toBe(404)
})

test.each(['http://evil.example', 'https://interviews.example.com', 'null'])(
  'is closed to a page of %s, also through a proxy on this machine that does not name it',
  async (origin) => {
    const app = await createApp(plane.deps, {
      plugins: [playground(plane.deps, { local: LOCAL, dataDir: '/data', isOpen: false })],
    })
    const answer = await app.inject({
      method: 'POST',
      url: '/playground/api/key',
      remoteAddress: '127.0.0.1',
      headers: { host: 'localhost', origin, 'sec-fetch-site': 'same-origin' },
      payload: {},
    })
    await app.close()
    expect(answer.statusCode).toBe(404)
  },
)

describe('the key of the page', () => {
  let app: FastifyInstance

  beforeAll(async () => {
    const local = { ...LOCAL, tenant_id: plane.tenant.tenantId }
    app = await createApp(plane.deps, {
      plugins: [playground(plane.deps, { local, dataDir: '/data', isOpen: false })],
    })
    plane.now = new Date()
  })
  afterAll(async () => app?.close())

  async function issue(): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: '/playground/api/key',
      headers: { host: 'localhost:3000' },
    })
    return answer.json().api_key
  }

  test('may do everything that the console does, ends, and stays the same for a while', async () => {
    const apiKey = await issue()
    const [keyId] = apiKey.split('.')
    const { data } = await plane.tenant.get(`/api-keys/${keyId}`)
    expect(data).toMatchObject({ scopes: ['control', 'manage'] })
    expect(Date.parse(data.expires_at)).toBe(plane.now.getTime() + 12 * 3_600_000)
    expect(await issue()).toBe(apiKey)
    plane.now = new Date(plane.now.getTime() + 11.5 * 3_600_000)
    expect(await issue()).not.toBe(apiKey)
  })

  test('is replaced if somebody has revoked it', async () => {
    const apiKey = await issue()
    await plane.tenant.delete(`/api-keys/${apiKey.split('.')[0]}`)
    plane.now = new Date(plane.now.getTime() + 2_000)
    const next = await issue()
    expect(next).not.toBe(apiKey)
    expect(await issue()).toBe(next)
  })
})

const point = (url: string) => setEndpoint(plane.deps, { tenantId: plane.tenant.tenantId, url })

describe('the webhooks of the playground', () => {
  let app: FastifyInstance

  beforeAll(async () => {
    const local = { ...LOCAL, tenant_id: plane.tenant.tenantId }
    app = await createApp(plane.deps, {
      plugins: [playground(plane.deps, { local, dataDir: '/data', isOpen: false })],
    })
  })
  afterAll(async () => app?.close())

  /** Delivers an event that this secret signs; true if the page shows it as verified. */
  async function isVerified(secret: string): Promise<boolean> {
    const id = `evt_${randomUUID()}`
    const body = JSON.stringify({ id, type: 'webhook.test' })
    const at = new Date()
    const answer = await app.inject({
      method: 'POST',
      url: '/playground/webhook',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      payload: body,
    })
    expect(answer.statusCode).toBe(204)
    const stream = await app.inject({
      url: '/playground/api/webhooks/stream',
      headers: { host: 'localhost:3000' },
      payloadAsStream: true,
    })
    let seen = ''
    for await (const chunk of stream.stream()) {
      seen += String(chunk)
      const [line] = seen
        .split('\n')
        .filter((each) => each.startsWith('data:') && each.includes(id))
      if (line !== undefined) return JSON.parse(line.slice('data:'.length)).verified
    }
    throw new Error(`the page has no webhook: ${seen}`)
  }

  test('are verified again after another endpoint took their place for a while', async () => {
    const before = await point('https://hooks.example.com/playground/webhook')
    expect(await isVerified(before.secret)).toBe(true)
    await point('https://hooks.example.com/mine')
    const back = await point('https://hooks.example.com/playground/webhook')
    expect(await isVerified(back.secret)).toBe(true)
    expect(await isVerified(before.secret)).toBe(false)
  })

  test('are verified by either secret while it rotates', async () => {
    const { endpointId, secret } = await point('https://hooks.example.com/playground/webhook')
    const rotated = await rotateSecret(plane.deps, { endpointId, now: new Date() })
    expect([await isVerified(rotated.secret), await isVerified(secret)]).toEqual([true, true])
  })

  test('are not verified by the secret of another endpoint', async () => {
    const { secret } = await point('https://hooks.example.com/mine')
    expect(await isVerified(secret)).toBe(false)
  })
})
