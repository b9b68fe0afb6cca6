import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { serveFakeRecordings } from './fake-recordings.ts'
import type { PageRecorder } from './page-recorder.ts'
import { recordingRow } from './playground-page.ts'
import { SOON } from './wait.ts'

/** Recordings in the playground: a video, an archive, and one that failed. */
export async function expectRecordings(
  recorder: PageRecorder,
  look: (page: Page, name: PageStateName) => Promise<void>,
): Promise<void> {
  const { page } = await recorder.openLink(recorder.env.service.local.base_url)
  await serveFakeRecordings(page)
  await page.reload()
  await recordingRow(page, 'failed').waitFor(SOON)
  await look(page, 'playground-recordings')
}
