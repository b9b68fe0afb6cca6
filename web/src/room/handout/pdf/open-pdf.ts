import { HANDOUT_IMAGE_MAX_BYTES } from '@interview-room/contract/limits.ts'
import {
  getDocument,
  GlobalWorkerOptions,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { imageSizeOf, PDF_MAX_BYTES, scaleOf } from './pdf-limits.ts'
import { type OpenPdf, PdfFailure } from './pdf-upload.ts'

/** The folder that `pdfjs-files.ts` writes. */
const FILES = `/assets/pdfjs-${version}/`
/** Drawings and text are smaller and sharper as PNG. A larger PNG is a photo. */
const PNG_MAX_BYTES = 1_500_000
const JPEG_QUALITY = 0.9

GlobalWorkerOptions.workerSrc = `${FILES}pdf.worker.min.mjs`

/** Reads a local PDF in a worker. Throws `PdfFailure`. */
export const openPdf: OpenPdf = async (file) => {
  // pdf.js needs it: Chrome 119, Firefox 121, Safari 17.4.
  if (!('withResolvers' in Promise)) throw new PdfFailure('oldBrowser')
  if (file.size > PDF_MAX_BYTES) throw new PdfFailure('tooLarge')
  const reading = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    cMapUrl: `${FILES}cmaps/`,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    wasmUrl: `${FILES}wasm/`,
    // The page's content security policy forbids WebAssembly.
    useWasm: false,
    verbosity: 0,
  })
  const pdf = await reading.promise.catch((cause: unknown) => {
    void reading.destroy()
    throw new PdfFailure(problemOf(cause), { cause })
  })
  return {
    pages: pdf.numPages,
    render: (page) => renderPage(pdf, page),
    close: () => void reading.destroy(),
  }
}

function problemOf(cause: unknown) {
  if (cause instanceof PasswordException) return 'encrypted'
  return cause instanceof InvalidPDFException ? 'broken' : 'unreadable'
}

async function renderPage(pdf: PDFDocumentProxy, number: number): Promise<Blob> {
  try {
    const page = await pdf.getPage(number)
    const image = await drawPage(page)
    page.cleanup()
    if (image.size <= HANDOUT_IMAGE_MAX_BYTES) return image
  } catch (cause) {
    throw new PdfFailure('page', { cause, page: number })
  }
  throw new PdfFailure('pageTooLarge', { page: number })
}

async function drawPage(page: PDFPageProxy): Promise<Blob> {
  const size = page.getViewport({ scale: 1 })
  const canvas = Object.assign(document.createElement('canvas'), imageSizeOf(size))
  try {
    const viewport = page.getViewport({ scale: scaleOf(size) })
    await page.render({ canvas, viewport, background: '#fff' }).promise
    const png = await blobOf(canvas, 'image/png')
    return png.size <= PNG_MAX_BYTES ? png : await blobOf(canvas, 'image/jpeg')
  } finally {
    // Safari keeps a canvas's memory until the canvas has no pixels.
    canvas.width = 0
  }
}

async function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob === null ? reject(new Error('the canvas gave no image')) : resolve(blob)
    canvas.toBlob(take, type, JPEG_QUALITY)
  })
}
