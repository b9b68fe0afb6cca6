import { HANDOUT_TITLE_MAX } from '@interview-room/contract/limits.ts'

/** ` – 100 / 100`, the longest suffix of a title. */
const ENDING_MAX = 12
export const PDF_TITLE_MAX = HANDOUT_TITLE_MAX - ENDING_MAX

export interface PageNumber {
  page: number
  pages: number
}

/** The title that people in the room read: `Concept – 3 / 12`. */
export function pageTitle(title: string, { page, pages }: PageNumber): string {
  return `${title} – ${page} / ${pages}`
}

/** Splits a title that `pageTitle` made. Null for any other title. */
export function pageOf(title: string): (PageNumber & { title: string }) | null {
  const found = /^(?<name>.*) – (?<page>\d{1,3}) \/ (?<pages>\d{1,3})$/su.exec(title)?.groups
  if (found === undefined) return null
  return { title: found['name']!, page: Number(found['page']), pages: Number(found['pages']) }
}

/** The file name for staff. It sorts in the order of the pages: `concept-03.png`. */
export function pageFileName(pdfName: string, { page, pages }: PageNumber, type: string): string {
  const number = String(page).padStart(String(pages).length, '0')
  const extension = type === 'image/jpeg' ? 'jpg' : 'png'
  return `${pdfName.replace(/\.pdf$/i, '')}-${number}.${extension}`
}
