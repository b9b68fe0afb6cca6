import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveState } from './harness/board-page.ts'
import type { Person, Surroundings } from './harness/browser.ts'
import { expectCaptions } from './harness/captions-walk.ts'
import { expectConsentAsked, expectNotRecording, expectWayIn } from './harness/consent-walk.ts'
import { expectConsole } from './harness/console-walk.ts'
import { expectHostile } from './harness/hostile-walk.ts'
import { BROWSERS, CUT_STREAM, DEVICES, SPEAKING, mapEvents } from './harness/limited-browsers.ts'
import { enterAll, NAMES, SESSION_NAME, usePageRecorder } from './harness/page-recorder.ts'
import { bookButton, roleLink, webhooks } from './harness/playground-page.ts'
import { expectRecordings } from './harness/playground-walk.ts'
import { removeAllAtProvider } from './harness/provider.ts'
import {
  expectVideo,
  expectGoodConnection,
  expectConnection,
  expectTile,
  NO_ROOMS,
  OVER,
  recordingIs,
  toggleSaving,
  unplugCamera,
  windowEndsIn,
} from './harness/reach-states.ts'
import { expectReview } from './harness/review-walk.ts'
import {
  askToMute,
  cameraReplaced,
  closePanel,
  closePhoneMenu,
  control,
  handoutStage,
  helpDialog,
  hideButton,
  markerDialog,
  menuItem,
  muteRequest,
  openPanel,
  openPhoneMenu,
  personActions,
  personItem,
  previewButton,
  recordingButton,
  say,
  showButton,
  stampButton,
  toolButton,
} from './harness/room-page.ts'
import { documentedLooks, filesOf, openSnapshots, snapshotsTaken } from './harness/snapshots.ts'
import { expectSpeakerView } from './harness/speaker-walk.ts'
import { AS_BY_DEFAULT, type Booking, type Room } from './harness/tenant.ts'
import { expectTestMissed, expectTestTaken } from './harness/test-walk.ts'
import { SOON } from './harness/wait.ts'
import { toolsText } from './harness/words.ts'
import { PAGE_STATES, type PageStateName } from './page-states.ts'

/**
 * Visits every state of the pages once: the page must show its words, axe must find nothing in either colour scheme, and a picture
 * is taken. `UPDATE_PICTURES=1` puts the pictures into the documentation. An everyday run visits only the states before the room:
 * other test files pass through the room, and axe judges it there.
 */
const DOCUMENTED = 'docs/pictures'
const IS_UPDATE = process.env['UPDATE_PICTURES'] === '1'
const FOLDER = IS_UPDATE ? DOCUMENTED : 'test-results/pictures'
const PHONE = { isPhone: true }
/** The pages know only from the booking that they are recorded. */
const BY_HAND = { room: { archive_mode: 'manual' } }
const snapshots = openSnapshots(FOLDER, PAGE_STATES)
const expectState = async (page: Page, name: PageStateName) => snapshots.take(page, name)
const recorder = usePageRecorder()
const { env } = recorder
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  if (IS_UPDATE && execFileSync('fc-list', [':lang=ja']).length === 0) {
    throw new Error('there is no Japanese font: install one, such as fonts-noto-cjk')
  }
  room = await env.tenant.book({ name: SESSION_NAME, room: AS_BY_DEFAULT })
})

/** Pictures of empty boxes must not get into the documentation. */
afterEach(() => {
  // oxlint-disable-next-line vitest/no-standalone-expect -- every test visits pages, and each is to be judged
  expect(snapshots.violations.splice(0)).toEqual([])
})

/** A state of a page that a person sees before entering, by the link of a role. */
async function expectPrejoin(
  name: PageStateName,
  { of = room, role = 'panelist', ...surroundings }: { of?: Room; role?: Role } & Surroundings,
): Promise<void> {
  const { page, context } = await recorder.open(of, role, surroundings)
  await expectState(page, name)
  await context.close()
}

