import { readFile } from 'node:fs/promises'
import { createClient } from '@interview-room/sdk/client.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import { openRecordedRoom, recordingsOf, untilEnded, untilRecorded } from './harness/recorded.ts'
import {
  backToNow,
  clipForm,
  clipOf,
  commentField,
  commentWith,
  downloadButton,
  headingOf,
  keyHelp,
  laneOf,
  lineWith,
  linkToReview,
  makeClip,
  playButton,
  recordForReview,
  searchField,
  secondsOf,
  still,
  tabOf,
  transcriptLines,
  untilTranscribed,
  video,
  voiceOf,
} from './harness/review-page.ts'
import { useTestEnvironment, type Visit } from './harness/test-environment.ts'
import { LATER_MS, SOON, waitFor } from './harness/wait.ts'
import { reviewText } from './harness/words.ts'

const PART_SEC = 6
const EVERYTHING = ['watch', 'comment', 'clip', 'download', 'share', 'staff'] as const
/** Stands where a recogniser of speech would: says the same of every sound. Sentences close to each other would be one line. */
const SAID = [
  '[00:00:00.500 --> 00:00:01.750] The first sentence',
  '[00:00:03.500 --> 00:00:05.250] The second sentence',
  '[00:00:07.000 --> 00:00:08.500] And the last one',
]
const COMMAND = JSON.stringify(['printf', `${'%s\\n'.repeat(SAID.length)}%.0s`, ...SAID, '{audio}'])

const env = useTestEnvironment({ ownService: { env: { TRANSCRIPTION_LOCAL_COMMAND: COMMAND } } })
let roomId: string
let recordingId: string
let person: Person

beforeAll(async () => {
  ;({ roomId, recordingId } = await recordForReview(env, PART_SEC))
  await untilTranscribed(env, recordingId)
  person = await open({ may: EVERYTHING })
})

async function open(
  link: Parameters<typeof linkToReview>[2],
  visit?: Visit,
  scope: Parameters<typeof linkToReview>[1] = { recordingId },
): Promise<Person> {
  return env.openLink(await linkToReview(env, scope, link), visit)
}

async function revoke(jti: string): Promise<void> {
  const { tenant_id: tenantId, base_url: baseUrl } = env.service.local
  const args = ['--tenant', tenantId, '--scope', 'manage']
  const issued = (await env.service.admin('api-keys', 'issue', ...args)) as { api_key: string }
  const manager = createClient({ baseUrl, authorization: `ApiKey ${issued.api_key}` })
  await manager.revokeViewerToken({ body: { jti } })
}

/** The video has a picture, and stands here. */
async function expectAt({ page }: Person, sec: number): Promise<void> {
  const isThere = async () => Math.abs((await secondsOf(page)) - sec) < 0.3
  await waitFor(isThere, { what: `the video stands at ${sec} s` })
}

async function expectPlaying({ page }: Person): Promise<void> {
  const before = await secondsOf(page)
  const isLater = async () => (await secondsOf(page)) > before + 0.3
  await waitFor(isLater, { what: 'the video plays' })
}

const speedOf = async ({ page }: Person) =>
  video(page).evaluate((element: HTMLVideoElement) => element.playbackRate)

