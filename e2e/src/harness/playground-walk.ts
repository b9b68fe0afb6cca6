import type { Page } from 'playwright-core'
import type { PageStateName } from '../page-states.ts'
import { serveFakeRecordings } from './fake-recordings.ts'
import type { PageRecorder } from './page-recorder.ts'
import { recordingButtons, transcriptLines } from './playground-page.ts'
import { SOON } from './wait.ts'

/** Recordings in the playground: one with a transcript, an archive, and one that failed. */
export async function expectRecordings(
  recorder: PageRecorder,
  look: (page: Page, name: PageStateName) => Promise<void>,
): Promise<void> {
  const { page } = await recorder.openLink(recorder.env.service.local.base_url)
  await serveFakeRecordings(page)
  await page.reload()
  await transcriptLines(page).waitFor(SOON)
  await look(page, 'playground-recordings')
  for (const [place, name] of [
    [1, 'playground-recording-archive'],
    [2, 'playground-recording-failed'],
  ] as const) {
    await recordingButtons(page).nth(place).click()
    await look(page, name)
  }
}
