import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOrInstallFirefox } from '../../scripts/firefox.ts'
import { framesShown, inboundAudio, type Person } from './harness/browser.ts'
import {
  expectText,
  type FirefoxBrowser,
  type FirefoxPage,
  imageWidth,
  launchFirefox,
  playedSec,
  pressNamed,
} from './harness/firefox.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { untilEnded } from './harness/recorded.ts'
import { linkToReview } from './harness/review-page.ts'
import { messages, openPanel, say, showButton } from './harness/room-page.ts'
import { AS_BY_DEFAULT, type Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import {
  beginningWith,
  chatText,
  consentText,
  containing,
  reviewText,
  roomText,
} from './harness/words.ts'

const IS_FULL_RUN = process.env['TEST_SCOPE'] === 'whole'
const FIREFOX = IS_FULL_RUN ? findOrInstallFirefox() : undefined
if (IS_FULL_RUN && FIREFOX === undefined) {
  process.stdout.write('No Firefox: install it, or set FIREFOX_PATH. Its test is skipped.\n')
}

const PANELIST = 'Fox Panelist'

describe.runIf(FIREFOX !== undefined)('a respondent with Firefox', () => {
  const env = useTestEnvironment()
  let room: Room
  let moderator: Person
  let folder: string
  let firefox: FirefoxBrowser
  let page: FirefoxPage

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'firefox-'))
    room = await env.tenant.book({ room: AS_BY_DEFAULT })
    const content = imageOf({ r: 200, g: 40, b: 40 })
    const image = { kind: 'image', name: 'package.bmp', title: 'Package', content } as const
    await registerHandout(env.service, room, image)
    moderator = await env.enter(
      { roomId: room.id, role: 'moderator', name: 'Mori' },
      { hasDevices: true },
    )
    firefox = await launchFirefox(FIREFOX!, folder)
    page = await firefox.newPage()
    await page.goto(await env.tenant.link({ roomId: room.id, role: 'panelist', name: PANELIST }))
  })
  afterAll(async () => {
    await firefox?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('checks the devices, agrees to the recording, and enters', async () => {
    await pressNamed(
      page,
      roomText((t) => t.join),
    )
    await pressNamed(
      page,
      consentText((t) => [t.give, t.next]),
    )
    await expectText(
      page,
      roomText((t) => t.call.live),
    )
  })

  test('sees and hears the moderator, and is seen and heard', async () => {
    await waitFor(async () => (await framesShown(moderator.page, PANELIST)) > 10, {
      what: 'the moderator sees Firefox',
    })
    await waitFor(async () => (await inboundAudio(moderator.page)).packets > 50, {
      what: 'the moderator hears Firefox',
    })
    const before = await playedSec(page)
    expect(before.videos).toHaveLength(2)
    await waitFor(
      async () => {
        const now = await playedSec(page)
        const all = [...now.videos, ...now.voices]
        return now.voices.length > 0 && all.every((sec) => sec > 1)
      },
      { what: 'Firefox plays every video and the voice of the moderator' },
    )
  })

  test('reads and writes in the chat', async () => {
    await say(moderator.page, 'public', 'Hello, Firefox')
    await pressNamed(page, beginningWith(chatText((t) => t.onlyChat.tab)))
    await expectText(page, /Hello, Firefox/)
    const field = await page.waitForSelector('textarea')
    await field!.type('Hello, moderator')
    await page.keyboard.press('Enter')
    const said = messages(moderator.page, 'public').filter({ hasText: 'Hello, moderator' })
    await said.waitFor(SOON)
  })

  test('sees a handout', async () => {
    await openPanel(moderator.page, 'handouts')
    await showButton(moderator.page, 'Package').click()
    const width = await waitFor(async () => imageWidth(page, 'Package'), {
      what: 'Firefox shows the handout',
    })
    expect(width).toBe(64)
  })

  test('leaves, and reads a thank you', async () => {
    await pressNamed(
      page,
      roomText((t) => t.call.leave),
    )
    await expectText(page, containing(roomText((t) => t.left.title)))
  })

  test('watches the recording on the review page', async () => {
    await env.tenant.close(room.id)
    const recording = await untilEnded(env.tenant, room.id)
    const scope = { recordingId: recording?.id ?? '' }
    await page.goto(await linkToReview(env, scope, { may: ['watch'] }))
    await pressNamed(
      page,
      reviewText((t) => t.watching.play),
    )
    await waitFor(async () => (await playedSec(page)).videos.some((sec) => sec > 1), {
      what: 'Firefox plays the recording',
    })
  })
})
