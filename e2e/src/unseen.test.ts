import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { SignalResponse } from '@livekit/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { keptText, type Person, peerConnectionText, streamedText } from './harness/browser.ts'
import {
  chatButton,
  chooseMore,
  control,
  event,
  helpDialog,
  helpSentDialog,
  leftPage,
  liveRoom,
  markerDialog,
  messages,
  openPanel,
  rosterRows,
  say,
  stampButton,
  tile,
  toolButton,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { chatText, toolsText } from './harness/words.ts'

const NAMES = {
  moderator: 'Mori Moderator',
  panelist: 'Pana Panelist',
  observer: 'Obi Observer',
  platform_observer: 'Opal Operator',
}
type Role = keyof typeof NAMES
const HIDDEN = ['observer', 'platform_observer'] as const
/** Contained in every word, note and file name of hidden people. */
const SECRET = 'between us'

const env = useTestEnvironment()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await env.tenant.book()
  for (const role of HIDDEN) await enter(role)
})

async function enter(role: Role): Promise<void> {
  people[role] = await env.enter(
    { roomId: room.id, role, name: NAMES[role] },
    { hasDevices: role === 'moderator' },
  )
}

async function reads(role: Role, chat: Visibility, text: string): Promise<void> {
  const { page } = people[role]
  await openPanel(page, chat)
  await messages(page, chat).filter({ hasText: text }).first().waitFor(SOON)
}

test('observers and operators chat before anybody else is there', async () => {
  for (const visibility of ['private', 'observer_only'] as const) {
    await say(people.observer.page, visibility, `${SECRET}, to the operator`)
    await say(people.platform_observer.page, visibility, `${SECRET}, to the observer`)
    await reads('platform_observer', visibility, 'to the operator')
    await reads('observer', visibility, 'to the observer')
    expect(await messages(people.observer.page, visibility).count()).toBe(2)
  }
})

describe('hidden participants', () => {
  /** The number of frames that the media server had sent to the panelist's page before. */
  let framesBefore: number

  beforeAll(async () => {
    await enter('moderator')
    await enter('panelist')
    const { page, traffic } = people.panelist
    await tile(page, NAMES.moderator, 'heard').locator('video').waitFor(SOON)
    framesBefore = traffic.frames().length
    for (const role of HIDDEN) await act(role)
    // The stream keeps its order, so everything before this frame has arrived.
    await say(people.moderator.page, 'public', 'Shall we begin?')
    await reads('panelist', 'public', 'Shall we begin?')
  })

  test('send no name, id or word to a panelist', async () => {
    const { page, traffic } = people.panelist
    const received = [
      traffic.text(),
      await streamedText(page),
      await peerConnectionText(page),
      await keptText(page),
    ].join('\n')
    expect(received).toContain('Shall we begin?')
    const known = await streamedText(people.moderator.page)
    const hidden = (await env.tenant.participants(room.id)).filter(({ role }) => isHidden(role))
    expect(hidden).toHaveLength(HIDDEN.length)
    for (const { id, display_name: name } of hidden) {
      expect(known).toContain(id)
      for (const trace of [id, name]) expect(received.includes(trace), trace).toBe(false)
    }
    for (const sid of HIDDEN.flatMap(mediaSidsOf)) {
      expect(received.includes(sid), sid).toBe(false)
    }
    expect(received).not.toContain(SECRET)
    expect(await streamedText(page)).not.toMatch(/observer|"(a_lot|guide)"/)
  })

  test('are not counted by the media server for a panelist, and cause no updates', () => {
    const messages = sentByMedia('panelist')
    const counts = messages.flatMap(({ case: kind, value }) =>
      kind === 'join' || kind === 'roomUpdate' ? [value.room?.numParticipants] : [],
    )
    expect(counts.length).toBeGreaterThan(0)
    expect(counts.filter((count) => count === undefined || count > 2)).toEqual([])
    const meanwhile = sentByMedia('panelist', framesBefore).map(({ case: kind }) => kind)
    expect(meanwhile.filter((kind) => kind === 'update' || kind === 'roomUpdate')).toEqual([])
  })

  test('are not among the two people that a panelist counts', async () => {
    const { page } = people.panelist
    expect(await page.getByRole('article').count()).toBe(2)
    await openPanel(page, 'roster')
    await rosterRows(page).nth(1).waitFor(SOON)
    expect(await rosterRows(page).count()).toBe(2)
  })
})

const isHidden = (role: string) => HIDDEN.some((each) => each === role)

/** Writes, sends a file, a stamp and a marker, calls for help, and leaves and enters again. */
async function act(role: (typeof HIDDEN)[number]): Promise<void> {
  const { page } = people[role]
  for (const visibility of ['private', 'observer_only'] as const) {
    await say(page, visibility, `${SECRET}: ${visibility}`)
    await attach(page, visibility)
  }
  const [chat, stamp] =
    role === 'observer' ? (['observer_only', 'a_lot'] as const) : (['private', 'guide'] as const)
  await openPanel(page, chat)
  await stampButton(page, chat, stamp).click()
  await control(page, 'mark').click()
  await markerDialog(page).getByRole('textbox').fill(`${SECRET}: a note`)
  await markerDialog(page).getByRole('checkbox').setChecked(false)
  await toolButton(markerDialog(page), (t) => t.marker.save).click()
  if (role === 'observer') await callForHelp(page)
  await event(people.moderator.page, 'marker', NAMES[role]).waitFor({ ...SOON, state: 'attached' })
  await control(page, 'leave').click()
  await leftPage(page)
    .getByRole('button', { name: /Join again|もう一度参加する/ })
    .click()
  await liveRoom(page).waitFor(SOON)
}

/** Sends a file, and waits until it can be downloaded. */
async function attach(page: Page, chat: Visibility): Promise<void> {
  const file = `${SECRET}.txt`
  const name = chatText((t) => t.download(file))
  const sent = messages(page, chat).getByRole('link', { name })
  await openPanel(page, chat)
  const before = await sent.count()
  const chooser = page.waitForEvent('filechooser')
  await chatButton(page, chat, 'attach').click()
  const buffer = Buffer.from(`${SECRET}: a file`)
  await (await chooser).setFiles({ name: file, mimeType: 'text/plain', buffer })
  await sent.nth(before).waitFor(SOON)
}

async function callForHelp(page: Page): Promise<void> {
  await chooseMore(
    page,
    toolsText((t) => t.more.callOperator),
  )
  await toolButton(helpDialog(page), (t) => t.callOperator.send).click()
  await helpSentDialog(page).waitFor(SOON)
  await page.keyboard.press('Escape')
}

function sentByMedia(role: Role, from = 0) {
  const frames = people[role].traffic.frames().slice(from)
  return frames.map((frame) => SignalResponse.fromBinary(new Uint8Array(frame)).message)
}

/** The media session ids of each of the role's entries. */
function mediaSidsOf(role: Role): string[] {
  return sentByMedia(role).flatMap(({ case: kind, value }) =>
    kind === 'join' ? [String(value.participant?.sid)] : [],
  )
}
