import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevPages } from './dev-pages.ts'

describe('npm run dev', () => {
  let pages: Awaited<ReturnType<typeof createDevPages>>
  let origin: string
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dev-pages-'))
    // Any free port, with no service behind it. The cache is separate from the one of a running `npm run dev`.
    pages = await createDevPages({
      port: 0,
      service: 'http://127.0.0.1:9',
      cacheDir: folder,
      logLevel: 'error',
    })
    await pages.listen()
    origin = pages.resolvedUrls?.local[0] ?? ''
  })
  afterAll(async () => {
    await pages.close()
    // Vite may write to its cache for a moment after it was closed.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  test.each(['/', '/r/an-id', '/t/an-id', '/board', '/board?language=ja', '/console'])(
    'the page at %s finds its scripts and its icon',
    async (address) => {
      const page = new URL(address, origin)
      const html = await (await fetch(page)).text()
      const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part ?? '')
      expect(parts).toContainEqual(expect.stringContaining('main.tsx'))
      for (const part of parts) {
        const answer = await fetch(new URL(part, page))
        const type = part.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript'
        expect([part, answer.status, answer.headers.get('content-type')]).toEqual([part, 200, type])
      }
    },
  )
})