describe('before the room', () => {
  test('a page checks the devices', async () => {
    await expectPrejoin('device-check', {})
    await expectPrejoin('device-check-moderator', { role: 'moderator' })
    await expectPrejoin('device-check-observer', { role: 'observer' })
    const { access_token } = await env.tenant.session(room.session.id)
    const link = `${env.service.local.base_url}/r/${room.id}#access_token=${access_token}`
    const { page, context } = await recorder.openLink(link)
    await expectState(page, 'device-check-guest')
    await context.close()
  })

  test('a page shows that the link is invalid', async () => {
    const link = `${env.service.local.base_url}/r/${room.id}`
    const { page, context } = await recorder.openLink(link)
    await expectState(page, 'bad-link')
    await context.close()
  })
})

describe.runIf(IS_FULL_RUN)('before the room, other states', () => {
  test('a page shows the problem with a device, and its remedy', async () => {
    await expectPrejoin('device-denied', { before: DEVICES.denied })
    await expectPrejoin('device-busy', { before: DEVICES.busy })
    await expectPrejoin('device-missing', { before: DEVICES.missing })
  })

  test('a page checks the connection', async () => {
    const good = await recorder.open(room, 'panelist')
    await expectGoodConnection(good.page)
    await expectState(good.page, 'connection-check-good')
    await good.context.close()
    const { page, context } = await recorder.open(room, 'panelist', PHONE)
    await page.route('**/health', (route) => route.abort())
    await page.reload()
    await expectState(page, 'connection-check-failed')
    await context.close()
  })

  test('a page names the supported browsers', async () => {
    await expectPrejoin('browser-too-old', { ...PHONE, ...BROWSERS.old })
    await expectPrejoin('browser-in-app', { ...PHONE, ...BROWSERS.inApp })
    await expectPrejoin('browser-insecure', { ...PHONE, ...BROWSERS.insecure })
  })

  test('a page asks for consent, and observers wait', async () => {
    await expectConsentAsked(recorder, expectState)
  })

  test('a page shows that the room opens, that it is open, and why nobody comes in', async () => {
    await expectWayIn(recorder, expectState)
  })

  test.each([
    ['over', {}],
    ['cancelled', { startsInMin: 60 }],
    ['unavailable', {}],
  ] as const satisfies [PageStateName, Booking][])('%s: has its page', async (name, booking) => {
    const booked = await env.tenant.book(booking)
    if (name === 'cancelled') await env.tenant.call('DELETE', `/sessions/${booked.session.id}`)
    const { page, context } = await recorder.open(booked, 'panelist')
    if (name === 'unavailable') await page.route('**/admission-check', (route) => route.abort())
    if (name === 'over') await page.route('**/admission-check', (route) => route.fulfill(OVER))
    // The page shows the problem before it asks for a camera.
    await page.reload()
    await expectState(page, name)
    await context.close()
  })
})

describe.runIf(IS_FULL_RUN)('the connection test', () => {
  test('is taken from the first page to the result', async () => {
    await expectTestTaken(recorder, expectState)
  })

  test('ends without devices, is too late, or has an invalid link', async () => {
    await expectTestMissed(recorder, expectState)
  })
})

