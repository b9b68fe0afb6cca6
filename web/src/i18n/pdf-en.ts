import type { PdfDictionary } from './pdf-ja.ts'

/** English words for a PDF that a moderator adds to the handouts. */
export const pdfEn: PdfDictionary = {
  opening: 'Reading the PDF…',
  ready: (pages) =>
    `Pages: ${pages}. Each becomes a handout. When all are added, everyone sees the first.`,
  titleHint: 'Participants read it with the number of the page: “Title – 3 / 12”.',
  add: 'Add and show',
  progress: 'Progress',
  rendering: (page, pages) => `Preparing page ${page} of ${pages}`,
  uploading: (page, pages) => `Uploading page ${page} of ${pages}`,
  stopping: 'Stopping…',
  stop: 'Stop',
  stopped: (added, pages) => `Added ${added} of ${pages} pages. They stay in the list.`,
  resume: 'Continue',
  close: 'Close',
  notShown: 'The pages are added, but couldn’t be shown. Show the first one from the list.',
  turning: 'Pages of the PDF',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  place: (page, pages) => `Page ${page} of ${pages}`,
  problem: {
    encrypted: 'This PDF is protected by a password. Choose one without protection.',
    broken: 'This PDF is damaged and can’t be read. Choose another copy.',
    oldBrowser: 'This browser is too old to read a PDF. Update it, or add the pages as images.',
    unreadable: 'Couldn’t read this PDF. Reload the page and try again.',
    tooLarge: 'This file is too large. A PDF can have 100 MB.',
    tooManyPages: (pages, max) =>
      `This PDF has ${pages} pages. Split it into files of at most ${max} pages.`,
    page: (page) => `Couldn’t prepare page ${page}. No pages were added.`,
    pageTooLarge: (page) => `The image of page ${page} is too large. No pages were added.`,
  },
}
