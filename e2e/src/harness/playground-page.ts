import type { RecordingStatus, Role } from '@interview-room/contract/vocabulary.ts'
import type { Locator, Page } from 'playwright-core'
import { ANYTHING, playgroundRecordingsText, playgroundText } from './words.ts'

// Locators of the playground's page.

const RECORDING_ROW = playgroundRecordingsText((t) => [t.showOf(ANYTHING), t.hideOf(ANYTHING)])
const TRANSCRIPT_LINES = playgroundRecordingsText((t) => [
  t.transcript.lines,
  t.transcript.individualLines,
])

export const bookButton = (page: Page): Locator =>
  page.getByRole('button', { name: playgroundText((t) => t.book.submit) })

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
    .filter({ has: page.getByRole('button', { name: RECORDING_ROW }) })
    .filter({ has: page.getByText(playgroundRecordingsText((t) => t.status[status])) })
}

/** The buttons that open and close a recording, newest first. */
export const recordingButtons = (page: Page): Locator =>
  recordings(page).getByRole('button', { name: RECORDING_ROW })

export const noRecordings = (page: Page): Locator =>
  recordings(page).getByText(playgroundRecordingsText((t) => t.empty))

export async function deleteRecording(page: Page): Promise<void> {
  await buttonOf(recordings(page), (t) => t.remove).click()
  await buttonOf(page.getByRole('alertdialog'), (t) => t.removeConfirm).click()
}

/** The video of the open recording, or the archive. */
export const filePart = (page: Page): Locator => partOf(recordings(page), (t) => t.file)
export const trimPart = (page: Page): Locator => partOf(recordings(page), (t) => t.trim.title)
const transcriptPart = (page: Page) => partOf(recordings(page), (t) => t.transcript.title)

export const playButton = (part: Locator): Locator => buttonOf(part, (t) => t.play)

/** The download button of a video or an archive. */
export const downloadButton = (part: Locator): Locator =>
  buttonOf(part, (t) => [t.download, t.downloadZip])

export const recordingVideo = (page: Page): Locator =>
  filePart(page).getByLabel(playgroundRecordingsText((t) => t.video))

export const trimmedVideo = (page: Page): Locator =>
  trimPart(page).getByLabel(playgroundRecordingsText((t) => t.processedVideo))

/** Requests a video of this range in seconds. */
export async function trim(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  const field = (name: RegExp) => trimPart(page).getByRole('spinbutton', { name })
  await field(playgroundRecordingsText((t) => t.range.start)).fill(from)
  await field(playgroundRecordingsText((t) => t.range.end)).fill(to)
  await buttonOf(trimPart(page), (t) => t.trim.submit).click()
}

/** Says that the trimmed video can be played. */
export const trimmedState = (page: Page): Locator =>
  trimPart(page).getByText(playgroundRecordingsText((t) => t.trim.status.available))

export const clipPart = (page: Page): Locator => partOf(recordings(page), (t) => t.clips.title)

/** Requests a clip with this title. */
export async function clip(
  page: Page,
  { title, from, to }: { title: string; from: string; to: string },
): Promise<void> {
  const part = clipPart(page)
  await part.getByRole('textbox').fill(title)
  const field = (name: RegExp) => part.getByRole('spinbutton', { name })
  await field(playgroundRecordingsText((t) => t.range.start)).fill(from)
  await field(playgroundRecordingsText((t) => t.range.end)).fill(to)
  await buttonOf(part, (t) => t.clips.submit).click()
}

/** The clip with this title in the list, once it can be downloaded. */
export const readyClip = (page: Page, title: string): Locator =>
  clipPart(page)
    .getByRole('listitem')
    .filter({ hasText: title })
    .filter({ has: page.getByText(playgroundRecordingsText((t) => t.clips.status.available)) })

export const downloadOf = (clipRow: Locator): Locator =>
  buttonOf(clipRow, (t) => `${t.download}: ${ANYTHING}`)

export async function deleteClip(page: Page, clipRow: Locator): Promise<void> {
  await buttonOf(clipRow, (t) => `${t.clips.remove}: ${ANYTHING}`).click()
  await buttonOf(page.getByRole('alertdialog'), (t) => t.removeConfirm).click()
}

export const transcriptLines = (page: Page): Locator =>
  transcriptPart(page).getByRole('list', { name: TRANSCRIPT_LINES })

/** Requests another transcription from the engine with this value. */
export async function askTranscription(page: Page, engine: string): Promise<void> {
  const part = transcriptPart(page)
  await part.getByText(playgroundRecordingsText((t) => t.transcript.ask)).click()
  const name = playgroundRecordingsText((t) => t.transcript.engine)
  await part.getByRole('combobox', { name }).selectOption(engine)
  await buttonOf(part, (t) => t.transcript.submit).click()
}

/** A refused transcription, and its reason. */
export function refusedTranscription(page: Page): Locator {
  const refused = page.getByText(playgroundRecordingsText((t) => t.transcript.status.request_error))
  return transcriptPart(page).getByRole('listitem').filter({ has: refused })
}

type Choose = Parameters<typeof playgroundRecordingsText>[0]

function partOf(within: Page | Locator, name: Choose): Locator {
  return within.getByRole('region', { name: playgroundRecordingsText(name) })
}

function buttonOf(within: Locator, name: Choose): Locator {
  return within.getByRole('button', { name: playgroundRecordingsText(name) })
}
