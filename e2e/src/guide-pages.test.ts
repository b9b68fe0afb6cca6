import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { useTestEnvironment } from './harness/test-environment.ts'

const GUIDE = path.resolve(import.meta.dirname, '../../docs/guide')
const PAGES = [
  '',
  'errors',
  ...readdirSync(GUIDE).map((file) => path.basename(file, '.md')),
  'reference',
  'reference/rooms',
  'reference/recordings',
  'reference/webhook-events',
]
const NARROW = { width: 320, height: 640 }
const WIDE = { width: 1280, height: 800 }

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

describe('on a phone', () => {
  test('the list of pages is behind a button', async () => {
    await page.setViewportSize(NARROW)
    await page.goto(`${env.service.local.base_url}/docs/webhooks`)
    const menu = page.getByRole('button', { name: 'Pages' })
    const list = page.getByRole('navigation', { name: 'Documentation' })
    await menu.waitFor()
    expect(await list.isVisible()).toBe(false)
    await menu.click()
    await list.waitFor()
    await expectAccessible(page, 'the list of pages')
    await list.getByRole('link', { name: 'Rooms', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Rooms' }).waitFor()
  })
})

describe('the search', () => {
  test('finds a section of any page, by the keyboard alone', async () => {
    await page.setViewportSize(WIDE)
    await page.goto(`${env.service.local.base_url}/docs/`)
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('room_closed')
    const found = page.getByRole('search').getByRole('link', { name: /^ROOM_CLOSED/ })
    await found.waitFor()
    await expectAccessible(page, 'the results of a search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#ROOM_CLOSED')
  })

  test('says that it finds nothing, and ends with Escape', async () => {
    await page.goto(`${env.service.local.base_url}/docs/`)
    await page.getByRole('searchbox').fill('zzzz')
    const status = page.getByRole('search').getByText('Nothing found')
    await status.waitFor()
    await page.keyboard.press('Escape')
    await status.waitFor({ state: 'hidden' })
  })
})

test('a button copies a block of code', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${env.service.local.base_url}/docs/reference/rooms`)
  const block = page.locator('.code').first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(async () => navigator.clipboard.readText())
  expect(copied).toBe(await block.locator('code').textContent())
})

test('one page leads to the next', async () => {
  await page.goto(`${env.service.local.base_url}/docs/five-minutes`)
  await page.getByRole('link', { name: /^Next Participant tokens/ }).click()
  await page.waitForURL('**/docs/participant-tokens')
  expect(await page.getByRole('link', { name: /^Previous Your first interview/ }).count()).toBe(1)
})
