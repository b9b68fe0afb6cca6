import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { NAMES, type PageRecorder, SESSION_NAME } from './page-recorder.ts'
import { control, openPanel, tile } from './room-page.ts'
import { SOON } from './wait.ts'

const THIRD = '鈴木 健'

/** A moderator shows one of three people large. */
export async function expectSpeakerView(
  recorder: PageRecorder,
  look: (page: Page, name: PageStateName) => Promise<void>,
): Promise<void> {
  const { env } = recorder
  const room = await env.tenant.book({ name: SESSION_NAME })
  const panelist = await recorder.enter(room, 'panelist')
  await env.connectByHand({ roomId: room.id, role: 'panelist', name: THIRD })
  const { page, context } = await recorder.enter(room, 'moderator')
  await tile(page, NAMES.panelist).locator('video').waitFor(SOON)
  await tile(page, THIRD).waitFor(SOON)
  await openPanel(page, 'facts')
  await control(page, 'layout').click(SOON)
  await look(page, 'moderator-speaker')
  await context.close()
  await panelist.context.close()
}
