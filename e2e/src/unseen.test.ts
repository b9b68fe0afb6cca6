import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { SignalResponse } from '@livekit/protocol'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { keptText, type Person, peerConnectionText, streamedText } from './harness/browser.ts'
import { useHouse } from './harness/house.ts'
import type { Room } from './harness/tenant.ts'

const NAMES = {
  moderator: 'Mori Moderator',
  panelist: 'Pana Panelist',
  observer: 'Obi Observer',
  platform_observer: 'Opal Operator',
}
type Role = keyof typeof NAMES
const HIDDEN = ['observer', 'platform_observer'] as const
/** Part of every word, note and file name of those who are not seen. */
const SECRET = 'between us'
const SOON = { timeout: 30_000 }

const house = useHouse()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await house.tenant.book()
  for (const role of HIDDEN) await enter(role)
})

async function enter(role: Role): Promise<void> {
  people[role] = await house.enter({ roomId: room.id, role, name: NAMES[role] })
}

async function openChat(role: Role, visibility: Visibility): Promise<Locator> {
  const { page } = people[role]
  const panel = page.getByTestId(`panel-${visibility}`)
  if (!(await panel.isVisible())) await page.getByTestId(`open-${visibility}`).click()
  await panel.waitFor(SOON)
  return panel
}

async function say(role: Role, visibility: Visibility, text: string): Promise<void> {
  const composer = (await openChat(role, visibility)).getByTestId('composer')
  await composer.fill(text)
  await composer.press('Enter')
}

async function reads(role: Role, visibility: Visibility, text: string): Promise<void> {
  const panel = await openChat(role, visibility)
  await panel.getByTestId('message').filter({ hasText: text }).first().waitFor(SOON)
}

test('observers and operators write and read before anybody else is there', async () => {
  for (const visibility of ['private', 'observer_only'] as const) {
    await say('observer', visibility, `${SECRET}, to the operator`)
    await say('platform_observer', visibility, `${SECRET}, to the observer`)
    await reads('platform_observer', visibility, 'to the operator')
    await reads('observer', visibility, 'to the observer')
    const panel = await openChat('observer', visibility)
    expect(await panel.getByTestId('message').count()).toBe(2)
  }
})

describe('whatever they do', () => {
  /** What the panelist's page had been told by the media server before. */
  let framesBefore: number

  beforeAll(async () => {
    await enter('moderator')
    await enter('panelist')
    const { page, traffic } = people.panelist
    const tile = `[data-testid="tile"][data-name="${NAMES.moderator}"][data-muted="false"]`
    await page.locator(`${tile} video:not([hidden])`).waitFor(SOON)
    framesBefore = traffic.frames().length
    for (const role of HIDDEN) await act(role)
    // The stream keeps its order: what comes behind all of it has arrived.
    await say('moderator', 'public', 'Shall we begin?')
    await reads('panelist', 'public', 'Shall we begin?')
  })

  test('no name, id or word of theirs reaches a panelist', async () => {
    const { page, traffic } = people.panelist
    const received = [
      traffic.text(),
      await streamedText(page),
      await peerConnectionText(page),
      await keptText(page),
    ].join('\n')
    expect(received).toContain('Shall we begin?')
    const known = await streamedText(people.moderator.page)
    const hidden = (await house.tenant.participants(room.id)).filter(({ role }) => isHidden(role))
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

  test('the media server counts only those whom a panelist sees, and says nothing meanwhile', () => {
    const messages = toldByMedia('panelist')
    const counts = messages.flatMap(({ case: kind, value }) =>
      kind === 'join' || kind === 'roomUpdate' ? [value.room?.numParticipants] : [],
    )
    expect(counts.length).toBeGreaterThan(0)
    expect(counts.filter((count) => count === undefined || count > 2)).toEqual([])
    const meanwhile = toldByMedia('panelist', framesBefore).map(({ case: kind }) => kind)
    expect(meanwhile.filter((kind) => kind === 'update' || kind === 'roomUpdate')).toEqual([])
  })

  test('a panelist counts two people', async () => {
    const { page } = people.panelist
    expect(await page.getByTestId('tile').count()).toBe(2)
    await page.getByTestId('open-roster').click()
    await page.getByTestId('roster-person').nth(1).waitFor(SOON)
    expect(await page.getByTestId('roster-person').count()).toBe(2)
  })
})

const isHidden = (role: string) => HIDDEN.some((each) => each === role)

/** Words, a file, a stamp, a marker, a call for help; and out and in again. */
async function act(role: (typeof HIDDEN)[number]): Promise<void> {
  const { page } = people[role]
  for (const visibility of ['private', 'observer_only'] as const) {
    await say(role, visibility, `${SECRET}: ${visibility}`)
    await attach(role, visibility)
  }
  const [chat, stamp] =
    role === 'observer' ? (['observer_only', 'a_lot'] as const) : (['private', 'guide'] as const)
  await (await openChat(role, chat)).getByTestId(`stamp-${stamp}`).click()
  await page.getByTestId('marker-button').click()
  await page.getByTestId('marker-panel').getByRole('textbox').fill(`${SECRET}: a note`)
  await page.getByTestId('marker-save').click()
  if (role === 'observer') await callForHelp(page)
  await people.moderator.page
    .locator('[data-testid="fact"][data-type="marker"]')
    .filter({ hasText: NAMES[role] })
    .waitFor({ ...SOON, state: 'attached' })
  await page.getByTestId('leave-button').click()
  await page.getByTestId('left').getByRole('button').click()
  await page.locator('[data-testid="room"][data-state="live"]').waitFor(SOON)
}

async function attach(role: Role, visibility: Visibility): Promise<void> {
  const panel = await openChat(role, visibility)
  const chooser = people[role].page.waitForEvent('filechooser')
  await panel.getByTestId('attach').click()
  const buffer = Buffer.from(`${SECRET}: a file`)
  await (await chooser).setFiles({ name: `${SECRET}.txt`, mimeType: 'text/plain', buffer })
  await panel.locator('[data-type="file"]').last().waitFor(SOON)
}

async function callForHelp(page: Page): Promise<void> {
  await page.getByTestId('more-menu').click()
  await page.getByTestId('more-help').click()
  await page.getByTestId('help-send').click()
  await page.getByTestId('help-sent').waitFor(SOON)
  await page.keyboard.press('Escape')
}

function toldByMedia(role: Role, from = 0) {
  const frames = people[role].traffic.frames().slice(from)
  return frames.map((frame) => SignalResponse.fromBinary(new Uint8Array(frame)).message)
}

/** Of each of their entries. */
function mediaSidsOf(role: Role): string[] {
  return toldByMedia(role).flatMap(({ case: kind, value }) =>
    kind === 'join' ? [String(value.participant?.sid)] : [],
  )
}
