import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import { connectRtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { inboundVideoBytes, streamedText } from './harness/browser.ts'
import { askToObserve } from './harness/consent-walk.ts'
import { COUNT_DEVICE_REQUESTS, deviceRequests } from './harness/device-requests.ts'
import {
  consentButton,
  control,
  goButton,
  interviewInfo,
  joinButton,
  liveRoom,
  messages,
  observationNotice,
  observationQuestion,
  openPage,
  ownConsentButton,
  refusal,
  say,
  tile,
} from './harness/room-page.ts'
import { endWindow } from './harness/slot.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { consentText } from './harness/words.ts'

const env = useTestEnvironment()

describe('entry refuses', () => {
  test('a token of an unknown role with 400 UNKNOWN_ROLE', async () => {
    const room = await env.tenant.book()
    const token = await env.tenant.signToken({ roomId: room.id, role: 'king', name: 'K' })
    expect(await env.tenant.enter(room.id, token)).toEqual({ status: 400, code: 'UNKNOWN_ROLE' })
  })

  test('an expired token with 401 UNAUTHORIZED', async () => {
    const room = await env.tenant.book()
    const token = await env.tenant.signToken({
      roomId: room.id,
      role: 'panelist',
      name: 'P',
      expiresInSec: -600,
    })
    expect(await env.tenant.enter(room.id, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('a forged token with 401 UNAUTHORIZED', async () => {
    const room = await env.tenant.book()
    const token = await env.tenant.signToken({ roomId: room.id, role: 'panelist', name: 'P' })
    const [header, payload, signature = ''] = token.split('.')
    const forged = [header, payload, signature.split('').toReversed().join('')].join('.')
    expect(await env.tenant.enter(room.id, forged)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('a token of another room with 401 UNAUTHORIZED', async () => {
    const [one, other] = [await env.tenant.book(), await env.tenant.book()]
    const token = await env.tenant.signToken({ roomId: one.id, role: 'panelist', name: 'P' })
    expect(await env.tenant.enter(other.id, token)).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('an early person with 422 OUTSIDE_TIME_WINDOW, and a page that shows when', async () => {
    const room = await env.tenant.book({ startsInMin: 120 })
    const options = { roomId: room.id, role: 'panelist', name: 'Early Bird' }
    const token = await env.tenant.signToken(options)
    expect(await env.tenant.enter(room.id, token)).toEqual({
      status: 422,
      code: 'OUTSIDE_TIME_WINDOW',
    })

    const { page, context } = await env.open(options, { before: COUNT_DEVICE_REQUESTS })
    await page.clock.install()
    await page.reload()
    const early = refusal(page, 'too-early')
    await early.waitFor()
    expect(await early.innerText()).toMatch(/\d{1,2}:\d{2}/)
    expect(await interviewInfo(page).innerText()).toContain('Early Bird')
    expect(await deviceRequests(page)).toEqual([])

    // The slot is moved, and its window opens while the page waits.
    const starts_at = new Date().toISOString()
    const path = `/sessions/${room.session.id}`
    expect((await env.tenant.call('PATCH', path, { starts_at })).status).toBe(200)
    await page.clock.fastForward(61_000)
    await openPage(page).waitFor()
    expect(await page.title()).toMatch(consentText((t) => t.open.title))
    await expectAccessible(page, 'the page of a room that has opened')
    expect(await deviceRequests(page)).toEqual([])
    expect(await env.tenant.participants(room.id)).toEqual([])
    await goButton(page).click()
    await joinButton(page).waitFor()
    expect(await page.getByRole('main').innerText()).toContain('End to end')
    await context.close()
  })

  test('everybody after the close with the page for a released session', async () => {
    const room = await env.tenant.book()
    await env.tenant.close(room.id)
    const who = { roomId: room.id, role: 'panelist', name: 'Late' }
    const { page, context } = await env.open(who, { before: COUNT_DEVICE_REQUESTS })
    await refusal(page, 'closed').waitFor()
    expect(await deviceRequests(page)).toEqual([])
    await context.close()
  })

  test('and removes the token from the address bar', async () => {
    const room = await env.tenant.book()
    const who = { roomId: room.id, role: 'panelist', name: 'Tidy' }
    const { page, context } = await env.open(who)
    await joinButton(page).waitFor()
    expect(page.url()).toBe(`${env.service.local.base_url}/r/${room.id}`)
    await context.close()
  })
})

test('the end of the window refuses entry, and removes everybody after a minute', async () => {
  const { id: roomId } = await env.tenant.book()
  const who = { roomId, role: 'panelist', name: 'Late' }
  const { page, context } = await env.enter(who)

  await endWindow(env.service.dataDir, { roomId, agoSec: 30 })
  const latecomer = await env.tenant.signToken({ ...who, name: 'Later' })
  const over = { status: 422, code: 'OUTSIDE_TIME_WINDOW' }
  expect(await env.tenant.enter(roomId, latecomer)).toEqual(over)
  expect(await liveRoom(page).count()).toBe(1)

  await endWindow(env.service.dataDir, { roomId, agoSec: 61 })
  await refusal(page, 'closed').waitFor()
  await waitFor(async () => (await env.tenant.entries(roomId)).every(({ left_at }) => left_at), {
    what: 'the entry is logged as left',
  })
  await context.close()
})

describe('without consent', () => {
  test('a custom client publishes nothing in a room that is always recorded', async () => {
    const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'always' } })
    const inside = await env.enterByHand({ roomId, role: 'panelist', name: 'Skips' })
    const client = await connectRtcClient(inside.media.url, inside.media.token)
    await expect(client.publishCamera()).rejects.toThrow(/^room error/)
    await inside.post('/events', { event_type: 'consent.given' })
    await client.publishCamera()
    await client.leave()
  })

  test('a page that is patched to skip the questions gets nobody recorded or observed', async () => {
    await askToObserve({ env }, 'required')
    const { id: roomId } = await env.tenant.book()
    const { page: observer } = await env.enter({ roomId, role: 'observer', name: 'Obi' })
    const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
    const { page } = await env.open({ roomId, role: 'panelist', name: 'Skips' })
    await askNothing(page)
    await joinButton(page).click(SOON)
    await control(page, 'leave').waitFor(SOON)
    await say(page, 'public', 'Nobody asked me')
    expect(await consentButton(page, 'give').count()).toBe(0)

    await expect(moderator.post('/recording/start', {})).rejects.toThrow('422 VALIDATION_ERROR')
    expect((await moderator.snapshot()).recording).toBeNull()
    await observationNotice(observer).waitFor(SOON)
    expect(await inboundVideoBytes(observer)).toBe(0)
    expect(await streamedText(observer)).not.toContain('Nobody asked me')
  })

  test('observers receive neither media nor the respondent chat, until everybody agrees', async () => {
    await askToObserve({ env }, 'required')
    const { id: roomId } = await env.tenant.book()
    const { page: observer } = await env.enter({ roomId, role: 'observer', name: 'Obi' })
    const moderator = { roomId, role: 'moderator', name: 'Mori' } as const
    const { page: staff } = await env.enter(moderator)
    const { page } = await env.open({ roomId, role: 'panelist', name: 'Pana' })
    await joinButton(page).click(SOON)
    await consentButton(page, 'give').click(SOON)
    await observationQuestion(page).waitFor(SOON)
    await consentButton(page, 'decline').click()
    await tile(staff, 'Pana').locator('video').waitFor(SOON)
    await say(staff, 'public', 'Hello, Pana')
    await observationNotice(observer).waitFor(SOON)
    expect(await inboundVideoBytes(observer)).toBe(0)
    expect(await streamedText(observer)).not.toContain('Hello, Pana')

    await control(page, 'consent').click()
    await ownConsentButton(page, 'give', 'observation').click()
    await tile(observer, 'Pana').locator('video').waitFor(SOON)
    const said = messages(observer, 'public').getByText('Hello, Pana')
    await said.waitFor({ ...SOON, state: 'attached' })
    await ownConsentButton(page, 'withdraw', 'observation').click()
    await observationNotice(observer).waitFor(SOON)
    await tile(observer, 'Pana')
      .locator('video')
      .waitFor({ ...SOON, state: 'hidden' })
  })
})

/** Whatever the service says, to this page everything is agreed. */
async function askNothing(page: Page): Promise<void> {
  await page.route('**/live/entry', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: EntryBody }
    const consents: EntryBody['consents'] = { recording: 'given', observation: 'given' }
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, consents } } })
  })
}
