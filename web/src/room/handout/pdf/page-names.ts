import { HANDOUT_TITLE_MAX } from '@interview-room/contract/limits.ts'

/** ` – 100 / 100`, the longest that follows a title. */
const ENDING_MAX = 12
export const PDF_TITLE_MAX = HANDOUT_TITLE_MAX - ENDING_MAX

interface PageNumber {
  page: number
  pages: number
}

/** What people in the room read: `Concept – 3 / 12`. */
export function pageTitle(title: string, { page, pages }: PageNumber): string {
  return `${title} – ${page} / ${pages}`
}

/** For staff, in the order of the pages: `concept-03.png`. */
export function pageFileName(pdfName: string, { page, pages }: PageNumber, type: string): string {
  const number = String(page).padStart(String(pages).length, '0')
  const extension = type === 'image/jpeg' ? 'jpg' : 'png'
  return `${pdfName.replace(/\.pdf$/i, '')}-${number}.${extension}`
}
