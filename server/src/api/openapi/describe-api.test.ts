import { BOARD_EVENTS } from '@interview-room/contract/board.ts'
import { STREAM_EVENTS } from '@interview-room/contract/live-stream.ts'
import { EVENT_ID } from '@interview-room/contract/management.ts'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { describeApi } from './describe-api.ts'
import type { Document } from './document.ts'

const plane = useControlPlane({
  config: loadConfig({ ...TEST_ENVIRONMENT, PUBLIC_URL: 'https://interviews.example.com' }),
})

async function description(): Promise<Document> {
  const answer = await plane.app.inject('/api/v1/openapi.json')
  // Throws what the answer does not say, such as that a parameter has no example.
  if (answer.statusCode === 500) describeApi(plane.app, plane.deps.config)()
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

describe('the description of the API', () => {
  // contract: Form of answers › The checked-in description is what the routes really check and
  //   answer
  test('is the file in docs/ (written by `npm run openapi`)', async () => {
    const text = `${JSON.stringify(await description(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../../../docs/openapi.json')
  })

  // contract: Form of answers › Everything of the contract is offered, and nothing that is not
  //   described
  test('describes every operation of the contract, and no other', async () => {
    const { paths } = await description()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      ),
    )
    expect(described.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  // contract: Form of answers › The description is valid OpenAPI 3.1, webhooks included
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

  // contract: Form of answers › Every success and every refusal has an example
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
type Envelope = { success?: Member; data?: Member }

/** The schema that a reference leads to. */
function resolved({ $ref, ...schema }: Member, components: Document['components']): Member {
  if (typeof $ref !== 'string') return schema
  return (components['schemas']?.[$ref.split('/').at(-1) ?? ''] ?? {}) as Member
}

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

/** True if the form of the text fits the schema. */
function mayBe({ type, enum: words, const: word, format, pattern }: Member, text: string): boolean {
  if (![type].flat().includes('string') || words !== undefined || word !== undefined) return false
  if (format !== undefined) return false
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)
}

describe('every operation is described so that code can be generated of it', () => {
  test('success is a plain boolean, and data is never nothing but null', async () => {
    const { components } = await description()
    const enveloped = (await eachOperation()).flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        schemasOf(content)
          .map((schema) => (resolved(schema, components)['properties'] ?? {}) as Envelope)
          .filter(({ success }) => success !== undefined)
          .map((envelope) => ({ name: `${name} ${status}`, status, envelope })),
      ),
    )
    const wrong = enveloped.filter(
      ({ envelope: { success, data } }) =>
        success?.['type'] !== 'boolean' || 'const' in success || data?.['type'] === 'null',
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
    for (const status of ['2', '4', '5']) {
      expect(enveloped.some((each) => each.status.startsWith(status))).toBe(true)
    }
  })

  test('no schema lists types, other than one with null: generators of code know no such list', async () => {
    const lists = [...JSON.stringify(await description()).matchAll(/"type":\[([^\]]+)\]/g)]
    expect(lists.map(([, types]) => types).filter((types) => !types?.includes('null'))).toEqual([])
  })

  test('a choice is `oneOf`, other than one with null: generators of code make an empty type of `anyOf`', async () => {
    const choices = [...JSON.stringify(await description()).matchAll(/"anyOf":(\[[^\]]*\])/g)]
    const others = choices.filter(([, choice]) => !choice?.endsWith(',{"type":"null"}]'))
    expect(others).toEqual([])
  })

  test('patterns have no `\\u0000`, which is an error in PHP and Go', async () => {
    const patterns = [...JSON.stringify(await description()).matchAll(/"pattern":"([^"]+)"/g)]
    expect(patterns.length).toBeGreaterThan(50)
    expect(patterns.map(([, pattern]) => pattern).filter((each) => each?.includes('\\u'))).toEqual(
      [],
    )
  })

  test('an optional body is one that is not required, never one that may be null', async () => {
    const { components } = await description()
    const mayBeNull = ({ $ref, ...schema }: Member) => {
      const known = components['schemas']?.[String($ref).split('/').at(-1) ?? ''] ?? schema
      const { anyOf = [], oneOf = [] } = known as { anyOf?: Member[]; oneOf?: Member[] }
      return [known as Member, ...anyOf, ...oneOf].some(({ type }) =>
        [type].flat().includes('null'),
      )
    }
    const bodies = (await eachOperation()).flatMap(({ name, operation: { requestBody } }) =>
      requestBody === undefined ? [] : [{ name, ...requestBody }],
    )
    expect(bodies.filter(({ required }) => typeof required !== 'boolean')).toEqual([])
    expect(bodies.filter(({ content }) => schemasOf(content).some(mayBeNull))).toEqual([])
    const optional = ['POST /rooms/{room_id}/close', 'PATCH /handouts/{handout_id}']
    for (const each of optional) {
      expect(bodies.find(({ name }) => name === each)?.required).toBe(false)
    }
  })

  test('no text of a request may contain NUL, which we refuse in JSON', async () => {
    const { components } = await description()
    const known = components['schemas'] as Record<string, Member>
    const mayHoldNul = (schema: Member, path: string, seen: readonly string[] = []): string[] => {
      const { $ref } = schema
      const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : ''
      if (seen.includes(name)) return []
      if (name !== '') return mayHoldNul(known[name] ?? {}, path, [...seen, name])
      const parts = ['anyOf', 'allOf', 'oneOf'].flatMap((word) => (schema[word] ?? []) as Member[])
      const members = Object.entries((schema['properties'] ?? {}) as Record<string, Member>)
      return [
        ...(mayBe(schema, '\u0000'.repeat(8)) ? [path] : []),
        ...parts.flatMap((part) => mayHoldNul(part, path, seen)),
        ...members.flatMap(([member, part]) => mayHoldNul(part, `${path}.${member}`, seen)),
        ...(schema['items'] ? mayHoldNul(schema['items'] as Member, `${path}[]`, seen) : []),
      ]
    }
    const found = (await eachOperation()).flatMap(({ name, operation }) =>
      schemasOf(operation.requestBody?.content).flatMap((schema) => mayHoldNul(schema, name)),
    )
    expect(found).toEqual([])
  })

  const ALWAYS = [
    ['UNAUTHORIZED', 'www-authenticate'],
    ['METHOD_NOT_ALLOWED', 'allow'],
    ['RATE_LIMIT_EXCEEDED', 'retry-after'],
    ['IDEMPOTENCY_KEY_IN_USE', 'retry-after'],
    ['SERVICE_UNAVAILABLE', 'retry-after'],
  ] as const
  const ENTRY_REFUSALS = [
    ['OUTSIDE_TIME_WINDOW', 'x-window-opens-at'],
    ['OUTSIDE_TIME_WINDOW', 'x-window-closes-at'],
    ['SESSION_RELEASED', 'x-session-released'],
  ] as const

  test('refusals name their headers, and every address describes 405', async () => {
    const operations = await eachOperation()
    const missing = operations.flatMap(({ name, operation }) => {
      const isLive = operation.tags?.includes('Participant plane') === true
      return Object.entries(operation.responses).flatMap(([status, { description: codes }]) =>
        [...ALWAYS, ...(isLive ? ENTRY_REFUSALS : [])]
          .filter(([code]) => codes.includes(`\`${code}\``))
          .filter(([, header]) => !headersOf(operation, status).includes(header))
          .map(([, header]) => `${name} ${status} ${header}`),
      )
    })
    expect(missing).toEqual([])
    expect(operations.filter(({ operation }) => !('405' in operation.responses))).toEqual([])
  })

  test('a stream names its events, and the data of each', async () => {
    const { paths, components } = await description()
    const eventsOf = (path: string) => {
      const { content } = paths[path]?.['get']?.responses['200'] ?? {}
      const schema = content?.['text/event-stream']?.schema as Member
      const { oneOf } = resolved(schema, components) as { oneOf: Member[] }
      const events = oneOf.map((each) => resolved(each, components)['properties'])
      return events.map((properties) => (properties as { event: Member }).event['const'])
    }
    expect(eventsOf('/api/v1/rooms/{room_id}/live/stream')).toEqual(Object.keys(STREAM_EVENTS))
    expect(eventsOf('/api/v1/board/stream')).toEqual(Object.keys(BOARD_EVENTS))
  })

  test('the Idempotency-Key has an example: without one, tools make up two hundred characters', async () => {
    const { IdempotencyKey } = (await description()).components['parameters'] ?? {}
    expect(IdempotencyKey).toMatchObject({ name: 'Idempotency-Key', example: expect.any(String) })
  })

  test('a stream that can be resumed names the header for it', async () => {
    const { paths, components } = await description()
    const { parameters = [] } = paths['/api/v1/rooms/{room_id}/live/stream']?.['get'] ?? {}
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/LastEventId' })
    expect(components['parameters']?.['LastEventId']).toMatchObject({ name: 'Last-Event-ID' })
  })

  test('the example of a webhook has an id that the event feed takes', async () => {
    const { webhooks } = await description()
    const examples = Object.values(webhooks).map((webhook) => {
      const { post } = webhook as { post: Document['paths'][string][string] }
      return post.requestBody?.content['application/json']?.example
    })
    const ids = examples.map((example) => (example as { id: string }).id)
    expect(ids).toEqual(ids.map(() => expect.stringMatching(EVENT_ID)))
  })

  test('the body of a webhook is a component that its webhook refers to', async () => {
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
