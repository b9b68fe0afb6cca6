import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import { join, type Person, streamedText } from './harness/browser.ts'
import { captionConflictsOn } from './harness/caption-conflicts.ts'
import { misfitsOf, resizeTo } from './harness/misfits.ts'
import {
  closePhoneMenu,
  consentButton,
  joinButton,
  liveRoom,
  openPhoneMenu,
  panelButtons,
  titledPage,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { captionsText, consentText, containing } from './harness/words.ts'

const PROGRAM = path.resolve(import.meta.dirname, 'harness/say-live.ts')
const WORD = '言葉'
const TRANSLATED = 'word'
const INTO = ['--translate-to', 'en-US']
const MODERATOR = 'Mori'
const AGREES = 'Aoki'
const DECLINES = 'Doi'
const SAMPLES = 10
const PHONE = { width: 320, height: 640 }
const ROOMY = { width: 1600, height: 900 }
const SIZES = [
  PHONE,
  { ...PHONE, textPercent: 200 },
  { width: 640, height: 360 },
  { width: 800, height: 1000 },
  { width: 1280, height: 720 },
  { width: 1280, height: 720, textPercent: 200 },
  { width: 1920, height: 1080 },
]
/** Captions come and go, and the layout follows. */
const FIT_MS = 30_000

const env = useTestEnvironment({
  ownService: {
    env: {
      LIVE_TEXT_ENGINES: 'local',
      LIVE_TEXT_LOCAL_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
    },
  },
})

beforeAll(async () => {
  const whose = ['--tenant', env.service.local.tenant_id]
  await env.service.admin('tenants', 'live-text', ...whose, '--for', 'everyone', ...INTO)
})

const captions = (page: Page) => page.locator('[data-captions]')
const captionOf = (page: Page, name: string) =>
  captions(page).locator('p').filter({ hasText: name }).filter({ hasText: WORD })
const captionsButton = (page: Page) =>
  page.getByRole('button', { name: captionsText((t) => t.button), exact: true })
const transcriptButton = (page: Page) =>
  panelButtons(page).filter({ hasText: captionsText((t) => t.transcript.tab) })
const transcript = (page: Page) =>
  page.getByRole('region', { name: captionsText((t) => t.transcript.title) })
const lines = (page: Page) => transcript(page).getByRole('log').getByRole('listitem')

async function openTranscript(page: Page): Promise<void> {
  await transcriptButton(page).click(SOON)
  await transcript(page).waitFor(SOON)
}

interface Panelist {
  roomId: string
  name: string
  answer: 'give' | 'decline'
}

/** A panelist who agrees to be recorded, speaks, and has answered the question about live text. */
async function enterPanelist({ roomId, name, answer }: Panelist): Promise<Person> {
  const who = { roomId, role: 'panelist', name } as const
  const person = await env.open(who, { hasCamera: false, staysOpen: true })
  const { page } = person
  await joinButton(page).click(SOON)
  const recording = titledPage(
    page,
    consentText((t) => t.recording.title),
  )
  await recording.waitFor(SOON)
  await consentButton(page, 'give').click(SOON)
  const question = titledPage(
    page,
    consentText((t) => t.transcription.title),
  )
  await question.waitFor(SOON)
  await question
    .getByRole('button', {
      name: consentText((t) => (answer === 'give' ? t.give : t.transcription.decline)),
    })
    .click(SOON)
  await liveRoom(page).waitFor(SOON)
  return person
}

/** A moderator who speaks, an observer, and a panelist who speaks. */
async function talk(audience: 'staff' | 'everyone', answer: Panelist['answer']) {
  const { id: roomId } = await env.tenant.book({ room: { live_text: audience } })
  const open = { staysOpen: true, hasCamera: false }
  const who = { roomId, role: 'moderator', name: MODERATOR }
  const moderator = await env.open(who, { ...open, hasDevices: true })
  await join(moderator)
  const name = answer === 'give' ? AGREES : DECLINES
  const panelist = await enterPanelist({ roomId, name, answer })
  const observer = await env.enter({ roomId, role: 'observer', name: 'Ono' }, { staysOpen: true })
  return { roomId, moderator, panelist, observer }
}

/** Milliseconds between the moment at which a program printed a word and the one at which this page shows it. */
async function delaysOn(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const seen = new Map<string, number>()
    await new Promise<void>((resolve) => {
      const look = () => {
        for (const [, at = ''] of document
          .querySelector('[data-captions]')
          ?.textContent.matchAll(/@(\d{13})/g) ?? []) {
          if (!seen.has(at)) seen.set(at, Date.now() - Number(at))
        }
        if (seen.size > count) resolve()
        else requestAnimationFrame(look)
      }
      look()
    })
    // The first one may have been there before.
    return [...seen.values()].slice(1)
  }, SAMPLES)
}

