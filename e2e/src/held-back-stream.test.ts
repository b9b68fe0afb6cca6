import { describe, expect, test } from 'vitest'
import { join } from './harness/browser.ts'
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
import {
  bufferingProxy,
  cuttingProxy,
  refusingProxy,
  sixConnections,
} from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

const env = useTestEnvironment()

describe.each([bufferingProxy, refusingProxy, cuttingProxy])('behind $name', ({ arrange }) => {
  test('a respondent sees the recording, the messages and who muted them', async () => {
    const { id: roomId } = await env.tenant.book()
    const moderator = await env.open(
      { roomId, role: 'moderator', name: 'Mori' },
      { hasDevices: false },
    )
    await join(moderator)
    const panelist = await env.open(
      { roomId, role: 'panelist', name: 'Pana' },
      { prepare: arrange },
    )
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

test('two more rooms of an operator work beside six used connections, with two streams between them', async () => {
  const rooms = await Promise.all([env.tenant.book(), env.tenant.book()])
  const who = { roomId: rooms[0].id, role: 'platform_observer', name: 'Ope' }
  const first = await env.enter(who, {
    prepare: async (context) => sixConnections.arrange(context, env),
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
