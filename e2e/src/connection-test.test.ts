import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { BRIEF_RUN } from './harness/brief-run.ts'
import type { Person, Surroundings } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import { tabTo } from './harness/keyboard.ts'
import { BROWSERS, DEVICES } from './harness/limited-browsers.ts'
import { refusal } from './harness/room-page.ts'
import {
  begin,
  bookTest,
  measureConnection,
  openTest,
  testOf,
  deliveredEnds,
  untilOver,
} from './harness/subject.ts'
import { blockedSockets } from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import {
  againButton,
  beginButton,
  endButton,
  failedPage,
  introPage,
  measureButton,
  measureWithoutCameraButton,
  step,
  testPage,
} from './harness/test-page.ts'
import { SOON, waitFor } from './harness/wait.ts'

const LIFE_MIN_SEC = 60
const IDLE_MAX_MS = 46_000

const env = useTestEnvironment({ hasReceiver: true })

/** Opened, and left until it expires: the other tests run meanwhile. */
let late: Person & { id: string }

beforeAll(async () => {
  const booked = await bookTest(env.tenant, { expires_in_seconds: LIFE_MIN_SEC })
  late = { ...(await openTest(env.browser, booked)), id: booked.id }
  await introPage(late.page).waitFor(SOON)
})

afterEach(async () => injectFaults(env.service, {}))

describe('the pages before the measured run', () => {
  test.each([
    ['ja', '始める'],
    ['en', 'Start'],
  ])('are in the language of the test (%s), on a phone', async (locale, word) => {
    const booked = await bookTest(env.tenant, { locale })
    const { page, context } = await openTest(env.browser, booked, {
      isPhone: true,
      locale: 'fr-FR',
    })
    expect(await beginButton(page).innerText()).toBe(word)
    await expectAccessible(page, `intro in ${locale}`)
    await begin(page)
    await measureButton(page, 'enabled').waitFor(SOON)
    await expectAccessible(page, `device check in ${locale}`)
    await context.close()
  })

  test('can be completed with only the keyboard', async () => {
    const booked = await bookTest(env.tenant)
    const { page, context } = await openTest(env.browser, booked)
    await tabTo(beginButton(page))
    await page.keyboard.press('Enter')
    await measureButton(page, 'enabled').waitFor(SOON)
    await tabTo(measureButton(page))
    await page.keyboard.press('Enter')
    await testPage(page, 'measuring').waitFor(SOON)
    await expectAccessible(page, 'measured run')
    await context.close()
  })

  test('announce a recorded test', async () => {
    const booked = await bookTest(env.tenant, { record: true })
    const { page, context } = await openTest(env.browser, booked)
    expect(await introPage(page).innerText()).toContain('We record this test')
    await context.close()
  })
})

/** A browser that finds no device of this kind. */
function lacking(kind: 'audio' | 'video'): string {
  return `{
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wish) => {
      if (wish.${kind}) throw new DOMException('', 'NotFoundError')
      return ask(wish)
    }
  }`
}

/** A browser that knows the version of its system. */
const PLATFORM_HINTS = `NavigatorUAData.prototype.getHighEntropyValues = async () => ({ platformVersion: '6.12.1' })`

async function openBegun(asked: object = {}, surroundings: Surroundings = {}) {
  const booked = await bookTest(env.tenant, asked)
  const person = await openTest(env.browser, booked, surroundings)
  await begin(person.page)
  return { ...person, id: booked.id, link: booked.connect_url }
}

describe('missing devices', () => {
  test.each([
    {
      what: 'permission denied',
      before: DEVICES.denied,
      reason: 'permission_denied',
      found: 'denied',
    },
    { what: 'no microphone', before: lacking('audio'), reason: 'no_device', found: 'not_found' },
    { what: 'everything taken', before: DEVICES.busy, reason: 'no_device', found: 'in_use' },
  ] as const)(
    '$what: the page helps, and the end of the test gives the reason',
    async ({ before, reason, found }) => {
      const { page, context, id } = await openBegun({}, { before })
      await page.getByRole('button', { name: 'Try again' }).first().waitFor(SOON)
      expect(await measureButton(page).isDisabled()).toBe(true)
      await expectAccessible(page, reason)
      await endButton(page).click()
      await failedPage(page, reason).waitFor(SOON)
      await expectAccessible(page, `failed by ${reason}`)
      const over = await untilOver(env.tenant, id)
      expect(over).toMatchObject({ status: 'failed', failure_reason: reason, summary: null })
      expect(over.devices?.microphone).toBe(found)
      await waitFor(() => deliveredEnds(env, id).length === 1, { what: 'W5 arrives' })
      await context.close()
    },
  )

  test('no action for 45 seconds: the test ends automatically', async () => {
    const booked = await bookTest(env.tenant)
    const { page, context } = await openTest(env.browser, booked, { before: DEVICES.denied })
    await page.clock.install()
    await begin(page)
    await endButton(page).waitFor(SOON)
    await page.clock.fastForward(IDLE_MAX_MS)
    await failedPage(page, 'permission_denied').waitFor(SOON)
    await context.close()
  })

  test('no camera, on a system that reports its version: the test is completed without one', async () => {
    const before = `${lacking('video')}; ${PLATFORM_HINTS}; ${BRIEF_RUN}`
    const { page, context, id } = await openBegun({}, { before })
    await measureWithoutCameraButton(page).click(SOON)
    await testPage(page, 'done').waitFor(SOON)
    expect(await testOf(env.tenant, id)).toMatchObject({
      status: 'completed',
      devices: { camera: 'not_found', microphone: 'ok' },
      client: { platform_version: '6.12.1' },
    })
    await context.close()
  })

  test('a browser that is too old: the page explains it, and the test fails', async () => {
    const booked = await bookTest(env.tenant)
    const { page, context } = await env.openLink(booked.connect_url, BROWSERS.old)
    await refusal(page, 'too-old').waitFor(SOON)
    const over = await untilOver(env.tenant, booked.id)
    expect(over).toMatchObject({ status: 'failed', failure_reason: 'unsupported_browser' })
    await context.close()
  })
})

