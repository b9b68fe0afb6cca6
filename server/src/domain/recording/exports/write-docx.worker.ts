import { parentPort, workerData } from 'node:worker_threads'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import type { DocxContent } from './write-docx.ts'

/** Fonts that Word has. A reader without them takes its own for the same script. */
const FONTS = { ascii: 'Calibri', hAnsi: 'Calibri', cs: 'Leelawadee UI', eastAsia: 'Yu Gothic' }
/** After a paragraph, in twentieths of a point. */
const SPACE = 160

/** The thread of `writeDocx`. */
const { title, paragraphs } = workerData as DocxContent
const run = { font: FONTS }
const document = new Document({
  title,
  styles: { default: { document: { run }, heading1: { run } } },
  sections: [
    {
      children: [
        new Paragraph({ text: title, heading: HeadingLevel.HEADING_1 }),
        ...paragraphs.map(
          ({ head, text }) =>
            new Paragraph({
              children: [new TextRun({ text: head, bold: true }), new TextRun(text)],
              spacing: { after: SPACE },
            }),
        ),
      ],
    },
  ],
})
const file: Uint8Array = await Packer.toBuffer(document)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(file)
