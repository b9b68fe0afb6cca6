import type { BrowserContext, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { join, type Person } from './harness/browser.ts'
import {
  control,
  liveRoom,
  messages,
  openPanel,
  recordingButton,
  recordingIndicator,
  say,
  streamNotice,
  tile,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

const env = useTestEnvironment()

/** Ways in which something between a page and the service treats a stream of events. */
const SURROUNDINGS: readonly [string, (route: Route) => Promise<void> | undefined][] = [
  // A virus scanner waits for the end of an answer that has none.
  ['holds streams back', () => undefined],
  ['refuses streams', (route) => route.fulfill({ status: 403, body: '<html>No streams</html>' })],
  ['cuts streams off', (route) => route.abort()],
]

describe.each(SURROUNDINGS)('behind a proxy that %s', (_name, treat) => {
  const prepare = (context: BrowserContext) => context.route('**/live/stream', treat)

  test('a respondent sees the recording, the messages and who muted them', async () => {
    const { id: roomId } = await env.tenant.book()
    const moderator = await env.open(
      { roomId, role: 'moderator', name: 'Mori' },
      { hasDevices: false },
    )
    await join(moderator)
    const panelist = await env.open({ roomId, role: 'panelist', name: 'Pana' }, { prepare })
    await join(panelist)
    await control(moderator.page, 'recording').click(SOON)
    await recordingButton(moderator.page, 'start').click(SOON)
    await recordingIndicator(panelist.page, 'written').waitFor(SOON)
    await moderator.page.keyboard.press('Escape')

    await openPanel(moderator.page, 'public')
    await say(moderator.page, 'public', 'Welcome')
    await messages(panelist.page, 'public')
      .filter({ hasText: 'Welcome' })
      .waitFor({
        state: 'attached',
        ...SOON,
      })
    await openPanel(panelist.page, 'public')
    await say(panelist.page, 'public', 'Thank you')
    await messages(moderator.page, 'public').filter({ hasText: 'Thank you' }).waitFor(SOON)
    expect(await streamNotice(panelist.page).count()).toBe(0)
    await tile(moderator.page, 'Pana').waitFor(SOON)
  })
})

test('eight rooms of an operator in one browser all work, with two streams between them', async () => {
  const rooms = await Promise.all(Array.from({ length: 8 }, () => env.tenant.book()))
  const first = await env.open(
    { roomId: rooms[0]?.id ?? '', role: 'platform_observer', name: 'Ope' },
    { hasDevices: false },
  )
  await join(first)
  const pages = [first.page]
  for (const { id: roomId } of rooms.slice(1)) {
    const link = await env.tenant.link({ roomId, role: 'platform_observer', name: 'Ope' })
    const page = await first.context.newPage()
    await page.goto(link)
    await join({ ...first, page } satisfies Person)
    pages.push(page)
  }
  for (const page of pages) {
    await liveRoom(page).waitFor(SOON)
    await openPanel(page, 'private')
    await say(page, 'private', 'I am here')
  }
})