describe('where staff may read along', () => {
  let people: Awaited<ReturnType<typeof talk>>
  beforeAll(async () => {
    people = await talk('staff', 'decline')
  })

  test('moderator and observer see captions, and the panelist learns of nothing', async () => {
    const { moderator, observer, panelist } = people
    for (const { page } of [moderator, observer]) await captionOf(page, MODERATOR).waitFor(SOON)
    expect(await captionsButton(panelist.page).count()).toBe(0)
    expect(await transcriptButton(panelist.page).count()).toBe(0)
    expect(await streamedText(panelist.page)).not.toContain(WORD)
  })

  test('nothing of a panelist who declined is text', async () => {
    const { page } = people.moderator
    await openTranscript(page)
    await waitFor(async () => (await lines(page).count()) >= 3, { what: 'three lines' })
    expect(await lines(page).filter({ hasText: DECLINES }).count()).toBe(0)
    const known = await env.tenant.participants(people.roomId)
    const moderator = known.find(({ role }) => role === 'moderator')
    const streamed = await streamedText(page)
    const speakers = [...streamed.matchAll(/"identity":"([^"]+)","segment"/g)].map(([, id]) => id)
    expect(new Set(speakers)).toEqual(new Set([moderator?.id]))
  })

  test('who comes late reads what was said before, and finds words in it', async () => {
    const { roomId, moderator } = people
    const [first = ''] = await lines(moderator.page).allInnerTexts()
    const said = /@\d{13}/.exec(first)?.[0] ?? 'nothing'
    const { page } = await env.enter({ roomId, role: 'platform_observer', name: 'Opal' })
    await openTranscript(page)
    await lines(page).filter({ hasText: said }).waitFor(SOON)
    const field = transcript(page).getByRole('searchbox')
    await field.fill(said)
    await waitFor(async () => (await lines(page).count()) === 1, { what: 'one line is found' })
    expect(await lines(page).locator('mark').innerText()).toBe(said)
    await field.fill('')

    const log = transcript(page).getByRole('log')
    expect(await log.getAttribute('aria-live')).toBe('off')
    await resizeTo(page, { width: 1000, height: 400 })
    const back = transcript(page).getByRole('button', {
      name: captionsText((t) => `${t.transcript.toEnd} ↓`),
    })
    await waitFor(() => log.evaluate((box) => box.scrollHeight > box.clientHeight + 100), {
      what: 'there is something to scroll',
    })
    expect(await back.count()).toBe(0)
    await log.evaluate((box) => box.scrollTo({ top: 0 }))
    await back.click(SOON)
    await back.waitFor({ ...SOON, state: 'detached' })
  })

  test('a reader chooses a translation where there is one', async () => {
    const { roomId } = people
    const { page } = await env.enter({ roomId, role: 'observer', name: 'Abe' })
    await openTranscript(page)
    const line = lines(page).first()
    await line.filter({ hasText: WORD }).waitFor(SOON)
    const choice = containing(captionsText((t) => t.language))
    await transcript(page).getByRole('button', { name: choice }).click(SOON)
    await page.getByRole('option', { name: /English|英語/ }).click(SOON)
    await line.filter({ hasText: TRANSLATED }).waitFor(SOON)
    expect(await line.innerText()).not.toContain(WORD)
    const translation = captions(page).locator('[lang="en-US"]').filter({ hasText: TRANSLATED })
    await translation.waitFor(SOON)
  })

  test('captions and transcript pass axe', async () => {
    const { page } = people.moderator
    await captionOf(page, MODERATOR).waitFor(SOON)
    expect(await captions(page).locator('xpath=ancestor::*[@aria-live]').count()).toBe(0)
    await expectAccessible(page, 'captions and transcript of a moderator')
  })

  test('a word is on the page soon after it was printed', async () => {
    const delays = (await delaysOn(people.observer.page)).toSorted((one, other) => one - other)
    expect(delays).toHaveLength(SAMPLES)
    const at = (share: number) => delays[Math.ceil(share * SAMPLES) - 1]
    process.stdout.write(
      `word printed → caption on the page: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`,
    )
  })

  test('each person chooses size and language, or none, and the device remembers it', async () => {
    const { roomId } = people
    const observer = await env.enter({ roomId, role: 'observer', name: 'Oda' })
    const { page } = observer
    await captionOf(page, MODERATOR).waitFor(SOON)
    await captionsButton(page).click()
    const dialog = page.getByRole('dialog', { name: captionsText((t) => t.title) })
    const large = dialog.getByRole('radio', { name: captionsText((t) => t.sizes.large) })
    await large.check()
    await page.locator('[data-captions][data-size="large"]').waitFor(SOON)
    await expectAccessible(page, 'choices of captions')
    await dialog.getByRole('checkbox').uncheck()
    await captions(page).waitFor({ ...SOON, state: 'detached' })
    await page.reload()
    await join(observer)
    await captionsButton(page).click(SOON)
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(false)
    expect(await large.isChecked()).toBe(true)
    await dialog.getByRole('checkbox').check()
    await page.locator('[data-captions][data-size="large"]').waitFor(SOON)
  })
})

describe('where everybody may read along', () => {
  test('a panelist has captions, over nothing that is pressed on any page, and no transcript', async () => {
    const { panelist, moderator } = await talk('everyone', 'give')
    const { page } = panelist
    await captionOf(page, MODERATOR).waitFor(SOON)
    await captionOf(moderator.page, AGREES).waitFor(SOON)
    for (const size of SIZES) {
      for (const each of [page, moderator.page]) {
        await resizeTo(each, size)
        const isFree = async () => (await captionConflictsOn(each)).join(', ') === ''
        await waitFor(isFree, { what: `captions fit ${JSON.stringify(size)}`, timeoutMs: FIT_MS })
      }
    }
    await resizeTo(page, PHONE)
    expect(await misfitsOf(page, 44)).toEqual([])
    await openPhoneMenu(page)
    await captionsButton(page).waitFor(SOON)
    expect(await transcriptButton(page).count()).toBe(0)
    await closePhoneMenu(page)
    await resizeTo(page, { ...PHONE, textPercent: 200 })
    await captionOf(page, MODERATOR).waitFor(SOON)
    await waitFor(async () => (await misfitsOf(page, 44)).length === 0, { what: 'everything fits' })
    await resizeTo(page, ROOMY)
    await expectAccessible(page, 'captions of a panelist')
  })
})
