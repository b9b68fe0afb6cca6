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
