import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import type { Document } from './document.ts'

const plane = useControlPlane({
  config: loadConfig({ ...TEST_ENVIRONMENT, PUBLIC_URL: 'https://interviews.example.com' }),
})

async function description(): Promise<Document> {
  const answer = await plane.app.inject('/api/v1/openapi.json')
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

describe('the description of the API', () => {
  test('is the file in docs/ (written anew by `npm run openapi`)', async () => {
    const text = `${JSON.stringify(await description(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../../../docs/openapi.json')
  })

  test('tells every operation of the contract, and no other', async () => {
    const { paths } = await description()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      ),
    )
    expect(described.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  test('is valid OpenAPI 3.1 without a complaint, its examples included', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(await description()),
      absoluteRef: 'openapi.json',
      config: await createConfig({
        extends: ['recommended-strict'],
        rules: {
          // Errors that no operation gives (yet) have their example too.
          'no-unused-components': 'off',
          // The file in docs/ belongs to no one server.
          'no-server-example.com': 'off',
          'no-invalid-media-type-examples': 'error',
          'no-invalid-schema-examples': 'error',
          'operation-operationId': 'error',
          'operation-operationId-unique': 'error',
        },
      }),
    })
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([])
  })

  test('has an example of every answer and every refusal', async () => {
    const { paths } = await description()
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .filter(([, { content }]) => !hasExample(content))
          .map(([status]) => `${method} ${path} ${status}`),
      ),
    )
    expect(without).toEqual([])
  })
})

type Member = Record<string, unknown>

/** By operation, so that a failure names it. */
async function eachOperation() {
  const { paths } = await description()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      operation,
    })),
  )
}

/** The headers of a refusal, in small letters. */
function headersOf({ responses }: Document['paths'][string][string], status: string): string[] {
  return Object.keys(responses[status]?.headers ?? {}).map((name) => name.toLowerCase())
}

const schemasOf = (content: object = {}) =>
  Object.values(content as Record<string, { schema?: Member }>).map(({ schema = {} }) => schema)

describe('every operation is described so that code can be generated of it', () => {
  test('success is a constant, and data is never nothing but null', async () => {
    const wrong = (await eachOperation()).flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        schemasOf(content)
          .map(({ properties = {} }) => properties as Record<string, Member>)
          .filter(
            ({ success, data }) =>
              (success !== undefined && success['const'] !== status.startsWith('2')) ||
              data?.['type'] === 'null',
          )
          .map(() => `${name} ${status}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('an optional body is one that is not required, never one that may be null', async () => {
    const { components } = await description()
    const mayBeNull = ({ $ref, ...schema }: Member) => {
      const known = components['schemas']?.[String($ref).split('/').at(-1) ?? ''] ?? schema
      const parts = [known, ...(((known as Member)['anyOf'] as Member[] | undefined) ?? [])]
      return parts.some((part) => (part as Member)['type'] === 'null')
    }
    const bodies = (await eachOperation()).flatMap(({ name, operation: { requestBody } }) =>
      requestBody === undefined ? [] : [{ name, ...requestBody }],
    )
    expect(bodies.filter(({ required }) => typeof required !== 'boolean')).toEqual([])
    expect(bodies.filter(({ content }) => schemasOf(content).some(mayBeNull))).toEqual([])
    expect(bodies.find(({ name }) => name === 'POST /rooms/{room_id}/close')?.required).toBe(false)
  })

  const ALWAYS = [
    ['UNAUTHORIZED', 'www-authenticate'],
    ['METHOD_NOT_ALLOWED', 'allow'],
    ['RATE_LIMIT_EXCEEDED', 'retry-after'],
    ['IDEMPOTENCY_KEY_IN_USE', 'retry-after'],
    ['SERVICE_UNAVAILABLE', 'retry-after'],
  ] as const
  const AT_THE_DOOR = [
    ['OUTSIDE_TIME_WINDOW', 'x-window-opens-at'],
    ['OUTSIDE_TIME_WINDOW', 'x-window-closes-at'],
    ['SESSION_RELEASED', 'x-session-released'],
  ] as const

  test('refusals name their headers, and every address says what 405 is', async () => {
    const operations = await eachOperation()
    const missing = operations.flatMap(({ name, operation }) => {
      const isLive = operation.tags?.includes('Participant plane') === true
      return Object.entries(operation.responses).flatMap(([status, { description: codes }]) =>
        [...ALWAYS, ...(isLive ? AT_THE_DOOR : [])]
          .filter(([code]) => codes.includes(`\`${code}\``))
          .filter(([, header]) => !headersOf(operation, status).includes(header))
          .map(([, header]) => `${name} ${status} ${header}`),
      )
    })
    expect(missing).toEqual([])
    expect(operations.filter(({ operation }) => !('405' in operation.responses))).toEqual([])
  })

  test('a stream that can be resumed says by which header', async () => {
    const { paths, components } = await description()
    const { parameters = [] } = paths['/api/v1/rooms/{room_id}/live/stream']?.['get'] ?? {}
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/LastEventId' })
    expect(components['parameters']?.['LastEventId']).toMatchObject({ name: 'Last-Event-ID' })
  })

  test('what a webhook carries is a component that its webhook refers to', async () => {
    const { webhooks, components } = await description()
    for (const [type, webhook] of Object.entries(webhooks)) {
      const { post } = webhook as { post: Document['paths'][string][string] }
      const [schema] = schemasOf(post.requestBody?.content)
      const name = String(schema?.['$ref']).split('/').at(-1) ?? ''
      expect(components['schemas']?.[name]).toMatchObject({
        properties: { type: { const: type }, version: { const: '1' } },
      })
    }
  })
})

function hasExample(content: Document['paths'][string][string]['responses'][string]['content']) {
  if (content === undefined) return true
  return Object.values(content).every(
    ({ example, examples }) => (example ?? examples) !== undefined,
  )
}

describe('its readable form at /docs', () => {
  test('comes with all it needs, and may fetch nothing from outside', async () => {
    const page = await plane.app.inject('/docs/')
    expect(page.statusCode).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:/)
    expect(page.body).not.toMatch(/(?:src|href)="https?:/)

    const script = await plane.app.inject('/docs/js/scalar.js')
    expect(script.statusCode).toBe(200)
    expect(script.headers['content-type']).toContain('javascript')
    const bare = await plane.app.inject('/docs')
    expect([bare.statusCode, bare.headers.location]).toEqual([301, '/docs/'])
  })
})
