import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, violationsInBothSchemes, violationsOf } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import {
  acceptedOutcome,
  keyField,
  rows,
  secretNotice,
  sectionButton,
  signInButton,
  signOutButton,
} from './harness/console-page.ts'
import { bookButton, roleLink } from './harness/playground-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { consoleText, playgroundText } from './harness/words.ts'

const LOOK_MS = 1_000
const NARROW_PX = 320
/** Half of the layout shift that counts as good. */
const SHIFT_MAX = 0.05
const SECTIONS = [
  'rooms',
  'endpoints',
  'deliveries',
  'events',
  'apiKeys',
  'tokenKeys',
  'accessLog',
  'usage',
] as const

const env = useTestEnvironment({ hasReceiver: true })
let person: Person
let page: Page
let apiKey = ''

beforeAll(async () => {
  const { local } = env.service
  const args = ['--tenant', local.tenant_id, '--scope', 'control', '--scope', 'manage']
  const issued = (await env.service.admin('api-keys', 'issue', ...args)) as { api_key: string }
  apiKey = issued.api_key
  person = await env.openLink(`${local.base_url}/console`, { hasDevices: false })
  page = person.page
})

const button = (choose: Parameters<typeof consoleText>[0]) =>
  page.getByRole('button', { name: consoleText(choose) })

async function signIn(key: string): Promise<void> {
  await keyField(page).fill(key)
  await signInButton(page).press('Enter')
}

/** The status of an answer to a request with this API key. */
async function statusFor(apiKey: string): Promise<number> {
  const answer = await fetch(`${env.service.local.base_url}/api/v1/connection-tests`, {
    headers: { authorization: `ApiKey ${apiKey}` },
  })
  return answer.status
}

