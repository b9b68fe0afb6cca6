import { readFileSync } from 'node:fs'
import { CHAT_AUDIENCE, CHAT_STAMPS } from '@interview-room/contract/chat.ts'
import {
  ROLES,
  type Role,
  VISIBILITIES,
  type Visibility,
} from '@interview-room/contract/vocabulary.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, streamedText } from './harness/browser.ts'
import { expectInStep, filmPlace, makeFilm } from './harness/film.ts'
import { registerHandout } from './harness/handouts.ts'
import { useHouse } from './harness/house.ts'
import { pressToShown, quickest } from './harness/moments.ts'
import type { Room } from './harness/tenant.ts'
import { waitFor } from './harness/wait.ts'

const NAMES: Record<Role, string> = {
  moderator: 'Mori Moderator',
  panelist: 'Pana Panelist',
  observer: 'Obi Observer',
  platform_observer: 'Opal Operator',
}
const PICTURE = 'docs/pictures/room.png'
const SOON_MS = 15_000
const AT_ONCE_MS = 1_000
/** Far less than what one beep of the browser's own microphone sounds like. */
const A_BEEP = 1e-5

const house = useHouse()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await house.tenant.book()
  for (const role of ROLES) people[role] = await enter(role, NAMES[role])
})

const enter = (role: Role, name: string) => house.enter({ roomId: room.id, role, name })

async function openPanel(page: Page, id: string): Promise<Locator> {
  const panel = page.getByTestId(`panel-${id}`)
  if (!(await panel.isVisible())) await page.getByTestId(`open-${id}`).click()
  await panel.waitFor({ timeout: SOON_MS })
  return panel
}

async function say(role: Role, visibility: Visibility, text: string): Promise<void> {
  const panel = await openPanel(people[role].page, visibility)
  await panel.getByTestId('composer').fill(text)
  await panel.getByTestId('composer').press('Enter')
}

/** The messages of a chat that this person can look at; undefined when there is no such chat. */
async function messagesOf(role: Role, visibility: Visibility): Promise<string[] | undefined> {
  if (!(await hasChat(role, visibility))) return undefined
  const panel = await openPanel(people[role].page, visibility)
  return panel.getByTestId('message').allInnerTexts()
}

async function sees(role: Role, visibility: Visibility, text: string): Promise<void> {
  await waitFor(
    async () => (await messagesOf(role, visibility))?.some((each) => each.includes(text)),
    { what: `${role} reads "${text}"`, timeoutMs: SOON_MS },
  )
}

const hasChat = async (role: Role, visibility: Visibility) =>
  (await people[role].page.getByTestId(`open-${visibility}`).count()) > 0

async function canWrite(role: Role, visibility: Visibility): Promise<boolean> {
  const panel = await openPanel(people[role].page, visibility)
  return (await panel.getByTestId('composer').count()) > 0
}

const readBy = (role: Role) =>
  VISIBILITIES.filter((visibility) => may(CHAT_AUDIENCE[visibility].receivers, role))

const stampsOf = (role: Role, visibility: Visibility) =>
  CHAT_STAMPS.filter((set) => set.visibility === visibility && may(set.roles, role)).flatMap(
    ({ identifiers }) => identifiers,
  )

async function stampsOffered(role: Role, visibility: Visibility): Promise<string[]> {
  const panel = await openPanel(people[role].page, visibility)
  const buttons = await panel.locator('[data-testid^="stamp-"]').all()
  const ids = await Promise.all(buttons.map(async (each) => each.getAttribute('data-testid')))
  return ids.map((id) => String(id).replace('stamp-', ''))
}

const refusal = (code: string) => `[data-testid="refusal"][data-code="${code}"]`
const may = (roles: readonly Role[], role: Role) => roles.includes(role)

