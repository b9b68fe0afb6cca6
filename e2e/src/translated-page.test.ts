import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { join } from './harness/browser.ts'
import {
  closePanel,
  control,
  endRecording,
  liveRoom,
  messages,
  notRecording,
  openPanel,
  PANEL_NAMES,
  panelButton,
  recordingButton,
  recordingIndicator,
  rosterRow,
  say,
} from './harness/room-page.ts'
import { translator } from './harness/surroundings.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { chatText } from './harness/words.ts'

const env = useTestEnvironment()

interface TranslatedPage {
  page: Page
  /** Errors that the page met while drawing, also those that it mended by drawing again. */
  errors: string[]
}

async function enter(roomId: string, role: Role, name: string): Promise<TranslatedPage> {
  const person = await env.open(
    { roomId, role, name },
    { hasDevices: role === 'panelist', prepare: translator.arrange },
  )
  const errors: string[] = []
  person.page.on('pageerror', (error) => errors.push(String(error)))
  person.page.on('console', (line) => {
    if (/NotFoundError|error occurred in/.test(line.text())) errors.push(line.text())
  })
  await join(person)
  return { page: person.page, errors }
}

test('a translated page follows the recording, the chat and the people, in every role', async () => {
  const { id: roomId } = await env.tenant.book()
  const panelist = await enter(roomId, 'panelist', 'Pana')
  const moderator = await enter(roomId, 'moderator', 'Mori')
  const observer = await enter(roomId, 'observer', 'Ono')
  const everybody = [moderator, panelist, observer]
  await control(moderator.page, 'recording').click(SOON)
  for (const [button, says] of [
    ['start', 'written'],
    ['pause', 'paused'],
    ['resume', 'written'],
  ] as const) {
    await recordingButton(moderator.page, button).click(SOON)
    for (const { page } of everybody) await recordingIndicator(page, says).waitFor(SOON)
  }
  await endRecording(moderator.page)
  for (const { page } of [panelist, observer]) await notRecording(page).waitFor(SOON)
  await moderator.page.keyboard.press('Escape')

  await openPanel(panelist.page, 'public')
  await say(panelist.page, 'public', 'Can you hear me?')
  await openPanel(moderator.page, 'public')
  await messages(moderator.page, 'public').filter({ hasText: 'Can you hear me?' }).waitFor(SOON)

  const roster = await openPanel(moderator.page, 'roster')
  await control(panelist.page, 'microphone').click(SOON)
  await control(panelist.page, 'hand').click(SOON)
  const raised = chatText((t) => t.roster.hand)
  await rosterRow(moderator.page, 'Pana').getByText(raised).waitFor(SOON)
  await control(panelist.page, 'lowerHand').click(SOON)
  await rosterRow(moderator.page, 'Pana')
    .getByText(raised)
    .waitFor({ state: 'detached', ...SOON })
  await roster.waitFor(SOON)
  await control(moderator.page, 'mark').click(SOON)
  await moderator.page.keyboard.press('Escape')

  for (const { page } of everybody) {
    for (const name of PANEL_NAMES) {
      if ((await panelButton(page, name).count()) === 0) continue
      await openPanel(page, name)
      await closePanel(page)
    }
  }
  for (const { page, errors } of everybody) {
    await liveRoom(page).waitFor(SOON)
    expect(errors).toEqual([])
  }
})

test('a part of the page that cannot be drawn is drawn again, and the person stays in the room', async () => {
  const { id: roomId } = await env.tenant.book()
  await enter(roomId, 'panelist', 'Pana')
  const { page, errors } = await enter(roomId, 'moderator', 'Mori')
  await control(page, 'recording').click(SOON)
  await recordingButton(page, 'start').click(SOON)
  await recordingIndicator(page, 'written').waitFor(SOON)
  // An extension takes away the dot, which the page is about to replace by the sign of a pause.
  await page.locator('[data-shown="started"] i').evaluate((dot) => dot.remove())
  await recordingButton(page, 'pause').click(SOON)
  await recordingIndicator(page, 'paused').waitFor(SOON)
  expect(errors.length).toBeGreaterThan(0)
  expect(await liveRoom(page).count()).toBe(1)
})
