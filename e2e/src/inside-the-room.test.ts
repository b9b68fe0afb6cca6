import { readFileSync } from 'node:fs'
import { CHAT_AUDIENCE, CHAT_STAMPS } from '@interview-room/contract/chat.ts'
import {
  ROLES,
  type Role,
  VISIBILITIES,
  type Visibility,
} from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, streamedText } from './harness/browser.ts'
import { expectInStep, videoPosition, makeVideo } from './harness/handout-video.ts'
import { registerHandout } from './harness/handouts.ts'
import { pressToTitled, quickest } from './harness/moments.ts'
import {
  banDialog,
  chatButton,
  chooseMore,
  closeDialog,
  composer,
  control,
  handoutStage,
  hideButton,
  messages,
  muteRequest,
  openPanel,
  panelButton,
  personActions,
  personItem,
  playButton,
  refusalTitle,
  say,
  shareButton,
  showButton,
  stampButton,
  stampButtons,
  stampWords,
  tile,
  toolButton,
  videoSlider,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { toolsText } from './harness/words.ts'

const NAMES: Record<Role, string> = {
  moderator: 'Mori Moderator',
  panelist: 'Pana Panelist',
  observer: 'Obi Observer',
  platform_observer: 'Opal Operator',
}
const PICTURE = 'docs/pictures/room.png'
const AT_ONCE_MS = 1_000
/** Far below the level of one beep of the browser's own microphone. */
const A_BEEP = 1e-5

const env = useTestEnvironment()
let room: Room
const people = {} as Record<Role, Person>

beforeAll(async () => {
  room = await env.tenant.book()
  for (const role of ROLES) people[role] = await enter(role, NAMES[role])
})

const enter = (role: Role, name: string) =>
  env.enter({ roomId: room.id, role, name }, { hasDevices: role === 'panelist', hasCamera: false })

/** The messages of a chat that this person can read; undefined if there is no such chat. */
async function messagesOf(role: Role, visibility: Visibility): Promise<string[] | undefined> {
  if (!(await hasChat(role, visibility))) return undefined
  const { page } = people[role]
  await openPanel(page, visibility)
  return messages(page, visibility).allInnerTexts()
}

async function sees(role: Role, visibility: Visibility, text: string): Promise<void> {
  await waitFor(
    async () => (await messagesOf(role, visibility))?.some((each) => each.includes(text)),
    { what: `${role} reads "${text}"` },
  )
}

const hasChat = async (role: Role, visibility: Visibility) =>
  (await panelButton(people[role].page, visibility).count()) > 0

async function canWrite(role: Role, visibility: Visibility): Promise<boolean> {
  const { page } = people[role]
  await openPanel(page, visibility)
  return (await composer(page, visibility).count()) > 0
}

const readBy = (role: Role) =>
  VISIBILITIES.filter((visibility) => may(CHAT_AUDIENCE[visibility].receivers, role))

const stampsOf = (role: Role, visibility: Visibility) =>
  CHAT_STAMPS.filter((set) => set.visibility === visibility && may(set.roles, role)).flatMap(
    ({ identifiers }) => identifiers,
  )

async function stampsOffered(role: Role, visibility: Visibility): Promise<string[]> {
  const { page } = people[role]
  await openPanel(page, visibility)
  const texts = await stampButtons(page, visibility).allInnerTexts()
  return texts.map(withoutNumber)
}

/** The text of a stamp, without the number of its key. */
const withoutNumber = (text: string) => text.replace(/^\d+\s*/, '').trim()
const may = (roles: readonly Role[], role: Role) => roles.includes(role)

describe('the chat', () => {
  test.each(VISIBILITIES)('%s is written and read only by permitted roles', async (visibility) => {
    const { senders, receivers } = CHAT_AUDIENCE[visibility]
    const readers = ROLES.filter((role) => may(receivers, role))
    const open = await Promise.all(ROLES.map((role) => hasChat(role, visibility)))
    expect(ROLES.filter((_role, at) => open[at])).toEqual(readers)
    const writable = await Promise.all(readers.map((role) => canWrite(role, visibility)))
    expect(readers.filter((_role, at) => writable[at])).toEqual(
      ROLES.filter((role) => may(senders, role)),
    )
    for (const sender of senders) {
      await say(people[sender].page, visibility, `${visibility} of ${sender}`)
    }
    for (const reader of readers) {
      for (const sender of senders) await sees(reader, visibility, `${visibility} of ${sender}`)
    }
  })

  test('offers each role its stamps, and delivers them only to permitted readers', async () => {
    for (const role of ROLES) {
      for (const visibility of readBy(role)) {
        expect(await stampsOffered(role, visibility)).toEqual(
          stampsOf(role, visibility).map((stamp) =>
            expect.stringMatching(stampWords(visibility, stamp)),
          ),
        )
      }
    }
    for (const [role, visibility, stamp] of [
      ['moderator', 'private', 'ask_later'],
      ['observer', 'observer_only', 'a_lot'],
      ['platform_observer', 'private', 'guide'],
      ['platform_observer', 'public', 'calling'],
    ] as const) {
      const { page } = people[role]
      await openPanel(page, visibility)
      const button = stampButton(page, visibility, stamp)
      const words = withoutNumber(await button.innerText())
      await button.click()
      const { receivers } = CHAT_AUDIENCE[visibility]
      for (const reader of receivers) await sees(reader, visibility, words)
      for (const other of ROLES.filter((each) => !may(receivers, each))) {
        expect(await people[other].page.content()).not.toContain(words)
      }
    }
  })

  test('uploads and downloads a file', async () => {
    const { page: moderator } = people.moderator
    await openPanel(moderator, 'public')
    const chooser = moderator.waitForEvent('filechooser')
    await chatButton(moderator, 'public', 'attach').click()
    await (await chooser).setFiles(PICTURE)
    const { page } = people.panelist
    await openPanel(page, 'public')
    const image = messages(page, 'public').getByAltText('room.png').first()
    await image.waitFor(SOON)
    const address = String(await image.getAttribute('src'))
    const fetched = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(fetched.equals(readFileSync(PICTURE))).toBe(true)
  })

  test('does not send while Japanese text is being composed', async () => {
    const { page } = people.panelist
    await openPanel(page, 'public')
    const field = composer(page, 'public')
    await field.focus()
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
    expect(await field.inputValue()).toContain('にほんご')
    await session.send('Input.insertText', { text: '日本語' })
    await field.press('Enter')
    await sees('moderator', 'public', '日本語')
    expect(
      (await messagesOf('moderator', 'public'))?.some((each) => each.includes('にほんご')),
    ).toBe(false)
  })
})

const previewOf = (page: Page, words: string) =>
  page.getByRole('button', { name: new RegExp(words) })

test('a message in a closed chat is previewed, and opened by a press', async () => {
  const { page } = people.moderator
  await openPanel(page, 'public')
  await say(people.observer.page, 'private', 'Ask about the price')
  const preview = previewOf(page, 'Ask about the price')
  await preview.click()
  await composer(page, 'private').waitFor(SOON)
  expect(await preview.count()).toBe(0)
})

const shownFrame = (page: Page) => handoutStage(page).getByAltText('Package')

describe('handouts', () => {
  test('are shown to everybody, including latecomers', async () => {
    const content = readFileSync(PICTURE)
    await registerHandout(env.service, room, {
      kind: 'image',
      name: 'package.png',
      title: 'Package',
      content,
    })
    const { page } = people.moderator
    await openPanel(page, 'handouts')
    await showButton(page, 'Package').click()
    for (const role of ROLES) await shownFrame(people[role].page).waitFor(SOON)
    const late = await enter('panelist', 'Late Panelist')
    await shownFrame(late.page).waitFor(SOON)
    await late.context.close()

    await hideButton(page).click()
    await handoutStage(people.panelist.page).waitFor({ ...SOON, state: 'detached' })
  })

  test('are added by the moderator, and shown under their title', async () => {
    const { page } = people.moderator
    await openPanel(page, 'handouts')
    const chooser = page.waitForEvent('filechooser')
    await toolButton(page, (t) => t.handout.add).click()
    await (await chooser).setFiles(PICTURE)
    const dialog = page.getByRole('dialog', { name: toolsText((t) => t.handout.addTitle) })
    await dialog.getByRole('textbox').fill('Shelf')
    await toolButton(dialog, (t) => t.handout.addConfirm).click()
    await showButton(page, 'Shelf').click()
    const shown = handoutStage(people.panelist.page).getByAltText('Shelf')
    await shown.waitFor(SOON)
    await hideButton(page).click()
    await shown.waitFor({ ...SOON, state: 'detached' })
  })

  test('play a video at the same position for everybody, wherever the moderator moves it', async () => {
    const video = { kind: 'video', name: 'film.mp4', content: makeVideo(60) } as const
    await registerHandout(env.service, room, video)
    const { page } = people.moderator
    await showButton(page, 'film.mp4').click()
    await playButton(page).click()
    const places = [videoPosition(page), videoPosition(people.panelist.page)] as const
    for (const place of places) await place.reaches(1)

    await videoSlider(page).focus()
    await page.keyboard.press('PageUp')
    for (const place of places) await place.reaches(5)
    await expectInStep(...places)
    const late = await enter('panelist', 'Later Panelist')
    await expectInStep(places[0], videoPosition(late.page))
    await late.context.close()

    await playButton(page).click()
    for (const place of places) await place.rests()
    await expectInStep(...places)
    await hideButton(page).click()
  })
})

const screenOn = (page: Page) =>
  page.getByRole('region', { name: toolsText((t) => t.screen.of(NAMES.moderator)) })
describe('the screen of the moderator', () => {
  test('is seen by everybody else until it ends, is live, and can be enlarged', async () => {
    const { page } = people.moderator
    const others = [people.panelist.page, people.observer.page, people.platform_observer.page]
    await shareButton(page).click()
    await shareButton(page, 'on').waitFor(SOON)
    for (const other of others) {
      const screen = screenOn(other)
      await screen.waitFor(SOON)
      const position = async () => screen.locator('video').evaluate(positionOf)
      await waitFor(async () => (await position()) > 0, { what: 'the screen is seen' })
    }
    // The person who shares it sees a small picture of it beside the words, not a stage.
    expect(await screenOn(page).count()).toBe(0)
    const own = page.getByRole('status').filter({ hasText: toolsText((t) => t.screen.sharing) })
    const ownPosition = async () => own.locator('video').evaluate(positionOf)
    await waitFor(async () => (await ownPosition()) > 0, { what: 'the own screen is seen' })

    // Nor does it show others messages that they may not read.
    await openPanel(page, 'public')
    await say(people.observer.page, 'private', 'Not for the respondent')
    await waitFor(async () => (await streamedText(page)).includes('Not for the respondent'), {
      what: 'the moderator has got it',
    })
    await panelButton(page, 'private').getByText(/\d/).first().waitFor(SOON)
    expect(await previewOf(page, 'Not for the respondent').count()).toBe(0)

    // A curtain lies over the panels that the respondent must not read, until the moderator opens it.
    for (const name of ['roster', 'private'] as const) {
      await openPanel(page, name)
      await page
        .getByText(toolsText((t) => t.screen.curtain))
        .filter({ visible: true })
        .waitFor(SOON)
      expect(await page.locator('[inert]').filter({ visible: true }).count()).toBe(1)
    }
    await toolButton(page, (t) => t.screen.reveal)
      .filter({ visible: true })
      .click()
    await composer(page, 'private').click()
    await openPanel(page, 'public')

    const [respondent] = others as [Page]
    const video = screenOn(respondent).locator('video')
    const widthOf = async () => (await video.boundingBox())?.width ?? 0
    const fitted = await widthOf()
    await toolButton(screenOn(respondent), (t) => t.zoom.larger).click()
    await waitFor(async () => (await widthOf()) > fitted * 1.4, { what: 'it is enlarged' })

    await shareButton(page, 'on').click()
    for (const other of others) await screenOn(other).waitFor({ state: 'detached' })
    expect(await shareButton(page, 'on').count()).toBe(0)
  })
})

/** The played time in seconds; 0 before anything is visible. */
function positionOf(element: Element): number {
  const { videoWidth, currentTime } = element as HTMLVideoElement
  return videoWidth > 0 ? currentTime : 0
}

describe('the tenant', () => {
  test('purges the chat, and every open page shows empty chats', async () => {
    const chats = ROLES.flatMap((role) =>
      readBy(role).map((visibility) => ({
        of: `${visibility} of ${role}`,
        said: messages(people[role].page, visibility),
      })),
    )
    for (const { of, said } of chats) expect(await said.count(), of).toBeGreaterThan(0)
    const answer = await env.tenant.call('DELETE', `/rooms/${room.id}/chat-messages`)
    expect(answer.status).toBe(204)
    for (const { of, said } of chats) {
      await waitFor(async () => (await said.count()) === 0, {
        what: `${of} is empty`,
      })
    }
  })
})

/** Sound from others that this page has played, in the browser's own measure. */
async function audioHeard(page: Page): Promise<number> {
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
  const before = await audioHeard(page)
  await waitFor(async () => (await audioHeard(page)) > before + A_BEEP, {
    what: 'a voice is heard',
  })
}

async function hearsNothing(page: Page): Promise<void> {
  let last = { sound: -1, atMs: 0 }
  await waitFor(
    async () => {
      const sound = await audioHeard(page)
      if (sound > last.sound + A_BEEP / 100) last = { sound, atMs: performance.now() }
      return performance.now() - last.atMs > 2_000
    },
    { what: 'nothing is heard for two seconds' },
  )
}

/** Collects every name of the microphone's button. If set, it presses the button as soon as the microphone is off. */
async function watchMicrophone(page: Page) {
  await control(page, 'mute').evaluate((button: HTMLElement) => {
    const watched = globalThis as unknown as WatchedMicrophone
    const whenOn = button.innerText
    let last = whenOn
    watched.names = []
    new MutationObserver(() => {
      const name = button.innerText
      if (name === last) return
      last = name
      watched.names.push(name)
      if (watched.isPressedAtOnce && name !== whenOn) button.click()
    }).observe(button, { subtree: true, childList: true, characterData: true })
  })
  return {
    names: async () => page.evaluate(() => (globalThis as unknown as WatchedMicrophone).names),
    pressAtOnce: async () =>
      page.evaluate(() => {
        ;(globalThis as unknown as WatchedMicrophone).isPressedAtOnce = true
      }),
  }
}

interface WatchedMicrophone {
  names: string[]
  isPressedAtOnce?: boolean
}

describe('the moderator', () => {
  test('mutes a panelist once, who can unmute with one press and stays unmuted', async () => {
    const { page } = people.moderator
    const { page: panelist } = people.panelist
    const seen = (state: 'muted' | 'heard') => tile(page, NAMES.panelist, state)
    await openPanel(page, 'roster')
    let presses = 0
    const mute = async () => {
      await personActions(page, NAMES.panelist).click()
      await personItem(page, 'mute').click()
      presses += 1
    }
    const isCollected = async () =>
      waitFor(async () => (await streamedText(panelist)).split('mute_requested').length > presses, {
        what: 'the page shows the mute',
      })
    const microphone = await watchMicrophone(panelist)
    await hears(page)

    await mute()
    await muteRequest(panelist).waitFor(SOON)
    await seen('muted').waitFor(SOON)
    await hearsNothing(page)
    await control(panelist, 'unmute').click()
    await seen('heard').waitFor(SOON)
    await hears(page)
    expect(await muteRequest(panelist).count()).toBe(0)
    expect(await microphone.names()).toEqual(['Unmute', 'Mute'])

    // Pressed immediately, before the page can show who has muted.
    await microphone.pressAtOnce()
    for (const times of [2, 3, 4]) {
      await mute()
      await isCollected()
      await hears(page)
      await hears(page)
      expect((await microphone.names()).join(' ')).toBe('Unmute Mute '.repeat(times).trim())
    }
    expect(await seen('heard').count()).toBe(1)
    expect(await muteRequest(panelist).count()).toBe(0)
  })

  test('bans a panelist, who is removed within a second', async () => {
    const { page } = people.moderator
    const tookMs = await quickest(AT_ONCE_MS, async (attempt) => {
      const name = attempt === 0 ? NAMES.panelist : `Panelist ${attempt}`
      const banned = attempt === 0 ? people.panelist : await enter('panelist', name)
      await openPanel(page, 'roster')
      await personActions(page, name).click()
      await personItem(page, 'ban').click()
      const dialog = banDialog(page, name)
      await dialog.getByRole('textbox').fill('shows the material')
      const confirm = toolButton(dialog, (t) => t.person.banConfirm)
      return pressToTitled(confirm, { pages: [banned.page], title: refusalTitle('banned') })
    })
    expect(tookMs).toBeLessThan(AT_ONCE_MS)
  })

  test('closes the room, and everybody is removed within a second', async () => {
    const tookMs = await quickest(AT_ONCE_MS, async (attempt) => {
      if (attempt > 0) {
        room = await env.tenant.book()
        for (const role of ROLES) people[role] = await enter(role, NAMES[role])
      }
      const { page } = people.moderator
      await chooseMore(
        page,
        toolsText((t) => t.more.close),
      )
      const pages = [people.observer.page, people.platform_observer.page, page]
      if (attempt > 0) pages.push(people.panelist.page)
      const confirm = toolButton(closeDialog(page), (t) => t.close.confirm)
      return pressToTitled(confirm, { pages, title: refusalTitle('closed') })
    })
    expect(tookMs).toBeLessThan(AT_ONCE_MS)
  })
})
