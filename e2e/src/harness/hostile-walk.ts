import type { BrowserContext, Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { join, type Person } from './browser.ts'
import { SWITCHED_OFF } from './limited-browsers.ts'
import { NAMES, type PageRecorder, SESSION_NAME } from './page-recorder.ts'
import { control, openPanel, recordingButton, recordingIndicator, say, tile } from './room-page.ts'
import {
  bufferingProxy,
  clockJump,
  type Surrounding,
  tabs,
  text200,
  translator,
} from './surroundings.ts'
import type { Visit } from './test-environment.ts'
import { SOON } from './wait.ts'

type Look = (page: Page, name: PageStateName) => Promise<void>

/** Marks the words that the translator has moved: it leaves them as they are, and a picture would not show it. */
const MARK = `for (const words of document.querySelectorAll('font > font')) {
  words.textContent = '«' + words.textContent.trim() + '»'
}`
const PHONE = { isPhone: true }

/** A respondent and a moderator in a room, in one of the surroundings that people really have. */
interface Pair {
  moderator: Person
  panelist: Person
}

async function inPair(
  recorder: PageRecorder,
  visits: { moderator?: Visit; panelist?: Visit },
  look: (pair: Pair) => Promise<void>,
): Promise<void> {
  const room = await recorder.env.tenant.book({ name: SESSION_NAME })
  const moderator = await recorder.enter(room, 'moderator', visits.moderator)
  const panelist = await recorder.enter(room, 'panelist', visits.panelist)
  await tile(panelist.page, NAMES.moderator).locator('video').waitFor(SOON)
  await look({ moderator, panelist })
  for (const { context } of [moderator, panelist]) await context.close()
}

const around = (recorder: PageRecorder, { arrange }: Surrounding) => ({
  prepare: async (context: BrowserContext) => arrange(context, recorder.env),
})

async function record({ page }: Person): Promise<void> {
  await control(page, 'recording').click(SOON)
  await recordingButton(page, 'start').click(SOON)
  await page.keyboard.press('Escape')
}

/** Visits the pages of people in surroundings that once cost them the interview. */
export async function expectHostile(recorder: PageRecorder, look: Look): Promise<void> {
  await expectStates(recorder, look)
  await expectBackKey(recorder, look)
  await expectSilence(recorder, look)
  await expectEighthTab(recorder, look)
}

async function expectStates(recorder: PageRecorder, look: Look): Promise<void> {
  const translated = around(recorder, translator)
  await inPair(recorder, { panelist: translated }, async ({ moderator, panelist }) => {
    await record(moderator)
    await recordingIndicator(panelist.page, 'written').waitFor(SOON)
    await panelist.page.evaluate(MARK)
    await look(panelist.page, 'translated-recording')
  })
  const heldBack = { ...PHONE, ...around(recorder, bufferingProxy) }
  await inPair(recorder, { panelist: heldBack }, async ({ moderator, panelist }) => {
    await record(moderator)
    await say(moderator.page, 'public', 'まず、この新商品の第一印象を教えてください。')
    await openPanel(panelist.page, 'public')
    await look(panelist.page, 'held-back')
  })
  const corrected = around(recorder, clockJump)
  await inPair(recorder, { moderator: corrected }, async ({ moderator }) => {
    await clockJump.strike(moderator)
    await look(moderator.page, 'clock-corrected')
  })
  const large = { ...PHONE, ...around(recorder, text200) }
  await inPair(recorder, { panelist: large }, async ({ moderator, panelist }) => {
    await say(moderator.page, 'public', 'https://example.com/package')
    await openPanel(panelist.page, 'public')
    await look(panelist.page, 'large-text')
  })
}

async function expectBackKey(recorder: PageRecorder, look: Look): Promise<void> {
  await inPair(recorder, { panelist: PHONE }, async ({ panelist: { page } }) => {
    await page.goBack()
    await look(page, 'leave-asked')
  })
}

async function expectSilence(recorder: PageRecorder, look: Look): Promise<void> {
  const silent = { ...PHONE, before: SWITCHED_OFF }
  await inPair(recorder, { panelist: silent }, async ({ moderator, panelist }) => {
    await look(panelist.page, 'microphone-silent')
    await look(moderator.page, 'moderator-no-sound')
  })
}

/** An operator has eight rooms open in one browser. */
async function expectEighthTab(recorder: PageRecorder, look: Look): Promise<void> {
  const room = await recorder.env.tenant.book({ name: SESSION_NAME })
  const person = await recorder.open(room, 'platform_observer', around(recorder, tabs(8)))
  await join(person)
  await say(person.page, 'observer_only', '進行は予定どおりです。')
  await look(person.page, 'eighth-tab')
  await person.context.close()
}
