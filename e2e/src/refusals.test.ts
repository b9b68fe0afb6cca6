import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { join, launchBrowser, openAs } from './harness/browser.ts'
import { removeDataDir, type Service, startService } from './harness/service.ts'
import { endWindow } from './harness/slot.ts'
import { actAsTenant, type Tenant } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

let service: Service
let tenant: Tenant
let browser: Browser

beforeAll(async () => {
  service = await startService({ env: { RECONCILE_EVERY_SEC: '1' } })
  tenant = actAsTenant(service.local)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
})

describe('the gate refuses', () => {
  test('a token of an unknown role with 400 UNKNOWN_ROLE', async () => {
    const room = await tenant.book()
    const token = await tenant.signToken({ roomId: room.id, role: 'king', name: 'K' })
    expect(await tenant.enter(room.id, token)).toEqual({ status: 400, code: 'UNKNOWN_ROLE' })
  })

  test('an expired token with 401 UNAUTHORIZED', async () => {
    const room = await tenant.book()
    const token = await tenant.signToken({
      roomId: room.id,
      role: 'panelist',
      name: 'P',
      expiresInSec: -600,
    })
    expect(await tenant.enter(room.id, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('a forged token with 401 UNAUTHORIZED', async () => {
    const room = await tenant.book()
    const token = await tenant.signToken({ roomId: room.id, role: 'panelist', name: 'P' })
    const [header, payload, signature = ''] = token.split('.')
    const forged = [header, payload, signature.split('').toReversed().join('')].join('.')
    expect(await tenant.enter(room.id, forged)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('a token of another room with 401 UNAUTHORIZED', async () => {
    const [one, other] = [await tenant.book(), await tenant.book()]
    const token = await tenant.signToken({ roomId: one.id, role: 'panelist', name: 'P' })
    expect(await tenant.enter(other.id, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('somebody too early with 422 OUTSIDE_TIME_WINDOW, and a page that says when', async () => {
    const room = await tenant.book({ startsInMin: 120 })
    const options = { roomId: room.id, role: 'panelist', name: 'Early Bird' }
    const token = await tenant.signToken(options)
    expect(await tenant.enter(room.id, token)).toEqual({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })

    const { page, context } = await openAs(browser, await tenant.link(options))
    await page.getByTestId('join-button').click()
    const refusal = page.locator('[data-testid="refusal"][data-code="OUTSIDE_TIME_WINDOW"]')
    await refusal.waitFor()
    expect(await refusal.innerText()).toMatch(/\d{1,2}:\d{2}/)
    await context.close()
  })

  test('anybody after the close with the page for a released session', async () => {
    const room = await tenant.book()
    await tenant.close(room.id)
    const link = await tenant.link({ roomId: room.id, role: 'panelist', name: 'Late' })
    const { page, context } = await openAs(browser, link)
    await page.getByTestId('join-button').click()
    await page.locator('[data-testid="refusal"][data-code="SESSION_RELEASED"]').waitFor()
    await context.close()
  })

  test('and takes the token out of the address bar', async () => {
    const room = await tenant.book()
    const link = await tenant.link({ roomId: room.id, role: 'panelist', name: 'Tidy' })
    const { page, context } = await openAs(browser, link)
    await page.getByTestId('join-button').waitFor()
    expect(page.url()).toBe(`${service.local.base_url}/r/${room.id}`)
    await context.close()
  })
})

test('the end of the window refuses whoever comes, and puts out those inside after a minute', async () => {
  const { id: roomId } = await tenant.book()
  const who = { roomId, role: 'panelist', name: 'Late' }
  const person = await openAs(browser, await tenant.link(who))
  const { page, context } = person
  await join(person)

  await endWindow(service.dataDir, { roomId, agoSec: 30 })
  const newcomer = await tenant.signToken({ ...who, name: 'Later' })
  const over = { status: 422, code: 'OUTSIDE_TIME_WINDOW' }
  expect(await tenant.enter(roomId, newcomer)).toEqual(over)
  expect(await page.locator('[data-testid="room"][data-state="live"]').count()).toBe(1)

  await endWindow(service.dataDir, { roomId, agoSec: 61 })
  await page.locator('[data-testid="refusal"][data-code="OUTSIDE_TIME_WINDOW"]').waitFor()
  await waitFor(async () => (await tenant.entries(roomId)).every(({ left_at }) => left_at), {
    what: 'the entry is logged as left',
  })
  await context.close()
})
