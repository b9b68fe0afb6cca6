import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { describePage, framesShown, inboundAudio, join, type Person } from './harness/browser.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import {
  closePanel,
  consentButton,
  control,
  handoutStage,
  joinButton,
  leftPage,
  liveRoom,
  messages,
  openPanel,
  recordingButton,
  recordingIndicator,
  recordingPanel,
  refusal,
  say,
  showButton,
  tile,
} from './harness/room-page.ts'
import {
  captivePortal,
  frozenPage,
  type Surrounding,
  SURROUNDINGS,
  text150,
  text200,
} from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { recordingText, roomText } from './harness/words.ts'

const MODERATOR = 'Mori'
/** Lines of the service's log that a failure shows. */
const LOGGED = 12
const HANDOUT = 'Package'

const env = useTestEnvironment()

interface Guest extends Person {
  name: string
  hasCamera: boolean
  surrounding: Surrounding
}

interface Act {
  name: string
  /** Happens while the surrounding lasts. */
  cause?: (moderator: Page) => Promise<unknown>
  /** Follows once it has ended, for each guest. */
  effect: (guest: Guest, moderator: Page) => Promise<unknown>
}

const ACTS: readonly Act[] = [
  {
    name: 'sees and hears, and is seen and heard',
    effect: async ({ page, name, hasCamera }, moderator) => {
      await seesMoving(page, MODERATOR)
      if (hasCamera) await seesMoving(moderator, name)
      await hears(page)
      await tile(moderator, name, 'heard').waitFor(SOON)
      await hears(moderator)
    },
  },
  {
    name: 'chats',
    cause: async (moderator) => say(moderator, 'public', 'Welcome'),
    effect: async ({ page, name }, moderator) => {
      await openPanel(page, 'public')
      await messages(page, 'public').filter({ hasText: 'Welcome' }).waitFor(SOON)
      await say(page, 'public', `Hello from ${name}`)
      await messages(moderator, 'public')
        .filter({ hasText: `Hello from ${name}` })
        .waitFor(SOON)
      await closePanel(page)
    },
  },
  {
    name: 'sees the recording',
    cause: async (moderator) => {
      await control(moderator, 'recording').click(SOON)
      await recordingButton(moderator, 'start').click(SOON)
      const written = recordingIndicator(moderator, 'written')
      const refused = recordingPanel(moderator).getByText(recordingText((t) => t.refused.start))
      await written.or(refused).first().waitFor(SOON)
      // On a busy machine the recorder may not begin in time, and the page says to try again.
      if (await refused.isVisible()) await recordingButton(moderator, 'start').click(SOON)
      await written.waitFor(SOON).catch((cause: Error) => {
        const log = env.service.output().trimEnd().split('\n').slice(-LOGGED)
        throw new Error(`${log.join('\n')}\n${cause.message}`, { cause })
      })
      await moderator.keyboard.press('Escape')
    },
    effect: async ({ page }) => recordingIndicator(page, 'written').waitFor(SOON),
  },
  {
    name: 'sees a handout',
    cause: async (moderator) => {
      await openPanel(moderator, 'handouts')
      await showButton(moderator, HANDOUT).click(SOON)
    },
    effect: async ({ page }) => handoutStage(page).getByAltText(HANDOUT).waitFor(SOON),
  },
  {
    name: 'leaves',
    effect: async ({ page, name }, moderator) => {
      await control(page, 'leave').click(SOON)
      await leftPage(page).waitFor(SOON)
      await tile(moderator, name).waitFor({ state: 'detached', ...SOON })
    },
  },
]

async function seesMoving(page: Page, name: string): Promise<void> {
  const before = await framesShown(page, name)
  await waitFor(async () => (await framesShown(page, name)) > before, {
    what: `${name} moves`,
  })
}

async function hears(page: Page): Promise<void> {
  const before = await inboundAudio(page)
  await waitFor(async () => (await inboundAudio(page)).packets > before.packets, {
    what: 'a voice arrives',
  })
}

/** Comes in while the surrounding lasts, as far as it lets anybody in. */
async function enter(guest: Guest): Promise<void> {
  const { page, surrounding } = guest
  await joinButton(page).waitFor(SOON)
  const end = await surrounding.strike?.(guest)
  if (end === undefined || surrounding.atEntry === undefined) {
    await end?.()
    return join(guest)
  }
  const consent = consentButton(page, 'give')
  await joinButton(page).click(SOON)
  const refused = refusal(page, 'unavailable')
  await consent.or(refused).first().waitFor(SOON)
  if (await consent.isVisible()) await consent.click()
  await surrounding.atEntry(page)
  await end()
  const again = page.getByRole('button', { name: roomText((t) => t.refusal.retry) })
  if (await again.isVisible()) await again.click()
  await consent.or(liveRoom(page)).first().waitFor(SOON)
  if (await consent.isVisible()) await consent.click()
  await liveRoom(page).waitFor(SOON)
}

/** Each of them takes part in one interview, and their surroundings strike anew at each act. */
async function expectInterview(surroundings: readonly Surrounding[]): Promise<void> {
  const room = await env.tenant.book()
  const content = imageOf({ r: 200, g: 80, b: 40 })
  await registerHandout(env.service, room, {
    kind: 'image',
    name: 'package.bmp',
    title: HANDOUT,
    content,
  })
  const who = { roomId: room.id, role: 'moderator', name: MODERATOR }
  const { page: moderator } = await env.enter(who, { hasDevices: true })
  // Pictures are most of the work.
  const hasCamera = surroundings.length === 1
  const guests = await Promise.all(
    surroundings.map(async (surrounding, number): Promise<Guest> => {
      const name = `Guest ${number + 1}`
      const person = await env.open(
        { roomId: room.id, role: 'panelist', name },
        {
          ...surrounding.device,
          hasDevices: true,
          hasCamera,
          prepare: async (context) => surrounding.arrange(context, env),
        },
      )
      return { ...person, name, hasCamera, surrounding }
    }),
  )
  await Promise.all(guests.map(enter))
  for (const { name, cause, effect } of ACTS) {
    const ends = await Promise.all(
      guests.map(async (guest) =>
        guest.surrounding.isOnlyAtEntry === true ? undefined : guest.surrounding.strike?.(guest),
      ),
    )
    await Promise.all(guests.map(async ({ surrounding, page }) => surrounding.inRoom?.(page)))
    await cause?.(moderator).catch(async (error: Error) => {
      throw new Error(`${name}: ${error.message}\n${await describePage(moderator)}`, {
        cause: error,
      })
    })
    for (const end of ends) await end?.()
    await Promise.all(
      guests.map(async (guest) =>
        effect(guest, moderator).catch((error: Error) => {
          throw new Error(`${guest.surrounding.name}: ${name}: ${error.message}`, { cause: error })
        }),
      ),
    )
  }
}

// The tests of translated pages, corrected clocks, held back streams and of the way in cover the others.
test.skipIf(IS_FULL_RUN)(
  'an interview goes on with a captive portal, a frozen page and large words',
  async () => expectInterview([captivePortal, frozenPage, text150, text200]),
)

test.runIf(IS_FULL_RUN).each(SURROUNDINGS)('an interview goes on with $name', async (surrounding) =>
  expectInterview([surrounding]),
)