describe.runIf(IS_FULL_RUN)('in the room', () => {
  test('an observer waits for the interview', async () => {
    const { page, context } = await recorder.enter(room, 'observer')
    await expectState(page, 'observer-waiting')
    await context.close()
  })

  test('everybody enters and talks', async () => {
    await recorder.registerHandouts(room, [
      'パッケージ案A.png',
      'パッケージ案B.png',
      '紹介映像.mp4',
    ])
    Object.assign(people, await enterAll(recorder, room))
    const { moderator, observer, platform_observer: operator, panelist } = people
    await say(moderator.page, 'public', 'はじめまして。よろしくお願いします。')
    await say(panelist.page, 'public', 'よろしくお願いします。')
    await say(moderator.page, 'public', 'まず、この新商品の第一印象を教えてください。')
    await closePanel(panelist.page)
    await say(observer.page, 'private', '価格についても聞いてください。')
    await say(observer.page, 'private', 'パッケージの色の印象も知りたいです。')
    await say(observer.page, 'observer_only', '香りの話が興味深いですね。')
    await say(operator.page, 'observer_only', '進行は予定どおりです。')
    await expectTile(moderator.page, 'panelist')
    await expectTile(panelist.page, 'moderator')
  })

  test('the moderator sees the result of the connection test', async () => {
    await expectPrejoin('device-check-tested', { role: 'moderator' })
  })

  test('the board shows a room without alarms', async () => {
    const before = mapEvents(`(data) => ({
      ...data,
      ...(data.rooms && { rooms: data.rooms.filter(({ id }) => id === '${room.id}') }),
    })`)
    const { page, context } = await recorder.openBoard({ before })
    await expectState(page, 'board-calm')
    await context.close()
  })

  test('the panelist sees the moderator, and calls for help', async () => {
    const { page } = people.panelist
    await expectState(page, 'room-panelist')
    await openPanel(page, 'public')
    await expectState(page, 'panelist-chat')
    await closePanel(page)
    await openPhoneMenu(page)
    await expectBehind(control(page, 'consent'), 'panelist-consent')
    await control(page, 'hand').click()
    await closePhoneMenu(page)
    await control(page, 'help').click()
    await expectState(page, 'panelist-help')
    await toolButton(helpDialog(page), (t) => t.help.send).click()
    await expectState(page, 'panelist-help-sent')
    await page.keyboard.press('Escape')
  })

  test('the board shows first what needs attention', async () => {
    const { page, context } = await recorder.openBoard()
    await expectState(page, 'board-alarms')
    await context.close()
  })

  test('the moderator has two chats and the roster', async () => {
    const { page } = people.moderator
    await openPanel(page, 'public')
    await expectState(page, 'room-moderator')
    await toolButton(page.getByRole('alert'), (t) => t.facts.dismiss)
      .first()
      .click()
    await openPanel(page, 'private')
    await stampButton(page, 'private', 'ask_later').click()
    await expectState(page, 'moderator-back-room')
    await openPanel(page, 'roster')
    for (const role of ROLES) await expectConnection(page, role)
    await expectState(page, 'moderator-roster')
    await personActions(page).first().click()
    await expectState(page, 'moderator-person')
    await personItem(page, 'ban').click()
    await expectState(page, 'moderator-ban')
    await page.keyboard.press('Escape')
  })

  test('the moderator shows handouts', async () => {
    const { page } = people.moderator
    await openPanel(page, 'handouts')
    await expectState(page, 'moderator-handouts')
    await previewButton(page).first().click()
    await expectState(page, 'moderator-handout-preview')
    await page.keyboard.press('Escape')
    await showButton(page).first().click()
    await handoutStage(page).getByRole('img').waitFor(SOON)
    await expectState(page, 'moderator-handout-shown')
    await handoutStage(people.panelist.page).getByRole('img').waitFor(SOON)
    await expectState(people.panelist.page, 'panelist-handout')
    await showButton(page).last().click()
    for (const each of [page, people.panelist.page]) await expectVideo(each)
    await expectState(page, 'moderator-handout-video')
    await expectState(people.panelist.page, 'panelist-handout-video')
    await hideButton(page).click()
  })

  test('the moderator has tools', async () => {
    const { page } = people.moderator
    await control(page, 'mark').click()
    await markerDialog(page).getByRole('textbox').fill('価格の話')
    await expectState(page, 'moderator-marker')
    await toolButton(markerDialog(page), (t) => t.marker.save).click()
    await openPanel(page, 'facts')
    await expectState(page, 'moderator-events')
    await expectBehind(control(page, 'devices'), 'moderator-devices')
    await expectBehind(control(page, 'connection'), 'moderator-line')
    await expectBehind(control(page, 'more'), 'moderator-more')
    for (const [item, name] of [
      [toolsText((t) => t.more.shortcuts), 'moderator-shortcuts'],
      [toolsText((t) => t.more.close), 'moderator-close'],
    ] as const) {
      await control(page, 'more').click()
      await expectBehind(menuItem(page, item), name)
    }
  })

  test('one of three people is large', async () => {
    await expectSpeakerView(recorder, expectState)
  })

  test('a moderator reads along', async () => {
    await expectCaptions(recorder, expectState)
  })

  test('observer and operator have the back-room', async () => {
    const { observer, platform_observer: operator } = people
    await openPanel(observer.page, 'observer_only')
    await expectState(observer.page, 'room-observer')
    await openPanel(observer.page, 'private')
    await expectState(observer.page, 'observer-back-room')
    await closePanel(observer.page)
    await toggleSaving(observer.page)
    await expectState(observer.page, 'observer-saving')
    await toggleSaving(observer.page)
    await openPanel(observer.page, 'private')
    await openPanel(operator.page, 'private')
    await expectState(operator.page, 'room-operator')
  })
})

