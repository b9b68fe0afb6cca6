import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from './harness/browser.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { isWholeInView } from './harness/misfits.ts'
import {
  closeDialog,
  control,
  handoutStage,
  markerDialog,
  menuItem,
  panel,
  panelButton,
  peopleItem,
  personActions,
  raisedHand,
  recordingButton,
  recordingIndicator,
  refusal,
  shareButton,
  showButton,
  tile,
  toolButton,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { peopleText, toolsText } from './harness/words.ts'

/**
 * The tasks of a moderator's first interview, by presses on words that are in sight without scrolling. The presses of each
 * task are the table of `docs/room-page.md`, which also turns them into seconds.
 */
const HANDOUT = 'package.bmp'
const PANELIST = 'Pana Panelist'
const env = useTestEnvironment()
const people = {} as Record<'moderator' | 'panelist', Person>

beforeAll(async () => {
  const room = await env.tenant.book({ room: { archive_mode: 'manual' } })
  const content = imageOf({ r: 9, g: 9, b: 9 })
  await registerHandout(env.service, room, { kind: 'image', name: HANDOUT, content })
  const visit = { hasDevices: true, hasCamera: false }
  for (const [role, name] of [
    ['panelist', PANELIST],
    ['moderator', 'Mori Moderator'],
  ] as const) {
    people[role] = await env.enter({ roomId: room.id, role, name }, visit)
    await people[role].page.emulateMedia({ reducedMotion: 'reduce' })
  }
  // Recorded already, because the task is to pause.
  const { page } = people.moderator
  await control(page, 'recording').click()
  await recordingButton(page, 'start').click()
  await recordingIndicator(page, 'written').waitFor(SOON)
  await page.keyboard.press('Escape')
})

interface Task {
  name: string
  /** Happens before the task, and is none of its presses. */
  before?: () => Promise<void>
  presses: readonly ((page: Page) => Locator)[]
  result: (page: Page) => Promise<void>
}

const gone = { ...SOON, state: 'detached' } as const

const TASKS: readonly Task[] = [
  {
    name: 'mutes the own microphone',
    presses: [(page) => control(page, 'mute')],
    result: async (page) => control(page, 'unmute').waitFor(SOON),
  },
  {
    name: 'shares the screen',
    presses: [(page) => shareButton(page)],
    result: async (page) => shareButton(page, 'on').waitFor(SOON),
  },
  {
    name: 'shows a handout',
    before: async () => shareButton(people.moderator.page, 'on').click(),
    presses: [(page) => panelButton(page, 'handouts'), (page) => showButton(page, HANDOUT)],
    result: async () => handoutStage(people.panelist.page).waitFor(SOON),
  },
  {
    name: 'marks a moment',
    presses: [
      (page) => control(page, 'mark'),
      (page) => toolButton(markerDialog(page), (t) => t.marker.save),
    ],
    result: async (page) => markerDialog(page).waitFor(gone),
  },
  {
    name: 'answers a raised hand',
    before: async () => {
      await control(people.panelist.page, 'hand').click()
      await raisedHand(tile(people.moderator.page, PANELIST)).waitFor(SOON)
    },
    presses: [
      (page) =>
        tile(page, PANELIST).getByRole('button', {
          name: peopleText((t) => t.lowerHandOf(PANELIST)),
        }),
    ],
    result: async () => control(people.panelist.page, 'lowerHand').waitFor(gone),
  },
  {
    name: 'opens the back-room',
    presses: [(page) => panelButton(page, 'private')],
    result: async (page) => panel(page, 'private').waitFor(SOON),
  },
  {
    name: 'pauses the recording',
    presses: [(page) => control(page, 'recording'), (page) => recordingButton(page, 'pause')],
    result: async (page) => recordingIndicator(page, 'paused').waitFor(SOON),
  },
  {
    name: 'removes somebody',
    before: async () => people.moderator.page.keyboard.press('Escape'),
    presses: [
      (page) => panelButton(page, 'roster'),
      (page) => personActions(page, PANELIST),
      (page) => peopleItem(page, 'remove'),
      (page) =>
        page
          .getByRole('alertdialog')
          .getByRole('button', { name: peopleText((t) => t.removeConfirm) }),
    ],
    result: async (page) => tile(page, PANELIST).waitFor(gone),
  },
  {
    name: 'closes the room',
    presses: [
      (page) => control(page, 'more'),
      (page) =>
        menuItem(
          page,
          toolsText((t) => t.more.close),
        ),
      (page) => toolButton(closeDialog(page), (t) => t.close.confirm),
    ],
    result: async (page) => refusal(page, 'closed').waitFor(SOON),
  },
]

test.each(TASKS)('a moderator $name', async ({ before, presses, result }) => {
  const { page } = people.moderator
  await before?.()
  for (const find of presses) {
    const target = find(page)
    await expect.poll(async () => isWholeInView(target), SOON).toBe(true)
    await target.click()
  }
  await result(page)
})
