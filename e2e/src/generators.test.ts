import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GENERATORS } from './harness/generators.ts'
import { ROOT } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { missingTools, run } from './harness/tools.ts'

const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
const MINUTES_MS = 60_000

describe.runIf(IS_FULL_RUN)('a client that is generated from the API description', () => {
  const env = useTestEnvironment({ hasBrowser: false })
  let root: string
  let webhook: string

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'generators-'))
    const { webhooks } = JSON.parse(await readFile(path.join(ROOT, 'docs/openapi.json'), 'utf8'))
    const { content } = webhooks['participant.entered'].post.requestBody
    webhook = JSON.stringify(content['application/json'].example)
  })

  afterAll(async () => {
    // The module cache of Go is read-only, and elsewhere.
    await rm(root, { recursive: true, force: true })
  })

  test.for(Object.entries(GENERATORS))(
    'by %s compiles, and books, lists, closes, reads an error and a webhook',
    { timeout: 15 * MINUTES_MS },
    async ([name, { needs, build }], { skip }) => {
      const missing = missingTools(needs)
      skip(missing.length > 0, `this machine has no ${missing.join(', ')}`)
      const folder = await mkdtemp(path.join(root, `${name}-`))
      const [command, ...args] = await build(folder)
      const starts = Date.now() + 60 * MINUTES_MS
      const { base_url: baseUrl, api_key: apiKey } = env.service.local
      const printed = await run(command, args, {
        cwd: folder,
        env: {
          BASE_URL: baseUrl,
          API_KEY: apiKey,
          EXTERNAL_ID: randomUUID(),
          STARTS_AT: new Date(starts).toISOString(),
          ENDS_AT: new Date(starts + 60 * MINUTES_MS).toISOString(),
          WEBHOOK: webhook,
        },
      })
      const { room, ...others } = JSON.parse(printed) as { room: string }
      expect(room).toMatch(/^[0-9a-f-]{36}$/)
      expect(others).toEqual({
        listed: [room],
        closed: 'closed',
        session: 'cancelled',
        error: 'NOT_FOUND',
        event: 'panelist',
      })
    },
  )
})
