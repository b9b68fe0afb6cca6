import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { expectConsentAsked, expectNotRecording, expectWayIn } from './harness/consent-walk.ts'
import { expectConsole } from './harness/console-walk.ts'
import { choosePdf } from './harness/handouts.ts'
import { enterAll, NAMES, usePageRecorder } from './harness/page-recorder.ts'
import { makePdf } from './harness/pdf.ts'
import { bookButton, roleLink, webhooks } from './harness/playground-page.ts'
import { expectRecordings } from './harness/playground-walk.ts'
import { windowEndsIn } from './harness/reach-states.ts'
import {
  askToMute,
  banDialog,
  chooseMore,
  closeDialog,
  closePanel,
  control,
  handoutStage,
  helpDialog,
  hideButton,
  joinAgainButton,
  leftPage,
  liveRoom,
  markerDialog,
  messages,
  muteRequest,
  openPanel,
  peopleItem,
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
import { chatText, pdfText, peopleText, toolsText } from './harness/words.ts'
import { PAGE_STATES, type PageStateName } from './page-states.ts'

/**
 * Every page and every act of every role in a browser that translates the page. No page may be lost: none throws, fails to draw a
 * part of itself, or leaves the room. `translated-page.test.ts` has the recording, the chat and the hands.
 */
const HANDOUTS = ['パッケージ案A.png', 'パッケージ案B.png']
const PAGES = ['コンセプト', '価格', 'まとめ']
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

  for (const { page } of Object.values(people)) {
    await liveRoom(page).waitFor(SOON)
    await closePanel(page)
  }
  await openPanel(moderator.page, 'roster')
  await personActions(moderator.page, NAMES.panelist).click(SOON)
  await peopleItem(moderator.page, 'remove').click(SOON)
  await moderator.page
    .getByRole('alertdialog', { name: peopleText((t) => t.removeTitle(NAMES.panelist)) })
    .getByRole('button', { name: peopleText((t) => t.removeConfirm) })
    .click(SOON)
  await refusal(panelist.page, 'removed').waitFor(SOON)
  await joinAgainButton(panelist.page).click(SOON)
  await liveRoom(panelist.page).waitFor(SOON)
  await personActions(moderator.page, NAMES.panelist).click(SOON)
  await personItem(moderator.page, 'ban').click(SOON)
  const ban = banDialog(moderator.page, NAMES.panelist)
  await ban.getByRole('textbox').fill('test')
  await toolButton(ban, (t) => t.person.banConfirm).click(SOON)
  await refusal(panelist.page, 'banned').waitFor(SOON)

  await control(observer.page, 'leave').click(SOON)
  await leftPage(observer.page).waitFor(SOON)
  await chooseMore(
    moderator.page,
    toolsText((t) => t.more.close),
  )
  await toolButton(closeDialog(moderator.page), (t) => t.close.confirm).click(SOON)
  await refusal(moderator.page, 'closed').waitFor(SOON)
  await refusal(operator.page, 'closed').waitFor(SOON)
})

test('a moderator shows a PDF, and reads in which chat somebody writes', async () => {
  const room = await env.tenant.book()
  const { page: moderator } = await recorder.enter(room, 'moderator', { hasNewerFeatures: true })
  const { page: panelist } = await recorder.enter(room, 'panelist', { isPhone: true })
  const { page: observer } = await recorder.enter(room, 'observer')
  const broken = await choosePdf(moderator, Buffer.from('%PDF-1.4\nnothing more'))
  await broken.getByRole('alert').waitFor(SOON)
  await broken.getByRole('button', { name: pdfText((t) => t.close) }).click(SOON)
  const dialog = await choosePdf(moderator, makePdf(PAGES))
  await dialog.getByText(pdfText((t) => t.ready(PAGES.length))).waitFor(SOON)
  await dialog.getByRole('textbox').fill('Concept')
  await dialog.getByRole('textbox').press('Enter')
  await closePanel(moderator)
  const turn = handoutStage(moderator).getByRole('button', { name: pdfText((t) => t.nextPage) })
  for (const place of ['1 / 3', '2 / 3', '3 / 3']) {
    await handoutStage(panelist).getByAltText(`Concept – ${place}`).waitFor(SOON)
    await handoutStage(moderator).getByText(place, { exact: true }).waitFor(SOON)
    if (place !== '3 / 3') await turn.click(SOON)
  }
  await openPanel(moderator, 'handouts')
  await hideButton(moderator).click(SOON)
  await handoutStage(panelist).waitFor({ state: 'detached', ...SOON })

  for (const [page, chat, words] of [
    [panelist, 'public', 'よろしくお願いします。'],
    [observer, 'private', QUESTION],
  ] as const) {
    await say(page, chat, words)
    const preview = moderator.getByRole('button', { name: new RegExp(words) })
    await preview.getByText(chatText((t) => t.channel[chat].title)).waitFor(SOON)
  }
})

test('the end of the window is announced, and the announcement goes', async () => {
  const before = windowEndsIn(9.2)
  const { page } = await recorder.enter(await env.tenant.book(), 'panelist', { before })
  const reminder = page.getByText(toolsText((t) => t.notices.endsIn[10]))
  await reminder.waitFor(SOON)
  await reminder.waitFor({ state: 'detached', ...SOON })
  await liveRoom(page).waitFor(SOON)
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
