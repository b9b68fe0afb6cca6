import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { useTestEnvironment } from './harness/test-environment.ts'

const GUIDE = path.resolve(import.meta.dirname, '../../docs/guide')
/** Written for `/docs`; the reference is made by a library from the API description. */
const PAGES = ['', 'errors', ...readdirSync(GUIDE).map((file) => path.basename(file, '.md'))]
const NARROW = { width: 320, height: 640 }

const env = useTestEnvironment()
let page: Page

beforeAll(async () => {
  const visitor = await env.openLink(`${env.service.local.base_url}/docs/`)
  ;({ page } = visitor)
})

describe('the integration guide', () => {
  test.each(PAGES)('/docs/%s has no axe violations and fits into 320 pixels', async (name) => {
    await page.setViewportSize(NARROW)
    await page.goto(`${env.service.local.base_url}/docs/${name}`)
    await expectAccessible(page, `/docs/${name}`)
  })

  test('links only to pages that exist', async () => {
    const origin = env.service.local.base_url
    await page.goto(`${origin}/docs/`)
    const seen = new Set<string>()
    for (const name of PAGES) {
      await page.goto(`${origin}/docs/${name}`)
      const links = await page
        .getByRole('link')
        .evaluateAll((all) =>
          all.map((link) => (link as HTMLAnchorElement).href.replace(/#.*/, '')),
        )
      for (const link of links) if (link.startsWith(origin)) seen.add(link)
    }
    expect(seen.size).toBeGreaterThan(PAGES.length)
    const answers = await Promise.all(
      [...seen].map(async (link) => [link, (await fetch(link)).status]),
    )
    expect(answers.filter(([, status]) => status !== 200)).toEqual([])
  })
})
