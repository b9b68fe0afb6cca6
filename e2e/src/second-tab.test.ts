import { describe, expect, test } from 'vitest'
import { join, streamedText } from './harness/browser.ts'
import { joinButton, liveRoom, refusal } from './harness/room-page.ts'
import { blockedSockets } from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { roomText } from './harness/words.ts'

const env = useTestEnvironment()

async function newLink(role = 'panelist'): Promise<string> {
  const room = await env.tenant.book()
  return env.tenant.link({ roomId: room.id, role, name: 'Twice' })
}

describe('the same link in a second tab', () => {
  test('takes over, and the first tab explains it and can take it back', async () => {
    const link = await newLink()
    const first = await env.openLink(link, { hasDevices: false })
    await join(first)
    const second = await env.openLink(link, { hasDevices: false })
    await join(second)
    await refusal(first.page, 'elsewhere').waitFor(SOON)
    expect(await first.page.locator('body').innerText()).not.toContain('DUPLICATE')

    const name = roomText((t) => t.refusal.joinHere)
    await first.page.getByRole('button', { name }).click()
    await liveRoom(first.page).waitFor(SOON)
    await refusal(second.page, 'elsewhere').waitFor(SOON)
    expect(await liveRoom(first.page).count()).toBe(1)
    await first.context.close()
    await second.context.close()
  })

  test('is announced to a first tab whose media never connected', async () => {
    const link = await newLink('observer')
    const first = await env.openLink(link, { hasDevices: false, prepare: blockedSockets.arrange })
    await blockedSockets.strike(first)
    await joinButton(first.page).click(SOON)
    await waitFor(async () => (await streamedText(first.page)).includes('snapshot'), {
      what: 'the first tab follows the room',
    })
    const second = await env.openLink(link, { hasDevices: false })
    await join(second)
    await refusal(first.page, 'elsewhere').waitFor(SOON)
    await first.context.close()
    await second.context.close()
  })

  test('is announced to a first tab that was offline, as soon as it reconnects', async () => {
    const link = await newLink('observer')
    const first = await env.openLink(link, { hasDevices: false })
    await join(first)
    await first.context.setOffline(true)
    const second = await env.openLink(link, { hasDevices: false })
    await join(second)
    await first.context.setOffline(false)
    await refusal(first.page, 'elsewhere').waitFor(SOON)
    expect(await liveRoom(second.page).count()).toBe(1)
    await first.context.close()
    await second.context.close()
  })
})
