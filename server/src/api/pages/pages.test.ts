import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { createFakeStorage } from '../../testing/fake-storage.ts'
import { sendError } from '../http/errors.ts'
import { sendPage } from './pages.ts'

const SCRIPTS = ['say("まだ")', 'say(1 < 2)\nsay(3)']
const OWN = SCRIPTS.map((script) => `<script>${script}</script>`).join('\n')

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pages-'))
  writeFileSync(path.join(folder, 'with.html'), `${OWN}<script type="module" src="/a.js"></script>`)
  writeFileSync(path.join(folder, 'without.html'), '<script type="module" src="/a.js"></script>')
  const config = loadConfig({ ...TEST_ENVIRONMENT, PAGES_DIR: folder })
  const deps = { config, storage: createFakeStorage() }
  app = fastify()
  app.setErrorHandler(sendError)
  for (const reaches of ['the service', 'media and files'] as const) {
    app.get<{ Params: { file: string } }>(`/${reaches.at(-1)}/:file`, async ({ params }, reply) =>
      sendPage(reply, deps, { file: params.file, reaches }),
    )
  }
})

afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

async function scriptsOf(url: string): Promise<string | undefined> {
  const { headers } = await app.inject(url)
  return /script-src [^;]*/.exec(String(headers['content-security-policy']))?.[0]
}

test.each(['/e/with.html', '/s/with.html'])(
  'the policy of %s names the scripts that stand in the page, and no others',
  async (url) => {
    const hashes = SCRIPTS.map((script) => createHash('sha256').update(script).digest('base64'))
    const named = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
    expect(await scriptsOf(url)).toBe(`script-src 'self' ${named}`)
  },
)

test.each(['/e/without.html', '/s/without.html'])(
  'the policy of %s names none where none stands there',
  async (url) => {
    expect(await scriptsOf(url)).toBe("script-src 'self'")
  },
)

test('a page that is missing is not found', async () => {
  const { statusCode, body } = await app.inject('/e/none.html')
  expect([statusCode, JSON.parse(body).error.code]).toEqual([404, 'NOT_FOUND'])
})