describe('the chat', () => {
  test.each(VISIBILITIES)('%s is written and read by exactly those who may', async (visibility) => {
    const { senders, receivers } = CHAT_AUDIENCE[visibility]
    const readers = ROLES.filter((role) => may(receivers, role))
    const open = await Promise.all(ROLES.map((role) => hasChat(role, visibility)))
    expect(ROLES.filter((_role, at) => open[at])).toEqual(readers)
    const writable = await Promise.all(readers.map((role) => canWrite(role, visibility)))
    expect(readers.filter((_role, at) => writable[at])).toEqual(
      ROLES.filter((role) => may(senders, role)),
    )
    for (const sender of senders) await say(sender, visibility, `${visibility} of ${sender}`)
    for (const reader of readers) {
      for (const sender of senders) await sees(reader, visibility, `${visibility} of ${sender}`)
    }
  })

  test('offers each role the stamps of its sets, and brings them to exactly those who may', async () => {
    for (const role of ROLES) {
      for (const visibility of readBy(role)) {
        expect(await stampsOffered(role, visibility)).toEqual(stampsOf(role, visibility))
      }
    }
    for (const [role, visibility, stamp] of [
      ['moderator', 'private', 'ask_later'],
      ['observer', 'observer_only', 'a_lot'],
      ['platform_observer', 'private', 'guide'],
      ['platform_observer', 'public', 'calling'],
    ] as const) {
      const button = (await openPanel(people[role].page, visibility)).getByTestId(`stamp-${stamp}`)
      const words = (await button.innerText()).replace(/^\d+\s*/, '').trim()
      await button.click()
      const { receivers } = CHAT_AUDIENCE[visibility]
      for (const reader of receivers) await sees(reader, visibility, words)
      for (const other of ROLES.filter((each) => !may(receivers, each))) {
        expect(await people[other].page.content()).not.toContain(words)
      }
    }
  })

  test('carries a file up and down', async () => {
    const panel = await openPanel(people.moderator.page, 'public')
    const chooser = people.moderator.page.waitForEvent('filechooser')
    await panel.getByTestId('attach').click()
    await (await chooser).setFiles(PICTURE)
    const { page } = people.panelist
    const image = (await openPanel(page, 'public')).locator('[data-type="file"] img').first()
    await image.waitFor({ timeout: 30_000 })
    const address = String(await image.getAttribute('src'))
    const fetched = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(fetched.equals(readFileSync(PICTURE))).toBe(true)
  })

  test('does not send while Japanese text is being composed', async () => {
    const { page } = people.panelist
    const composer = (await openPanel(page, 'public')).getByTestId('composer')
    await composer.focus()
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', {
      text: 'にほんご',
      selectionStart: 4,
      selectionEnd: 4,
    })
    await session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      windowsVirtualKeyCode: 229,
    })
    expect(await composer.inputValue()).toContain('にほんご')
    await session.send('Input.insertText', { text: '日本語' })
    await composer.press('Enter')
    await sees('moderator', 'public', '日本語')
    expect(
      (await messagesOf('moderator', 'public'))?.some((each) => each.includes('にほんご')),
    ).toBe(false)
  })
})

describe('handouts', () => {
  test('are shown to everybody, and to whoever comes later', async () => {
    const content = readFileSync(PICTURE)
    await registerHandout(house.service, room, { kind: 'image', name: 'package.png', content })
    const panel = await openPanel(people.moderator.page, 'handouts')
    await panel.getByTestId('handout-show').first().click()
    for (const role of ROLES) {
      await people[role].page.getByTestId('handout-stage').waitFor({ timeout: SOON_MS })
    }
    const late = await enter('panelist', 'Late Panelist')
    await late.page.getByTestId('handout-stage').waitFor({ timeout: SOON_MS })
    await late.context.close()

    await panel.getByTestId('handout-hide').click()
    await people.panelist.page
      .getByTestId('handout-stage')
      .waitFor({ state: 'detached', timeout: SOON_MS })
  })

  test('a video is at the same place for everybody, wherever the moderator moves it', async () => {
    const film = { kind: 'video', name: 'film.mp4', content: makeFilm(60) } as const
    await registerHandout(house.service, room, film)
    const { page } = people.moderator
    const row = page.getByTestId('handout-row').filter({ hasText: 'film.mp4' })
    await row.getByTestId('handout-show').click()
    await page.getByTestId('handout-play-pause').click()
    const places = [filmPlace(page), filmPlace(people.panelist.page)] as const
    for (const place of places) await place.reaches(1)

    await page.getByTestId('handout-playback').getByRole('slider').focus()
    await page.keyboard.press('PageUp')
    for (const place of places) await place.reaches(5)
    await expectInStep(...places)
    const late = await enter('panelist', 'Later Panelist')
    await expectInStep(places[0], filmPlace(late.page))
    await late.context.close()

    await page.getByTestId('handout-play-pause').click()
    for (const place of places) await place.rests()
    await expectInStep(...places)
    await page.getByTestId('handout-hide').click()
  })
})

describe('the tenant', () => {
  test('purges the chat, and every chat of every open page is empty', async () => {
    const chats = ROLES.flatMap((role) =>
      readBy(role).map((visibility) => {
        const panel = people[role].page.getByTestId(`panel-${visibility}`)
        return { of: `${visibility} of ${role}`, messages: panel.getByTestId('message') }
      }),
    )
    for (const { of, messages } of chats) expect(await messages.count(), of).toBeGreaterThan(0)
    const answer = await house.tenant.call('DELETE', `/rooms/${room.id}/chat-messages`)
    expect(answer.status).toBe(204)
    for (const { of, messages } of chats) {
      await waitFor(async () => (await messages.count()) === 0, {
        what: `${of} is empty`,
        timeoutMs: SOON_MS,
      })
    }
  })
})

/** Sound that this page has played of others, in the browser's own measure. */
async function soundHeard(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { peerConnections } = globalThis as unknown as { peerConnections: RTCPeerConnection[] }
    const reports = await Promise.all(peerConnections.map((each) => each.getStats()))
    const rows = reports.flatMap((report) => [...report.values()])
    return rows
      .filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')
      .reduce((sum, { totalAudioEnergy }) => sum + Number(totalAudioEnergy), 0)
  })
}

