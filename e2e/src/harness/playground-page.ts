import type { RecordingStatus, Role } from '@interview-room/contract/vocabulary.ts'
import type { Locator, Page } from 'playwright-core'
import { ANYTHING, playgroundRecordingsText, playgroundText } from './words.ts'

// Locators of the playground's page.

export const bookButton = (page: Page): Locator =>
  page.getByRole('button', { name: playgroundText((t) => t.book.submit) })

/** Opens the sample interview for review. */
export const sampleButton = (page: Page): Locator =>
  page
    .getByRole('region', { name: playgroundText((t) => t.sample.title) })
    .getByRole('button', { name: playgroundText((t) => t.sample.open) })

/** The choice to record the booked room automatically. */
export const archiveModeSelect = (page: Page): Locator =>
  page.getByRole('combobox', { name: playgroundRecordingsText((t) => t.book.mode) })

/** Opens the shown room in this role. */
export const roleLink = (page: Page, role: Role): Locator =>
  page.getByRole('link', { name: playgroundText((t) => t.room.openAs(t.roles[role])) })

/** The delivered webhooks, newest first. */
export const webhooks = (page: Page): Locator =>
  page.getByRole('region', { name: playgroundText((t) => t.webhooks.title) }).getByRole('listitem')

export async function closeRoom(page: Page): Promise<void> {
  await page.getByRole('button', { name: playgroundText((t) => t.room.close) }).click()
  const name = playgroundText((t) => t.room.closeConfirm)
  await page.getByRole('alertdialog').getByRole('button', { name }).click()
}

/** The recordings of the shown room. */
export const recordings = (page: Page): Locator => partOf(page, (t) => t.title)

/** A recording with the text of this state. */
export function recordingRow(page: Page, status: RecordingStatus): Locator {
  return recordings(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(playgroundRecordingsText((t) => t.status[status])) })
}

export const noRecordings = (page: Page): Locator =>
  recordings(page).getByText(playgroundRecordingsText((t) => t.empty))

export async function deleteRecording(page: Page): Promise<void> {
  await buttonOf(recordings(page), (t) => `${t.remove}: ${ANYTHING}`).click()
  await buttonOf(page.getByRole('alertdialog'), (t) => t.removeConfirm).click()
}

/** Opens the recording for review. */
export const watchButton = (page: Page): Locator =>
  buttonOf(recordings(page), (t) => `${t.watch}: ${ANYTHING}`)

/** Downloads an individual recording. */
export const downloadZipButton = (page: Page): Locator =>
  buttonOf(recordings(page), (t) => `${t.downloadZip}: ${ANYTHING}`)

type Choose = Parameters<typeof playgroundRecordingsText>[0]

function partOf(within: Page | Locator, name: Choose): Locator {
  return within.getByRole('region', { name: playgroundRecordingsText(name) })
}

function buttonOf(within: Locator, name: Choose): Locator {
  return within.getByRole('button', { name: playgroundRecordingsText(name) })
}
