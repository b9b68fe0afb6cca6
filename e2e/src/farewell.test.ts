import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { control, leftPage, recordingIndicator, refusal } from './harness/room-page.ts'
import { endWindow } from './harness/slot.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { ANYTHING, consentText, containing } from './harness/words.ts'

const env = useTestEnvironment()
const STAFF_URL = 'https://www.example.com/interviews'
const PANELISTS_URL = 'https://www.example.com/thanks'

const main = (page: Page) => page.getByRole('main')
const backLink = (page: Page) =>
  main(page).getByRole('link', { name: consentText((t) => t.farewell.back) })
const recordingPart = (page: Page) =>
  main(page)
    .locator('section')
    .filter({
      has: page.getByRole('heading', { name: consentText((t) => t.farewell.recording.title) }),
    })
const dataHeading = (page: Page) =>
  main(page).getByRole('heading', { name: consentText((t) => t.farewell.data) })
const saveButton = (page: Page) =>
  main(page).getByRole('button', { name: consentText((t) => t.farewell.markers.save) })

async function setReturnUrls(...urls: [] | [panelists: string, staff: string]): Promise<void> {
  for (const [at, audience] of (['panelists', 'staff'] as const).entries()) {
    const url = urls[at] === undefined ? [] : ['--url', urls[at]]
    const whose = ['--tenant', env.service.local.tenant_id, '--for', audience]
    await env.service.admin('tenants', 'return-url', ...whose, ...url)
  }
}

beforeAll(async () => setReturnUrls(PANELISTS_URL, STAFF_URL))
afterAll(async () => setReturnUrls())

describe('after the close', () => {
  test('a moderator sees the recording become available, saves the own markers and goes back', async () => {
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'always' } })
    const who = { roomId, role: 'moderator', name: 'Mori' } as const
    const { page } = await env.enter(who, { hasDevices: true })
    await recordingIndicator(page).waitFor(SOON)
    const marked = page.waitForResponse(/live\/events$/)
    await page.keyboard.press('b')
    await marked
    await env.tenant.close(roomId)
    await refusal(page, 'closed').waitFor(SOON)
    const available = consentText((t) => t.farewell.recording.available(ANYTHING))
    await recordingPart(page).getByText(available).waitFor({ timeout: 120_000 })
    expect(await backLink(page).getAttribute('href')).toBe(STAFF_URL)

    await page.reload()
    await refusal(page, 'closed').waitFor(SOON)
    await recordingPart(page).getByText(available).waitFor(SOON)
    expect(await backLink(page).getAttribute('href')).toBe(STAFF_URL)
    await expectAccessible(page, 'the last page of a moderator')
    const downloading = page.waitForEvent('download')
    await saveButton(page).click()
    const saved = readFileSync(await (await downloading).path(), 'utf8')
    expect(saved).toMatch(containing(consentText((t) => t.farewell.markers.withoutNote)))
  })

  test('a panelist is thanked and reads what happens with the data, also after a reload', async () => {
    const { id: roomId } = await env.tenant.book()
    const { page } = await env.enter({ roomId, role: 'panelist', name: 'Pana' })
    await env.tenant.close(roomId)
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload()
      await refusal(page, 'closed').waitFor(SOON)
      await main(page)
        .getByText(consentText((t) => t.farewell.thanks))
        .waitFor(SOON)
      await dataHeading(page).waitFor(SOON)
      expect(await backLink(page).getAttribute('href')).toBe(PANELISTS_URL)
      expect(await recordingPart(page).count()).toBe(0)
    }
    await expectAccessible(page, 'the last page of a panelist')
  })

  test('a panelist who never came is not thanked', async () => {
    const { id: roomId } = await env.tenant.book()
    await env.tenant.close(roomId)
    const { page } = await env.open({ roomId, role: 'panelist', name: 'Late' })
    await refusal(page, 'closed').waitFor(SOON)
    await backLink(page).waitFor(SOON)
    expect(
      await main(page)
        .getByText(consentText((t) => t.farewell.thanks))
        .count(),
    ).toBe(0)
    expect(await dataHeading(page).count()).toBe(0)
  })
})

test('after the window, the link of a panelist who took part says that the interview has ended', async () => {
  const { id: roomId } = await env.tenant.book()
  const { page } = await env.enter({ roomId, role: 'panelist', name: 'Pana' })
  await endWindow(env.service.dataDir, { roomId, agoSec: 61 })
  await refusal(page, 'closed').waitFor(SOON)
  await page.reload()
  await refusal(page, 'closed').waitFor(SOON)
  await dataHeading(page).waitFor(SOON)
})

test('staff who leave, are banned, or come to a cancelled interview find the way back', async () => {
  const { id: roomId } = await env.tenant.book()
  const { page } = await env.enter({ roomId, role: 'observer', name: 'Obi' })
  await control(page, 'leave').click()
  await leftPage(page).waitFor(SOON)
  expect(await backLink(page).getAttribute('href')).toBe(STAFF_URL)

  const { page: banned } = await env.enter({ roomId, role: 'observer', name: 'Ben' })
  const here = await env.tenant.participants(roomId)
  const id = here.find(({ display_name }) => display_name === 'Ben')?.id
  await env.tenant.call('POST', `/rooms/${roomId}/participants/${id}/ban`, { reason: 'test' })
  await refusal(banned, 'banned').waitFor(SOON)
  await banned.reload()
  await refusal(banned, 'banned').waitFor(SOON)
  expect(await backLink(banned).getAttribute('href')).toBe(STAFF_URL)

  const later = await env.tenant.book({ startsInMin: 120 })
  await env.tenant.call('DELETE', `/sessions/${later.session.id}`)
  const { page: cancelled } = await env.open({ roomId: later.id, role: 'moderator', name: 'Mori' })
  await refusal(cancelled, 'cancelled').waitFor(SOON)
  expect(await backLink(cancelled).getAttribute('href')).toBe(STAFF_URL)
})
