import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { expectConsentAsked, expectNotRecording, expectWayIn } from './harness/consent-walk.ts'
import { expectConsole } from './harness/console-walk.ts'
import { enterAll, NAMES, usePageRecorder } from './harness/page-recorder.ts'
import { bookButton, roleLink, webhooks } from './harness/playground-page.ts'
import { expectRecordings } from './harness/playground-walk.ts'
import {
  askToMute,
  chooseMore,
  closePanel,
  control,
  handoutStage,
  helpDialog,
  hideButton,
  leftPage,
  liveRoom,
  markerDialog,
  messages,
  muteRequest,
  openPanel,
  personActions,
  personItem,
  refusal,
  say,
  showButton,
  stampButton,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { expectWords } from './harness/snapshots.ts'
import { expectSpeakerView } from './harness/speaker-walk.ts'
import { expectTestMissed, expectTestTaken } from './harness/test-walk.ts'
import { TRANSLATOR } from './harness/translator.ts'
import { SOON } from './harness/wait.ts'
import { peopleText, toolsText } from './harness/words.ts'
import { PAGE_STATES, type PageStateName } from './page-states.ts'

/**
 * Every page and every act of every role in a browser that translates the page. No page may be lost: none throws, fails to draw a
 * part of itself, or leaves the room. `translated-page.test.ts` has the recording, the chat and the hands.
 */
const HANDOUTS = ['パッケージ案A.png', 'パッケージ案B.png']
const QUESTION = '価格はいくらですか'

const errors: string[] = []
const recorder = usePageRecorder({
  before: TRANSLATOR,
  onPage(page) {
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error}`))
    page.on('console', (line) => {
      if (/NotFoundError|error occurred in/.test(line.text()))
        errors.push(`${page.url()}: ${line.text()}`)
    })
  },
})
const { env } = recorder

/** The page shows the words of this state. */
async function look(page: Page, name: PageStateName): Promise<void> {
  for (const words of PAGE_STATES[name].says.ja) await expectWords(page, { name, words })
}

afterEach(() => {
  // oxlint-disable-next-line vitest/no-standalone-expect -- every test visits pages, and each is to be judged
  expect(errors.splice(0)).toEqual([])
})

test('everybody works in a room until its end', async () => {
  const room = await env.tenant.book()
  await recorder.registerHandouts(room, HANDOUTS)
  const people = await enterAll(recorder, room)
  const { moderator, observer, platform_observer: operator, panelist } = people

  await openPanel(moderator.page, 'handouts')
  for (const handout of HANDOUTS) {
    await showButton(moderator.page, handout).click(SOON)
    for (const { page } of Object.values(people)) {
      await handoutStage(page).getByRole('img').waitFor(SOON)
    }
  }
  await hideButton(moderator.page).click(SOON)
  await handoutStage(panelist.page).waitFor({ state: 'detached', ...SOON })

  await openPanel(observer.page, 'questions')
  const question = observer.page.getByRole('textbox', {
    name: peopleText((t) => t.questions.label),
  })
  await question.fill(QUESTION)
  await question.press('Enter')
  await openPanel(moderator.page, 'questions')
  const asked = moderator.page.getByRole('listitem').filter({ hasText: QUESTION })
  const later = peopleText((t) => t.questions.status.later)
  await asked.getByRole('radio', { name: later }).click({ force: true, ...SOON })
  await openPanel(operator.page, 'questions')
  await operator.page.getByRole('listitem').filter({ hasText: QUESTION }).waitFor(SOON)

  await openPanel(observer.page, 'private')
  await say(observer.page, 'private', '価格についても聞いてください。')
  await openPanel(moderator.page, 'private')
  await messages(moderator.page, 'private').first().waitFor(SOON)
  await stampButton(moderator.page, 'private', 'ask_later').click(SOON)
  await messages(observer.page, 'private').nth(1).waitFor(SOON)
  await openPanel(operator.page, 'observer_only')
  await say(operator.page, 'observer_only', '進行は予定どおりです。')

  await control(panelist.page, 'help').click(SOON)
  await toolButton(helpDialog(panelist.page), (t) => t.help.send).click(SOON)
  await panelist.page.keyboard.press('Escape')
  await toolButton(moderator.page.getByRole('alert'), (t) => t.facts.dismiss)
    .first()
    .click(SOON)
  await control(moderator.page, 'mark').click(SOON)
  await markerDialog(moderator.page).getByRole('textbox').fill('価格の話')
  await toolButton(markerDialog(moderator.page), (t) => t.marker.save).click(SOON)
  await openPanel(moderator.page, 'facts')
  await control(panelist.page, 'camera').click(SOON)
  await control(panelist.page, 'camera').click(SOON)
  await askToMute(moderator.page, NAMES.panelist)
  await tile(moderator.page, NAMES.panelist, 'muted').waitFor(SOON)
  await toolButton(muteRequest(panelist.page), (t) => t.muteRequest.dismiss).click(SOON)
  await chooseMore(
    observer.page,
    toolsText((t) => t.more.stopVideos),
  )

  const { starts_at } = room.session
  const ends_at = new Date(Date.parse(starts_at) + 90 * 60_000).toISOString()
  await env.tenant.call('PATCH', `/sessions/${room.session.id}`, { ends_at })
  for (const { page } of Object.values(people)) {
    await liveRoom(page).waitFor(SOON)
    await closePanel(page)
  }
  await openPanel(moderator.page, 'roster')
  await personActions(moderator.page, NAMES.panelist).click(SOON)
  await personItem(moderator.page, 'ban').waitFor(SOON)
  await moderator.page.keyboard.press('Escape')

  await control(observer.page, 'leave').click(SOON)
  await leftPage(observer.page).waitFor(SOON)
  const here = await env.tenant.participants(room.id)
  const banned = here.find(({ role }) => role === 'panelist')?.id
  const ban = { reason: 'test' }
  await env.tenant.call('POST', `/rooms/${room.id}/participants/${banned}/ban`, ban)
  await refusal(panelist.page, 'banned').waitFor(SOON)
  await env.tenant.close(room.id)
  await refusal(moderator.page, 'closed').waitFor(SOON)
  await refusal(operator.page, 'closed').waitFor(SOON)
})

test('the board, the playground and the guide', async () => {
  const board = await recorder.openBoard()
  const { page } = await recorder.openLink(env.service.local.base_url)
  await bookButton(page).click(SOON)
  await roleLink(page, 'observer').waitFor(SOON)
  await webhooks(page).first().waitFor(SOON)
  await recorder.endBoards()
  await look(board.page, 'board-ended')
  const guide = await recorder.openLink(`${env.service.local.base_url}/docs/`)
  const links = await guide.page
    .locator('a[href^="/docs/"]')
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))
  expect(links.length).toBeGreaterThan(3)
  for (const link of new Set(links)) {
    await guide.page.goto(link)
    await guide.page.locator('font').first().waitFor(SOON)
  }
})

describe.runIf(IS_FULL_RUN)('every other page', () => {
  test('before the room, and at its end', async () => {
    await expectConsentAsked(recorder, look)
    await expectWayIn(recorder, look)
    await expectNotRecording(recorder, look)
  })

  test('with one of three people large', async () => {
    await expectSpeakerView(recorder, look)
  })

  test('of the connection test', async () => {
    await expectTestTaken(recorder, look)
    await expectTestMissed(recorder, look)
  })

  test('of the console', async () => {
    await expectConsole(recorder, look)
  })

  test('of recordings in the playground', async () => {
    await expectRecordings(recorder, look)
  })
})
