import { expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { roomText } from './harness/words.ts'

const env = useTestEnvironment()
const TITLES = { 'ja-JP': 'ページが見つかりません', 'en-GB': 'Page not found' }

test.each(['ja-JP', 'en-GB'] as const)(
  'an unknown address shows a page in the language of the browser: %s',
  async (locale) => {
    const context = await env.browser.newContext({ locale, viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    const response = await page.goto(`${env.service.local.base_url}/nonsense`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: roomText((t) => t.notFound.title) }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TITLES[locale])
    await expectAccessible(page, 'the page of an unknown address')
    await context.close()
  },
)
