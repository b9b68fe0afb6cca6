import { describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { COUNT_DEVICE_REQUESTS, deviceRequests } from './harness/device-requests.ts'
import {
  goButton,
  interviewInfo,
  joinButton,
  liveRoom,
  openPage,
  refusal,
} from './harness/room-page.ts'
import { endWindow } from './harness/slot.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { waitFor } from './harness/wait.ts'
import { consentText } from './harness/words.ts'

const env = useTestEnvironment()

describe('the gate refuses', () => {
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

  test('somebody too early with 422 OUTSIDE_TIME_WINDOW, and a page that says when', async () => {
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
    expect(await interviewInfo(page).innerText()).toContain('End to end')
    await context.close()
  })

  test('anybody after the close with the page for a released session', async () => {
    const room = await env.tenant.book()
    await env.tenant.close(room.id)
    const who = { roomId: room.id, role: 'panelist', name: 'Late' }
    const { page, context } = await env.open(who, { before: COUNT_DEVICE_REQUESTS })
    await refusal(page, 'closed').waitFor()
    expect(await deviceRequests(page)).toEqual([])
    await context.close()
  })

  test('and takes the token out of the address bar', async () => {
    const room = await env.tenant.book()
    const who = { roomId: room.id, role: 'panelist', name: 'Tidy' }
    const { page, context } = await env.open(who)
    await joinButton(page).waitFor()
    expect(page.url()).toBe(`${env.service.local.base_url}/r/${room.id}`)
    await context.close()
  })
})

test('the end of the window refuses whoever comes, and puts out those inside after a minute', async () => {
  const { id: roomId } = await env.tenant.book()
  const who = { roomId, role: 'panelist', name: 'Late' }
  const { page, context } = await env.enter(who)

  await endWindow(env.service.dataDir, { roomId, agoSec: 30 })
  const latecomer = await env.tenant.signToken({ ...who, name: 'Later' })
  const over = { status: 422, code: 'OUTSIDE_TIME_WINDOW' }
  expect(await env.tenant.enter(roomId, latecomer)).toEqual(over)
  expect(await liveRoom(page).count()).toBe(1)

  await endWindow(env.service.dataDir, { roomId, agoSec: 61 })
  await refusal(page, 'over').waitFor()
  await waitFor(async () => (await env.tenant.entries(roomId)).every(({ left_at }) => left_at), {
    what: 'the entry is logged as left',
  })
  await context.close()
})