describe('a missing connection', () => {
  test('media blocked: the test fails and reports that signalling worked', async () => {
    await injectFaults(env.service, { line: { blocked: true } })
    const { page, context, id } = await openBegun()
    await measureConnection(page)
    await failedPage(page, 'media_failed').waitFor(SOON)
    const over = await untilOver(env.tenant, id)
    expect(over).toMatchObject({
      failure_reason: 'media_failed',
      baseline: { signaling: { connected: true }, media: { connected: false } },
    })
    await context.close()
  })

  test('signalling blocked: the test fails for that reason', async () => {
    const person = await openBegun({}, { prepare: blockedSockets.arrange })
    await blockedSockets.strike(person)
    const { page, context, id } = person
    // Refused immediately: nobody is sure to see the measured run in between.
    await measureButton(page, 'enabled').click(SOON)
    await failedPage(page, 'signaling_failed').waitFor(SOON)
    expect((await untilOver(env.tenant, id)).failure_reason).toBe('signaling_failed')
    await context.close()
  })

  test('the page closed halfway: the test is aborted by the user, and reported once', async () => {
    const { page, context, id, link } = await openBegun()
    await measureConnection(page)
    await step(page, 'baseline').waitFor(SOON)
    await page.close({ runBeforeUnload: true })
    const over = await untilOver(env.tenant, id)
    expect(over).toMatchObject({ status: 'failed', failure_reason: 'aborted_by_user' })
    await waitFor(() => deliveredEnds(env, id).length === 1, { what: 'W5 arrives' })

    const again = await env.openLink(link)
    await failedPage(again.page, 'aborted_by_user').waitFor(SOON)
    await again.context.close()
    await context.close()
  })
})

describe('another use of a link', () => {
  test('by a second page: the newest one continues, the first one explains it and reports nothing', async () => {
    const first = await openBegun()
    await measureConnection(first.page)
    await step(first.page, 'baseline').waitFor(SOON)
    const second = await env.openLink(first.link, { before: BRIEF_RUN })
    await begin(second.page)
    await measureConnection(second.page)
    await testPage(first.page, 'elsewhere').waitFor(SOON)
    await expectAccessible(first.page, 'opened elsewhere')
    await first.context.close()
    await testPage(second.page, 'done').waitFor(SOON)
    expect((await testOf(env.tenant, first.id)).status).toBe('completed')
    await second.context.close()
  })

  test('after its end: the page shows that it is over, and offers a new test', async () => {
    const { page, context, id, link } = await openBegun({}, { before: DEVICES.denied })
    await endButton(page).click(SOON)
    await testPage(page, 'failed').waitFor(SOON)
    await context.close()
    const again = await env.openLink(link)
    await testPage(again.page, 'failed').waitFor(SOON)
    await againButton(again.page).click()
    await introPage(again.page).waitFor(SOON)
    expect((await testOf(env.tenant, id)).status).toBe('failed')
    await again.context.close()
  })

  test('after its expiry: the page says that it is too late', async () => {
    const { page, context, id } = late
    await waitFor(async () => (await testOf(env.tenant, id)).status === 'expired', {
      what: 'the test expires',
      timeoutMs: 2 * LIFE_MIN_SEC * 1000,
    })
    // Begun too late, it is over as well.
    await beginButton(page).click()
    await testPage(page, 'expired').waitFor(SOON)
    await page.reload()
    await testPage(page, 'expired').waitFor(SOON)
    await expectAccessible(page, 'expired')
    expect(deliveredEnds(env, id)).toEqual([])
    await context.close()
  })

  test('with a wrong ticket, or without one: the page of a bad link', async () => {
    const booked = await bookTest(env.tenant)
    for (const fragment of ['#ticket=wrong', '']) {
      const link = booked.connect_url.replace(/#.*/, fragment)
      const { page, context } = await env.openLink(link)
      await testPage(page, 'badLink').waitFor(SOON)
      expect(await page.title()).toBe('Connection test')
      await expectAccessible(page, 'bad link')
      await context.close()
    }
    expect((await testOf(env.tenant, booked.id)).status).toBe('pending')
  })
})
