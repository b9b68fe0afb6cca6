import type { AddProblem } from '../upload-handout.ts'
import { pageFileName, pageTitle } from './page-names.ts'
import { PDF_PAGES_MAX } from './pdf-limits.ts'

/** The reason why a PDF, or one of its pages, cannot be shown. `page`: it cannot be rendered. */
export type PdfProblem =
  | 'encrypted'
  | 'broken'
  | 'oldBrowser'
  | 'unreadable'
  | 'tooLarge'
  | 'tooManyPages'
  | 'page'
  | 'pageTooLarge'

export class PdfFailure extends Error {
  readonly problem: PdfProblem
  readonly page: number

  constructor(problem: PdfProblem, { page = 0, cause }: { page?: number; cause?: unknown } = {}) {
    super(`the PDF cannot be shown: ${problem}`, { cause })
    this.problem = problem
    this.page = page
  }
}

export interface OpenedPdf {
  pages: number
  /** Renders a page, counted from 1. Throws `PdfFailure`. */
  render(page: number): Promise<Blob>
  close(): void
}

/** Throws `PdfFailure`. */
export type OpenPdf = (file: File) => Promise<OpenedPdf>

export type PdfState =
  | { step: 'opening' }
  | { step: 'ready'; pages: number }
  | { step: 'rendering'; page: number; pages: number }
  | { step: 'uploading'; page: number; pages: number }
  /** Some pages are handouts already. `problem` is null if the person stopped the upload. */
  | { step: 'stopped'; added: number; pages: number; problem: AddProblem | null }
  /** No page was added. */
  | { step: 'failed'; problem: PdfProblem; page: number; pages: number }
  /** `isShown`: the first page is shown to everyone. */
  | { step: 'done'; isShown: boolean }

export interface PdfUploadOptions {
  file: File
  open: OpenPdf
  /** Resolves to the id of the handout, or to the reason why it was not added. */
  add: (page: { file: File; title: string }) => Promise<{ id: string } | { problem: AddProblem }>
  /** Resolves to true if it is shown. */
  show: (id: string) => Promise<boolean>
  onChange: (state: PdfState) => void
}

/**
 * Turns each page of a PDF into a handout, in order, and shows the first one. All pages are rendered before the first
 * upload, so that a page that cannot be rendered leaves no handouts behind.
 */
export class PdfUpload {
  readonly #options: PdfUploadOptions
  readonly #ids: string[] = []
  #pdf: OpenedPdf | undefined
  #images: readonly File[] = []
  #title = ''
  #isStopped = false

  constructor(options: PdfUploadOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    await this.#orFail(async () => {
      const pdf = await this.#options.open(this.#options.file)
      this.#pdf = pdf
      if (this.#isStopped) return pdf.close()
      if (pdf.pages > PDF_PAGES_MAX) throw new PdfFailure('tooManyPages')
      this.#change({ step: 'ready', pages: pdf.pages })
    })
  }

  /** Renders and uploads every page. After a stop it continues with the first missing page. */
  async add(title: string): Promise<void> {
    this.#isStopped = false
    if (this.#ids.length === 0) this.#title = title
    await this.#orFail(async () => {
      if (this.#images.length === 0) await this.#render()
      await this.#upload()
    })
  }

  /** Takes effect after the current page. */
  stop(): void {
    this.#isStopped = true
  }

  /** The form was closed. */
  close(): void {
    this.stop()
    this.#pdf?.close()
  }

  async #render(): Promise<void> {
    const pdf = this.#pdf
    if (pdf === undefined) return
    const { pages } = pdf
    const images: File[] = []
    for (let page = 1; page <= pages; page += 1) {
      if (this.#isStopped) return this.#change({ step: 'ready', pages })
      this.#change({ step: 'rendering', page, pages })
      const image = await pdf.render(page)
      const name = pageFileName(this.#options.file.name, { page, pages }, image.type)
      images.push(new File([image], name, { type: image.type }))
    }
    this.#images = images
  }

  async #upload(): Promise<void> {
    const pages = this.#images.length
    if (pages === 0) return
    for (const [index, file] of this.#images.entries()) {
      const page = index + 1
      if (page <= this.#ids.length) continue
      if (this.#isStopped) return this.#stopAt(null)
      this.#change({ step: 'uploading', page, pages })
      const title = pageTitle(this.#title, { page, pages })
      const added = await this.#options.add({ file, title })
      if ('problem' in added) return this.#stopAt(added.problem)
      this.#ids.push(added.id)
    }
    // The upload was stopped or the form closed meanwhile, so do not show the first page.
    if (this.#isStopped) return this.#stopAt(null)
    const [first = ''] = this.#ids
    this.#change({ step: 'done', isShown: await this.#options.show(first) })
  }

  #stopAt(problem: AddProblem | null): void {
    const pages = this.#images.length
    const added = this.#ids.length
    if (problem === null && added === 0) return this.#change({ step: 'ready', pages })
    this.#change({ step: 'stopped', added, pages, problem })
  }

  async #orFail(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const failure = error instanceof PdfFailure ? error : new PdfFailure('unreadable')
      const pages = this.#pdf?.pages ?? 0
      this.#change({ step: 'failed', problem: failure.problem, page: failure.page, pages })
    }
  }

  #change(state: PdfState): void {
    this.#options.onChange(state)
  }
}