describe('a link to a recording', () => {
  test('opens it, takes the token out of the address bar, and a reload opens it again', async () => {
    const { page } = person
    await lineWith(page, 'The first sentence').waitFor(SOON)
    expect(page.url()).not.toContain('ey')
    await page.reload()
    await lineWith(page, 'The first sentence').waitFor(SOON)
    await expectAccessible(page, 'review: transcript')
  })

  test('opens at a second, which stays in the address and follows the reader', async () => {
    const later = await open({ may: ['watch'], place: '&t=7' })
    await expectAt(later, 7)
    expect(later.page.url()).toMatch(/#t=7$/)
    await later.page.keyboard.press('ArrowLeft')
    await expectAt(later, 2)
    expect(later.page.url()).toMatch(/#t=2$/)
  })

  test('and to another second of the same page seeks, and loads nothing again', async () => {
    const later = await open({ may: ['watch'] })
    await lineWith(later.page, 'The first sentence').waitFor(SOON)
    await later.page.evaluate(() => Object.assign(globalThis, { isKept: true }))
    await later.page.evaluate(() => (location.hash = '#t=5'))
    await expectAt(later, 5)
    expect(await later.page.evaluate(() => 'isKept' in globalThis)).toBe(true)
  })

  test('shows nothing that it does not allow', async () => {
    const { page } = await open({ may: ['watch'] })
    await lineWith(page, 'The first sentence').waitFor(SOON)
    expect(await page.getByRole('tab').count()).toBe(1)
    expect(await downloadButton(page).count()).toBe(0)
    await lineWith(page, 'The second sentence').click(SOON)
    expect(await makeClip(page).count()).toBe(0)
    await page.keyboard.press('?')
    await keyHelp(page).waitFor(SOON)
    expect(
      await keyHelp(page)
        .getByText(reviewText((t) => t.keys.keys.clip))
        .count(),
    ).toBe(0)
  })

  test('that was revoked ends the open page and a new one', async () => {
    const jti = `review-${recordingId}`
    const revoked = await open({ may: ['watch', 'comment'], jti })
    await lineWith(revoked.page, 'The first sentence').waitFor(SOON)
    await revoke(jti)
    await headingOf(revoked.page, 'ended').waitFor(SOON)
    await expectAccessible(revoked.page, 'review: ended')
    const again = await open({ may: ['watch', 'comment'], jti })
    await headingOf(again.page, 'ended').waitFor(SOON)
  })

  test('of another recording says that there is none', async () => {
    const link = await linkToReview(env, { recordingId }, { may: ['watch'] })
    const { page } = await env.openLink(link.replace(/\/v\/[^#]+/, `/v/${roomId}`))
    await headingOf(page, 'missing').waitFor(SOON)
  })

  test('of a room that is being recorded says so, and opens by itself when the file is there', async () => {
    const { roomId: room, panelist, moderator } = await openRecordedRoom(env)
    await moderator.post('/recording/start', { output_mode: 'composed' })
    await untilRecorded(moderator, 2)
    const { page } = await open({ may: ['watch'] }, {}, { roomId: room })
    await headingOf(page, 'started').waitFor(SOON)
    await expectAccessible(page, 'review: recording')
    await moderator.post('/recording/stop')
    await untilEnded(env.tenant, room)
    await panelist.leave()
    await playButton(page).waitFor(SOON)
  })

  test('that may download gives the file, everything as one ZIP, and tables', async () => {
    const { page } = person
    await downloadButton(page).click(SOON)
    const choices = page.getByRole('menu').getByRole('menuitem')
    expect(await choices.count()).toBe(5)
    const begun = page.waitForEvent('download', SOON)
    await choices.filter({ hasText: 'ZIP' }).click(SOON)
    expect((await begun).suggestedFilename()).toMatch(/\.zip$/)
  })

  test('of a room opens its recordings as one story', async () => {
    const { page } = await open({ may: ['watch'] }, {}, { roomId })
    await lineWith(page, 'The first sentence').waitFor(SOON)
  })
})

describe('watching', () => {
  test('plays, and goes on at its place with another address when the first one has expired', async () => {
    const short = await open(
      { may: ['watch'] },
      {
        prepare: (context) =>
          context.route('**/playback?*', async (route) => {
            const answer = await route.fetch()
            const { data } = (await answer.json()) as { data: { url: string } }
            const expires_at = new Date(Date.now() + 500).toISOString()
            await route.fulfill({ json: { success: true, data: { ...data, expires_at } } })
          }),
      },
    )
    await expectAt(short, 0)
    const renewed = short.page.waitForResponse(/\/playback\?/, SOON)
    await playButton(short.page).click(SOON)
    await expectPlaying(short)
    await short.page.keyboard.press('ArrowRight')
    await renewed
    await waitFor(async () => (await secondsOf(short.page)) > 5, { what: 'it has sought' })
    await expectPlaying(short)
  })

  test('remembers the speed and the place on this device', async () => {
    const { page } = person
    await page.keyboard.press('>')
    await page.keyboard.press('>')
    expect(await speedOf(person)).toBe(1.5)
    await lineWith(page, 'The second sentence').click(SOON)
    await expectAt(person, 3.5)
    await page.goto(page.url().replace(/#.*/, ''))
    await page.reload()
    await lineWith(page, 'The first sentence').waitFor(SOON)
    await expectAt(person, 3.5)
    expect(await speedOf(person)).toBe(1.5)
  })

  test('moves by sentences and by frames', async () => {
    const { page } = person
    await lineWith(page, 'The first sentence').click(SOON)
    await expectAt(person, 0.5)
    await page.keyboard.press('Shift+ArrowRight')
    await expectAt(person, 3.5)
    await page.keyboard.press('Shift+ArrowRight')
    await expectAt(person, 7)
    await page.keyboard.press('Shift+ArrowLeft')
    await expectAt(person, 3.5)
    const before = await secondsOf(page)
    await page.keyboard.press('.')
    await waitFor(async () => (await secondsOf(page)) > before, { what: 'the next frame' })
    expect((await secondsOf(page)) - before).toBeCloseTo(1 / 15, 2)
  })

  test('shows the pause, the marker and who speaks on the axis', async () => {
    const { page } = person
    await voiceOf(page, 'Pana').waitFor(SOON)
    await laneOf(page, 'break').getByRole('option').waitFor(SOON)
    const marker = laneOf(page, 'marker').getByRole('option', { name: /She hesitates/ })
    await marker.click(SOON)
    await waitFor(async () => Math.abs((await secondsOf(page)) - PART_SEC / 2) < 2, {
      what: 'the video stands at the marker',
    })
  })

  test('shows the picture under the pointer, and the video stays where it is', async () => {
    const { page } = person
    const before = await secondsOf(page)
    await laneOf(page, 'marker').getByRole('option').hover(SOON)
    await still(page).waitFor(SOON)
    const hasPicture = async () =>
      still(page).evaluate(
        ({ readyState, currentTime }: HTMLVideoElement) => readyState >= 2 && currentTime > 0,
      )
    await waitFor(hasPicture, { what: 'the picture is there' })
    expect(await secondsOf(page)).toBe(before)
  })
})

describe('the transcript', () => {
  test('follows until the reader scrolls, and a button leads back', async () => {
    const { page } = person
    expect(await backToNow(page).count()).toBe(0)
    await transcriptLines(page).first().hover()
    await page.mouse.wheel(0, 200)
    await backToNow(page).click(SOON)
    await backToNow(page).waitFor({ ...SOON, state: 'detached' })
  })

  test('finds words, and Enter jumps from hit to hit', async () => {
    const { page } = person
    await lineWith(page, 'The first sentence').click(SOON)
    await page.keyboard.press('/')
    await page.keyboard.type('SENTENCE')
    expect(await searchField(page).inputValue()).toBe('SENTENCE')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expectAt(person, 3.5)
    await page.keyboard.press('Enter')
    await expectAt(person, 0.5)
    await page.keyboard.press('Escape')
  })

  test('is exported as a table, with roles in place of names', async () => {
    const { page } = person
    await page.getByRole('button', { name: reviewText((t) => t.transcript.saveAs) }).click(SOON)
    const choices = page.getByRole('menu').getByRole('menuitem')
    expect(await choices.count()).toBe(10)
    await expectAccessible(page, 'review: export of the transcript')
    const begun = page.waitForEvent('download', SOON)
    await choices.filter({ hasText: 'CSV' }).last().click(SOON)
    const download = await begun
    expect(download.suggestedFilename()).toMatch(/^transcription-.*\.csv$/)
    const table = await readFile(await download.path(), 'utf8')
    expect(table).toContain('panelist,00:00:00.500,00:00:01.750,The first sentence')
    expect(table).not.toContain('Pana')
  })
})

describe('a room with two recordings', () => {
  test('is searched as a whole, and a hit leads to its recording', async () => {
    const { roomId: room, panelist, moderator } = await openRecordedRoom(env)
    for (const count of [1, 2]) {
      await moderator.post('/recording/start', { output_mode: 'composed' })
      await untilRecorded(moderator, 3)
      await moderator.post('/recording/stop')
      const made = await waitFor(
        async () => {
          const all = await recordingsOf(env.tenant, room)
          return all.filter(({ status }) => status === 'available')[count - 1]
        },
        { what: `recording ${count} is there`, timeoutMs: LATER_MS },
      )
      await untilTranscribed(env, made.id)
    }
    await panelist.leave()
    const reader = await open({ may: ['watch'] }, {}, { roomId: room })
    const { page } = reader
    await lineWith(page, 'The first sentence').waitFor(SOON)
    await searchField(page).fill('first SENTENCE')
    const elsewhere = page.getByRole('region', {
      name: reviewText((t) => t.transcript.elsewhere(2)),
    })
    await elsewhere.getByRole('button', { name: 'The first sentence' }).waitFor(SOON)
    await expectAccessible(page, 'review: hits in another recording')
    await elsewhere.getByRole('button', { name: 'The first sentence' }).click(SOON)
    await expectAt(reader, 0.5)
    const parts = page.getByRole('navigation', { name: reviewText((t) => t.parts) })
    expect(await parts.getByRole('button').nth(1).getAttribute('aria-current')).toBe('true')
    expect(await searchField(page).inputValue()).toBe('first SENTENCE')
  })
})

describe('a comment', () => {
  test('has the time at which typing began, and others see it', async () => {
    const { page } = person
    const other = await open({ may: ['watch', 'comment'], name: 'Ito' })
    await tabOf(other.page, 'comments').click(SOON)
    await tabOf(page, 'transcript').click(SOON)
    await lineWith(page, 'The second sentence').click(SOON)
    await expectAt(person, 3.5)
    await page.keyboard.press('c')
    await page.keyboard.type('Look at ')
    await page.evaluate(() => (location.hash = '#t=8'))
    await expectAt(person, 8)
    await commentField(page).focus()
    await page.keyboard.type('this')
    await page.keyboard.press('Enter')
    await commentWith(page, 'Look at this').getByRole('button', { name: '0:03' }).waitFor(SOON)
    await commentWith(other.page, 'Look at this').waitFor(SOON)
    await laneOf(page, 'comment')
      .getByRole('option', { name: /Look at this/ })
      .waitFor(SOON)
    await expectAccessible(page, 'review: comments')
  })

  test('is answered, and resolved by somebody else', async () => {
    const other = await open({ may: ['watch', 'comment'], name: 'Ito' })
    const { page } = other
    await tabOf(page, 'comments').click(SOON)
    await page.getByRole('button', { name: reviewText((t) => t.comments.answer) }).click(SOON)
    await page.keyboard.type('I see')
    await page.keyboard.press('Enter')
    await commentWith(person.page, 'I see').waitFor(SOON)
    await page.getByRole('button', { name: reviewText((t) => t.comments.resolve) }).click(SOON)
    await commentWith(person.page, 'Look at this').waitFor({ ...SOON, state: 'detached' })
  })
})

describe('a clip', () => {
  test('of selected lines has exactly the times of their words', async () => {
    const { page } = person
    await tabOf(page, 'transcript').click(SOON)
    await lineWith(page, 'The first sentence').click(SOON)
    await page.keyboard.press('Shift+ArrowDown')
    await makeClip(page).click(SOON)
    await clipForm(page)
      .getByRole('textbox', { name: reviewText((t) => t.clips.title) })
      .fill('Two sentences')
    await expectAccessible(page, 'review: clip')
    await clipForm(page)
      .getByRole('button', { name: reviewText((t) => t.clips.make) })
      .click(SOON)
    await clipOf(page, 'Two sentences').waitFor(SOON)
    const { items } = await env.tenant.api.listClips({ params: { recording_id: recordingId } })
    expect(items).toMatchObject([{ title: 'Two sentences', start_sec: 0.5, end_sec: 5.25 }])
    const begun = page.waitForEvent('download', SOON)
    await clipOf(page, 'Two sentences')
      .getByRole('button', { name: /^(?:ダウンロード|Download)/ })
      .click(SOON)
    expect((await begun).suggestedFilename()).toMatch(/^clip-.*\.mp4$/)
  })

  test('has its ends by I and O', async () => {
    const { page } = person
    await page.evaluate(() => (location.hash = '#t=5'))
    await expectAt(person, 5)
    await page.keyboard.press('i')
    await page.evaluate(() => (location.hash = '#t=7.5'))
    await expectAt(person, 7.5)
    await page.keyboard.press('o')
    const ends = clipForm(page).getByRole('status')
    await waitFor(async () => (await ends.allInnerTexts()).join(' ') === '0:05.0 0:07.5', {
      what: 'the range is the one of the keys',
    })
  })
})

describe('on a phone', () => {
  test('everything fits, and lines and comments work', async () => {
    const phone = await open({ may: EVERYTHING }, { isPhone: true, locale: 'ja-JP' })
    const { page } = phone
    await page.setViewportSize({ width: 360, height: 740 })
    await lineWith(page, 'The second sentence').click(SOON)
    await expectAt(phone, 3.5)
    await expectAccessible(page, 'review on a phone: transcript')
    await tabOf(page, 'axis').click(SOON)
    await laneOf(page, 'marker').waitFor(SOON)
    await expectAccessible(page, 'review on a phone: axis')
    await tabOf(page, 'comments').click(SOON)
    await commentField(page).fill('スマートフォンから')
    await page.getByRole('button', { name: reviewText((t) => t.comments.send) }).click(SOON)
    await commentWith(page, 'スマートフォンから').waitFor(SOON)
  })
})