describe.runIf(IS_FULL_RUN)('when the situation in the room changes', () => {
  test('the panelist is asked to mute, and loses the camera', async () => {
    const { page } = people.panelist
    await unplugCamera(page)
    await expectState(page, 'device-replaced')
    await cameraReplaced(page).getByRole('button').click()
    await askToMute(people.moderator.page, NAMES.panelist)
    await expectState(page, 'mute-asked')
    await toolButton(muteRequest(page), (t) => t.muteRequest.dismiss).click()
    await control(page, 'camera').click()
    await expectState(page, 'camera-off')
    await page.evaluate(DEVICES.busy)
    await control(page, 'camera').click()
    await expectState(page, 'camera-lost')
  })

  test('somebody speaks while muted, and the window ends', async () => {
    const ending = await env.tenant.book({ room: AS_BY_DEFAULT })
    const before = `${SPEAKING}; ${windowEndsIn(10)}`
    const { page, context } = await recorder.enter(ending, 'moderator', { before })
    await expectState(page, 'window-ends')
    await control(page, 'mute').click()
    await expectState(page, 'speaking-while-muted')
    await context.close()
  })

  test.each(['paused', 'failed'] as const)('a recording is %s', async (status) => {
    const recorded = await env.tenant.book(BY_HAND)
    const before = recordingIs(status)
    const { page, context } = await recorder.enter(recorded, 'moderator', { before })
    await expectBehind(control(page, 'recording'), `recording-${status}-panel`)
    await expectState(page, `recording-${status}`)
    await context.close()
  })

  test('a recording has been stopped', async () => {
    await expectNotRecording(recorder, expectState)
  })

  test('a recording is about to begin, and does not start', async () => {
    const recorded = await env.tenant.book(BY_HAND)
    const before = recordingIs('started')
    // A panelist never gets an alarm, however long it takes.
    const panelist = await recorder.enter(recorded, 'panelist', { ...PHONE, before })
    await expectState(panelist.page, 'recording-starting')
    await panelist.context.close()
    const { page, context } = await recorder.enter(recorded, 'moderator', { before })
    await expectState(page, 'recording-not-written')
    await context.close()
  })

  test('a moderator controls the recording', async () => {
    const recorded = await env.tenant.book(BY_HAND)
    const none = await recorder.enter(recorded, 'moderator')
    await expectBehind(control(none.page, 'recording'), 'recording-none-panel')
    await none.context.close()
    const before = recordingIs('started', true)
    const { page, context } = await recorder.enter(recorded, 'moderator', { before })
    await control(page, 'recording').click()
    await expectState(page, 'recording-started-panel')
    await recordingButton(page, 'stop').click()
    await expectState(page, 'recording-stop')
    await context.close()
  })

  test('the surroundings are hostile', async () => {
    await expectHostile(recorder, expectState)
  })

  test('the stream is interrupted and lost, and the media connection is interrupted', async () => {
    const { page } = people.platform_observer
    const cut = /\/live\/(?:stream|changes)/
    await page.route(cut, (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expectState(page, 'stream-cut')
    await page.unroute(cut)
    const error = { code: 'UNAUTHORIZED', message: 'expired', details: [] }
    await page.route(cut, (route) =>
      route.fulfill({ status: 401, json: { success: false, error } }),
    )
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expectState(page, 'lost')
    await people.observer.page.evaluate('cutConnection()')
    await expectState(people.observer.page, 'reconnecting')
  })
})

/** Presses the opener, captures the opened part, and closes it with Escape. */
async function expectBehind(opener: Locator, name: PageStateName): Promise<void> {
  const page = opener.page()
  await opener.click()
  await expectState(page, name)
  await page.keyboard.press('Escape')
}

describe.runIf(IS_FULL_RUN)('at the end', () => {
  test('somebody opens the link elsewhere, is removed, or leaves', async () => {
    const other = await env.tenant.book({ room: AS_BY_DEFAULT })
    const first = await recorder.enter(other, 'moderator')
    const second = await recorder.enter(other, 'moderator')
    await expectState(first.page, 'elsewhere')
    await first.context.close()
    await removeAllAtProvider(env, other.id)
    await expectState(second.page, 'removed')
    await second.context.close()
    await control(people.observer.page, 'leave').click()
    await expectState(people.observer.page, 'left')
  })

  test('somebody is banned, and the room is closed', async () => {
    const here = await env.tenant.participants(room.id)
    const id = here.find(({ role }) => role === 'panelist')?.id
    await env.tenant.call('POST', `/rooms/${room.id}/participants/${id}/ban`, { reason: 'test' })
    await expectState(people.panelist.page, 'banned')
    await env.tenant.close(room.id)
    await expectState(people.moderator.page, 'closed')
  })
})

describe.runIf(IS_FULL_RUN)('the board', () => {
  test('is disconnected, and then ended', async () => {
    const { page, context } = await recorder.openBoard({ before: CUT_STREAM })
    await liveState(page).waitFor(SOON)
    await page.evaluate('cutStream()')
    await expectState(page, 'board-cut')
    await context.close()
    const over = await recorder.openBoard()
    await recorder.endBoards()
    await expectState(over.page, 'board-ended')
    await over.context.close()
  })

  test('has no rooms', async () => {
    const { page, context } = await recorder.openBoard({ before: NO_ROOMS })
    await expectState(page, 'board-empty')
    await context.close()
  })
})

describe.runIf(IS_FULL_RUN)('the playground', () => {
  test('books an interview and shows the webhooks of the tenant', async () => {
    const { page } = await recorder.openLink(env.service.local.base_url)
    await bookButton(page).click(SOON)
    await roleLink(page, 'observer').waitFor(SOON)
    await webhooks(page).first().waitFor(SOON)
    await expectState(page, 'playground')
  })

  test('shows the results of recordings', async () => {
    await expectRecordings(recorder, expectState)
  })
})

describe.runIf(IS_FULL_RUN)('a review', () => {
  test('shows the interview with everything that was made of it', async () => {
    await expectReview(recorder, expectState)
  })
})

describe.runIf(IS_FULL_RUN)('the console', () => {
  test('shows rooms and deliveries of a tenant', async () => {
    await expectConsole(recorder, expectState)
  })
})

describe('the documentation', () => {
  const expected = filesOf(PAGE_STATES, documentedLooks)

  test('has a picture of every state, and each state was visited here', () => {
    expect(snapshots.pictures.toSorted()).toEqual(filesOf(PAGE_STATES, snapshotsTaken).toSorted())
    const kept = readdirSync(DOCUMENTED).filter((file) => file.endsWith('.webp'))
    expect(kept.toSorted()).toEqual(expected.toSorted())
  })

  test('shows every picture on one of its pages', () => {
    const pages = readdirSync('docs').filter((file) => file.endsWith('.md'))
    const text = pages.map((file) => readFileSync(`docs/${file}`, 'utf8')).join('\n')
    const shown = [...text.matchAll(/pictures\/([\w.-]+\.webp)/g)].flatMap(([, file]) => file ?? [])
    expect([...new Set(shown)].toSorted()).toEqual(expected.toSorted())
  })
})
