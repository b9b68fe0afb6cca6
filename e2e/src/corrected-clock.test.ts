import { expect, test } from 'vitest'
import { join } from './harness/browser.ts'
import { control, liveRoom, messages, openPanel, say } from './harness/room-page.ts'
import { clockJump } from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'

const env = useTestEnvironment()

test('a clock that is set back during the call changes nothing in the room', async () => {
  const { id: roomId } = await env.tenant.book()
  const moderator = await env.open(
    { roomId, role: 'moderator', name: 'Mori' },
    { hasDevices: false, prepare: clockJump.arrange },
  )
  await join(moderator)
  const { page } = moderator
  const clock = page.getByRole('timer')
  await clock.getByText('elapsed').waitFor(SOON)
  await clockJump.strike(moderator)
  const panelist = await env.enter({ roomId, role: 'panelist', name: 'Pana' })
  await openPanel(page, 'roster')
  await openPanel(panelist.page, 'public')
  await say(panelist.page, 'public', 'Can you see me?')
  // New messages are previewed, which old ones are not.
  await page.getByRole('button', { name: 'Can you see me?' }).waitFor(SOON)
  expect(await clock.getAttribute('data-phase')).toBe('running')
  await control(page, 'more').waitFor(SOON)
  await openPanel(page, 'public')
  await messages(page, 'public').filter({ hasText: 'Can you see me?' }).waitFor(SOON)
  await liveRoom(page).waitFor(SOON)
})
