import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { join } from './harness/browser.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import {
  composer,
  control,
  handoutStage,
  liveRoom,
  messages,
  muteRequest,
  openPanel,
  personActions,
  personItem,
  recordingButton,
  recordingIndicator,
  say,
  showButton,
  streamNotice,
  tile,
} from './harness/room-page.ts'
import {
  bufferingProxy,
  cuttingProxy,
  refusingProxy,
  type Surrounding,
  tabs,
} from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

/** From a change in the room to what a respondent sees of it, whatever becomes of the stream. */
const SEEN_WITHIN = { timeout: 5_000 } as const
const ROUNDS = IS_FULL_RUN ? 6 : 1
const HANDOUTS = ['Package A', 'Package B']

const nothing: Surrounding = { name: 'an ordinary network', arrange: async () => {} }
const SURROUNDINGS = [bufferingProxy, refusingProxy, cuttingProxy, tabs(8)]
const ALL = [nothing, ...SURROUNDINGS, tabs(6)]

const env = useTestEnvironment()

interface Change {
  name: string
  /** Up to the press that makes the change. */
  prepare?: (round: number) => Promise<unknown>
  make: (round: number) => Promise<unknown>
  /** Appears on the respondent's page. */
  seen: (round: number) => Locator
  /** Makes the next round possible. */
  end?: () => Promise<unknown>
}

/** The sign is there before the recorder writes. */
const RECORDING = [
  ['start', 'started'],
  ['pause', 'paused'],
  ['resume', 'started'],
] as const
/** The handout of a round. */
const nameIn = (round: number) => HANDOUTS[round % 2]!
/** A recording is started once. */
const recordingIn = (round: number) => RECORDING[round === 0 ? 0 : 2 - (round % 2)]!

function changesBy(moderator: Page, panelist: Page): Change[] {
  return [
    {
      name: 'recorded',
      prepare: async () => control(moderator, 'recording').click(SOON),
      make: async (round) => recordingButton(moderator, recordingIn(round)[0]).click(SOON),
      seen: (round) => recordingIndicator(panelist, recordingIn(round)[1]),
      end: async () => moderator.keyboard.press('Escape'),
    },
    {
      name: 'message',
      async prepare(round) {
        await openPanel(moderator, 'public')
        await composer(moderator, 'public').fill(`Welcome ${round}`)
      },
      make: async () => composer(moderator, 'public').press('Enter'),
      seen: (round) => messages(panelist, 'public').filter({ hasText: `Welcome ${round}` }),
    },
    {
      name: 'handout',
      prepare: async () => openPanel(moderator, 'handouts'),
      make: async (round) => showButton(moderator, nameIn(round)).click(SOON),
      seen: (round) => handoutStage(panelist).getByAltText(nameIn(round)),
    },
    {
      name: 'muted',
      async prepare() {
        await openPanel(moderator, 'roster')
        await personActions(moderator, 'Pana').click(SOON)
      },
      make: async () => personItem(moderator, 'mute').click(SOON),
      seen: () => muteRequest(panelist),
      async end() {
        await control(panelist, 'unmute').click(SOON)
        await muteRequest(panelist).waitFor({ state: 'detached', ...SOON })
        await tile(moderator, 'Pana', 'heard').waitFor(SOON)
      },
    },
  ]
}

describe.each(IS_FULL_RUN ? ALL : SURROUNDINGS)('with $name', ({ name: around, arrange }) => {
  test('a respondent sees the recording, messages, handouts and who muted them, within five seconds', async () => {
    const room = await env.tenant.book()
    const content = imageOf({ r: 200, g: 80, b: 40 })
    for (const title of HANDOUTS)
      await registerHandout(env.service, room, { kind: 'image', name: 'a.bmp', title, content })
    const roomId = room.id
    const { page: moderator } = await env.enter({ roomId, role: 'moderator', name: 'Mori' })
    const panelist = await env.open(
      { roomId, role: 'panelist', name: 'Pana' },
      { hasCamera: false, prepare: async (context) => arrange(context, env) },
    )
    await join(panelist)
    await tile(moderator, 'Pana', 'heard').waitFor(SOON)
    await openPanel(panelist.page, 'public')
    for (const { name, prepare, make, seen, end } of changesBy(moderator, panelist.page)) {
      const tookSec: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await prepare?.(round)
        const madeMs = performance.now()
        await make(round)
        await seen(round).waitFor(SEEN_WITHIN)
        tookSec.push(((performance.now() - madeMs) / 1_000).toFixed(1))
        await end?.()
      }
      process.stdout.write(`${around}, ${name}: ${tookSec.join(', ')} s\n`)
    }
    await say(panelist.page, 'public', 'Thank you')
    await openPanel(moderator, 'public')
    await messages(moderator, 'public').filter({ hasText: 'Thank you' }).waitFor(SOON)
    expect(await streamNotice(panelist.page).count()).toBe(0)
  })
})

test('two more rooms of an operator work beside six used connections, with two streams between them', async () => {
  const rooms = await Promise.all([env.tenant.book(), env.tenant.book()])
  const who = { roomId: rooms[0].id, role: 'platform_observer', name: 'Ope' }
  const first = await env.enter(who, {
    prepare: async (context) => tabs(7).arrange(context, env),
  })
  const link = await env.tenant.link({ ...who, roomId: rooms[1].id })
  const page = await first.context.newPage()
  await page.goto(link)
  await join({ page })
  for (const each of first.context.pages()) {
    await liveRoom(each).waitFor(SOON)
    await openPanel(each, 'private')
    await say(each, 'private', 'I am here')
  }
})