describe('the console', () => {
  test('asks for an API key with the scope manage, and says why one does not work', async () => {
    await keyField(page).waitFor(SOON)
    await expectAccessible(page, 'signing in')
    await signIn('nonsense')
    await page.getByText(consoleText((t) => t.signIn.problem.malformed)).waitFor(SOON)
    // A key with only the scope `control`.
    await signIn(env.service.local.api_key)
    await page.getByText(consoleText((t) => t.signIn.problem.refused)).waitFor(SOON)
    await signIn(apiKey)
    await signOutButton(page).waitFor(SOON)
  })

  test('keeps the key for this tab only, and out of the address', async () => {
    await page.reload()
    await signOutButton(page).waitFor(SOON)
    expect(page.url()).toBe(`${env.service.local.base_url}/console`)
    const local = await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)
    expect(local).not.toContain(apiKey.split('.')[1])
  })

  test('loads and calls nothing but the service', async () => {
    const answer = await fetch(page.url())
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('http')
  })

  test('shows the rooms of a day, with the people present', async () => {
    await page.getByText(consoleText((t) => t.rooms.empty)).waitFor(SOON)
    const { id: roomId } = await env.tenant.book({ name: 'Instant coffee' })
    await env.enterByHand({ roomId, role: 'panelist', name: 'Hana' })
    await button((t) => t.refresh).click(SOON)
    const room = rows(page, 'rooms').filter({ hasText: 'Instant coffee' })
    await room.getByText(consoleText((t) => t.rooms.status.active)).click(SOON)
    await room.getByText(roomId, { exact: true }).waitFor(SOON)
    await expectAccessible(page, 'a room')
    await page.getByLabel(consoleText((t) => t.rooms.day)).fill('2020-02-29')
    await page.getByText(consoleText((t) => t.rooms.empty)).waitFor(SOON)
    expect(await rows(page, 'rooms').count()).toBe(0)
  })

  test('issues an API key, and shows it once', async () => {
    await sectionButton(page, 'apiKeys').click(SOON)
    await page.getByLabel(consoleText((t) => t.apiKeys.note)).fill('Booking service')
    await button((t) => t.apiKeys.issue).click(SOON)
    const secret = await secretNotice(page).getByRole('code').innerText()
    expect(await statusFor(secret)).toBe(200)
    await button((t) => t.secret.done).click(SOON)
    await rows(page, 'apiKeys').filter({ hasText: 'Booking service' }).waitFor(SOON)
    expect(await page.content()).not.toContain(secret.split('.')[1])
  })

  test('rotates an API key: the old one has an end, and the new one works', async () => {
    const old = rows(page, 'apiKeys').filter({ hasText: 'Booking service' })
    await old.getByRole('button', { name: consoleText((t) => t.apiKeys.rotate) }).click(SOON)
    const dialog = page.getByRole('alertdialog')
    await expectAccessible(page, 'rotation of a key')
    await dialog.getByRole('button', { name: consoleText((t) => t.apiKeys.rotate) }).click(SOON)
    const secret = await secretNotice(page).getByRole('code').innerText()
    expect(await statusFor(secret)).toBe(200)
    await button((t) => t.secret.done).click(SOON)
    await expect.poll(async () => old.count()).toBe(2)
  })

  test('adds an endpoint, tests it, and delivers the test again', async () => {
    await sectionButton(page, 'endpoints').click(SOON)
    const url = `${env.receiver.url}/console`
    await page.getByLabel('URL').fill(url)
    await button((t) => t.endpoints.create).click(SOON)
    env.receiver.secret = await secretNotice(page).getByRole('code').innerText()
    await button((t) => t.secret.done).click(SOON)
    const row = rows(page, 'endpoints').filter({ hasText: url })
    await row.getByRole('button', { name: consoleText((t) => t.endpoints.test) }).click(SOON)
    await acceptedOutcome(page).waitFor(SOON)

    await sectionButton(page, 'deliveries').click(SOON)
    const delivery = rows(page, 'deliveries').first()
    await delivery.getByText('webhook.test').first().click(SOON)
    await delivery.getByText('"type": "webhook.test"').waitFor(SOON)
    await button((t) => t.deliveries.redeliver).click(SOON)
    await acceptedOutcome(page).waitFor(SOON)
    const sent = env.receiver.received.filter(({ type }) => type === 'webhook.test')
    expect(sent.map(({ isVerified }) => isVerified)).toEqual([true, true])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    await delivery.getByText(consoleText((t) => t.deliveries.attempts(2))).waitFor(SOON)
    await expectAccessible(page, 'a delivery')
  })

  test('pauses and resumes an endpoint by the keyboard, and keeps the focus', async () => {
    await sectionButton(page, 'endpoints').click(SOON)
    const row = rows(page, 'endpoints').first()
    for (const [before, after] of [
      ['pause', 'resume'],
      ['resume', 'pause'],
    ] as const) {
      const named = (name: typeof before) =>
        row.getByRole('button', { name: consoleText((t) => t.endpoints[name]) })
      await named(before).press('Enter', SOON)
      await named(after).waitFor(SOON)
      expect(await named(after).evaluate((each) => each === document.activeElement)).toBe(true)
    }
  })

  test('shows new events without a reload', async () => {
    await sectionButton(page, 'events').click(SOON)
    await rows(page, 'events').filter({ hasText: 'webhook.test' }).waitFor(SOON)
    const api = `${env.service.local.base_url}/api/v1/webhook-endpoints`
    const headers = { authorization: `ApiKey ${apiKey}` }
    const { data } = (await (await fetch(api, { headers })).json()) as {
      data: { items: { id: string }[] }
    }
    await fetch(`${api}/${data.items[0]?.id}/test`, { method: 'POST', headers })
    await waitFor(async () => (await rows(page, 'events').count()) === 2, { what: 'an event' })
  })

  test('has no axe violations in any section, and does not scroll sideways on a phone', async () => {
    await page.setViewportSize({ width: NARROW_PX, height: 640 })
    for (const section of SECTIONS) {
      await sectionButton(page, section).click(SOON)
      const loading = page.getByText(consoleText((t) => t.loading))
      await loading.waitFor({ ...SOON, state: 'detached' })
      await expect.poll(async () => page.locator('button[aria-disabled="true"]').count()).toBe(0)
      // An everyday run judges this once. The long run judges each section in both colour schemes.
      const judge = IS_FULL_RUN ? violationsInBothSchemes : violationsOf
      expect(await judge(page, section)).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, section).toBeLessThanOrEqual(NARROW_PX)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('signs out automatically when its key is revoked, and forgets the key', async () => {
    await env.service.admin('api-keys', 'revoke', '--key-id', apiKey.split('.')[0] ?? '')
    await sectionButton(page, 'apiKeys').click(SOON)
    // The revocation takes effect within a second: the list is requested until then.
    await waitFor(
      async () => {
        if (await keyField(page).isVisible()) return true
        // The button is gone as soon as the page signs out, perhaps between two checks.
        await button((t) => t.refresh).click({ timeout: LOOK_MS })
        return false
      },
      { what: 'signed out' },
    )
    await page.getByText(consoleText((t) => t.signIn.problem.ended)).waitFor(SOON)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await person.context.close()
  })
})

describe('the playground', () => {
  test('is the console of the demo tenant, and gets another key when its own is revoked', async () => {
    const { page, context } = await env.openLink(env.service.local.base_url, { hasDevices: false })
    await sectionButton(page, 'apiKeys').click(SOON)
    const mark = page.getByText(consoleText((t) => t.apiKeys.own))
    const own = rows(page, 'apiKeys').filter({ has: mark })
    const keyId = async () => own.getByRole('code').innerText(SOON)
    const before = await keyId()
    const revoke = consoleText((t) => t.apiKeys.revoke)
    await own.getByRole('button', { name: revoke }).click(SOON)
    await page.getByRole('alertdialog').getByRole('button', { name: revoke }).click(SOON)
    const refresh = page.getByRole('button', { name: consoleText((t) => t.refresh) })
    await waitFor(
      async () => {
        await refresh.click(SOON)
        return (await own.count()) === 1 && (await keyId()) !== before
      },
      { what: 'another key' },
    )
    await page
      .getByRole('navigation')
      .getByRole('button', { name: playgroundText((t) => t.section) })
      .click(SOON)
    await bookButton(page).click(SOON)
    await roleLink(page, 'moderator').waitFor(SOON)
    await context.close()
  })

  test('moves nothing that is read while it starts, and neither does the console', async () => {
    const { page } = await env.openLink(env.service.local.base_url, {
      hasDevices: false,
      prepare: async (context) => context.addInitScript(watchShifts),
    })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(env.service.local.base_url)
      // A room that another test has booked, with everything below it.
      await roleLink(page, 'moderator').waitFor(SOON)
      expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX)
      await page.goto(`${env.service.local.base_url}/console`)
      await keyField(page).waitFor(SOON)
      expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX)
    }
  })
})

interface ShiftedWindow {
  shift: number
}

/** Runs in the page before its own scripts: adds up what moved without a press. */
function watchShifts(): void {
  const watched = globalThis as unknown as ShiftedWindow
  watched.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
      watched.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The layout shift so far, after the frame that is being drawn. */
const shiftOf = async (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return (globalThis as unknown as ShiftedWindow).shift
  })