async function hears(page: Page): Promise<void> {
  const before = await soundHeard(page)
  await waitFor(async () => (await soundHeard(page)) > before + A_BEEP, {
    what: 'a voice is heard',
  })
}

async function hearsNothing(page: Page): Promise<void> {
  let last = { sound: -1, atMs: 0 }
  await waitFor(
    async () => {
      const sound = await soundHeard(page)
      if (sound > last.sound + A_BEEP / 100) last = { sound, atMs: performance.now() }
      return performance.now() - last.atMs > 2_000
    },
    { what: 'nothing is heard for two seconds' },
  )
}

/** Keeps every look that the microphone's button takes; told to, it is pressed as soon as it is off. */
async function watchMicrophone(page: Page) {
  await page.getByTestId('toggle-mic').evaluate((button: HTMLElement) => {
    const watched = globalThis as unknown as WatchedMicrophone
    watched.looks = []
    new MutationObserver(() => {
      const { look } = button.dataset
      if (look === watched.looks.at(-1)) return
      watched.looks.push(String(look))
      if (watched.isPressedAtOnce && look === 'off') button.click()
    }).observe(button, { attributeFilter: ['data-look'] })
  })
  return {
    looks: async () => page.evaluate(() => (globalThis as unknown as WatchedMicrophone).looks),
    pressAtOnce: async () =>
      page.evaluate(() => {
        ;(globalThis as unknown as WatchedMicrophone).isPressedAtOnce = true
      }),
  }
}

interface WatchedMicrophone {
  looks: string[]
  isPressedAtOnce?: boolean
}

describe('the moderator', () => {
  test('mutes a panelist once, who unmutes with one press, is heard again and stays so', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    const tile = (isMuted: boolean) =>
      page.locator(`[data-testid="tile"][data-name="${NAMES.panelist}"][data-muted="${isMuted}"]`)
    const roster = await openPanel(page, 'roster')
    const row = roster.getByTestId('roster-person').filter({ hasText: NAMES.panelist })
    let presses = 0
    const mute = async () => {
      await row.getByTestId('person-actions').click()
      await page.getByTestId('person-mute').click()
      presses += 1
    }
    const isTold = async () =>
      waitFor(async () => (await streamedText(panelist)).split('mute_requested').length > presses, {
        what: 'the page is told of the mute',
      })
    const microphone = await watchMicrophone(panelist)
    await hears(page)

    await mute()
    await panelist.getByTestId('mute-request').waitFor({ timeout: SOON_MS })
    await tile(true).waitFor({ timeout: SOON_MS })
    await hearsNothing(page)
    await panelist.getByTestId('toggle-mic').click()
    await tile(false).waitFor({ timeout: SOON_MS })
    await hears(page)
    expect(await panelist.getByTestId('mute-request').count()).toBe(0)
    expect(await microphone.looks()).toEqual(['off', 'plain'])

    // However quickly: before the page can say who has muted.
    await microphone.pressAtOnce()
    for (const times of [2, 3, 4]) {
      await mute()
      await isTold()
      await hears(page)
      await hears(page)
      expect((await microphone.looks()).join(' ')).toBe('off plain '.repeat(times).trim())
    }
    expect(await tile(false).count()).toBe(1)
    expect(await panelist.getByTestId('mute-request').count()).toBe(0)
  })

  test('bans a panelist, who is out within a second', async () => {
    const { page } = people.moderator
    const tookMs = await quickest(AT_ONCE_MS, async (attempt) => {
      const name = attempt === 0 ? NAMES.panelist : `Panelist ${attempt}`
      const banned = attempt === 0 ? people.panelist : await enter('panelist', name)
      const roster = await openPanel(page, 'roster')
      const row = roster.getByTestId('roster-person').filter({ hasText: name })
      await row.getByTestId('person-actions').click()
      await page.getByTestId('person-ban').click()
      await page.getByTestId('ban-dialog').getByRole('textbox').fill('shows the material')
      const shown = { pages: [banned.page], selector: refusal('PARTICIPANT_BANNED') }
      return pressToShown(page.getByTestId('ban-confirm'), shown)
    })
    expect(tookMs).toBeLessThan(AT_ONCE_MS)
  })

  test('closes the room, and everybody is out within a second', async () => {
    const tookMs = await quickest(AT_ONCE_MS, async (attempt) => {
      if (attempt > 0) {
        room = await house.tenant.book()
        for (const role of ROLES) people[role] = await enter(role, NAMES[role])
      }
      const { page } = people.moderator
      await page.getByTestId('more-menu').click()
      await page.getByTestId('more-close').click()
      const pages = [people.observer.page, people.platform_observer.page, page]
      if (attempt > 0) pages.push(people.panelist.page)
      const shown = { pages, selector: refusal('SESSION_RELEASED') }
      return pressToShown(page.getByTestId('close-confirm'), shown)
    })
    expect(tookMs).toBeLessThan(AT_ONCE_MS)
  })
})
