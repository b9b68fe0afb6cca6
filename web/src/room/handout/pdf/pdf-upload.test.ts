import { describe, expect, test } from 'vitest'
import { PDF_PAGES_MAX } from './pdf-limits.ts'
import {
  type OpenPdf,
  PdfFailure,
  type PdfState,
  PdfUpload,
  type PdfUploadOptions,
} from './pdf-upload.ts'

function failing(error: Error): OpenPdf {
  return async () => {
    throw error
  }
}

/** A PDF whose second page cannot be rendered. */
const openPartly: OpenPdf = async () => ({
  pages: 3,
  render: async (page) => {
    if (page === 2) throw new PdfFailure('page', { page })
    return new Blob()
  },
  close: () => {},
})

const FILE = new File(['%PDF'], 'Concept.pdf')

/** An upload of a PDF with these pages. Records its requests and its states. */
function begin(pages: number, options: Partial<PdfUploadOptions> = {}) {
  const states: PdfState[] = []
  const added: string[] = []
  const shown: string[] = []
  let isClosed = false
  const open: OpenPdf = async () => ({
    pages,
    render: async () => new Blob(['image'], { type: 'image/png' }),
    close: () => {
      isClosed = true
    },
  })
  const upload = new PdfUpload({
    file: FILE,
    open,
    add: async ({ file, title }) => {
      added.push(`${title} (${file.name})`)
      return { id: `id ${added.length}` }
    },
    show: async (id) => {
      shown.push(id)
      return true
    },
    onChange: (state) => states.push(state),
    ...options,
  })
  return { upload, states, added, shown, isClosed: () => isClosed }
}

test('each page becomes a handout, in order, and the first is shown', async () => {
  const { upload, states, added, shown } = begin(3)
  await upload.open()
  await upload.add('Concept')
  expect(added).toEqual([
    'Concept – 1 / 3 (Concept-1.png)',
    'Concept – 2 / 3 (Concept-2.png)',
    'Concept – 3 / 3 (Concept-3.png)',
  ])
  expect(shown).toEqual(['id 1'])
  expect(states).toEqual([
    { step: 'ready', pages: 3 },
    ...[1, 2, 3].map((page) => ({ step: 'rendering', page, pages: 3 })),
    ...[1, 2, 3].map((page) => ({ step: 'uploading', page, pages: 3 })),
    { step: 'done', isShown: true },
  ])
})

test('added pages stay handouts if the first one cannot be shown', async () => {
  const { upload, states } = begin(1, { show: async () => false })
  await upload.open()
  await upload.add('Concept')
  expect(states.at(-1)).toEqual({ step: 'done', isShown: false })
})

describe('a PDF that cannot be shown', () => {
  test.each(['encrypted', 'broken', 'tooLarge'] as const)('is refused: %s', async (problem) => {
    const { upload, states } = begin(1, { open: failing(new PdfFailure(problem)) })
    await upload.open()
    expect(states).toEqual([{ step: 'failed', problem, page: 0, pages: 0 }])
  })

  test('is refused: too many pages', async () => {
    const { upload, states } = begin(PDF_PAGES_MAX + 1)
    await upload.open()
    const pages = PDF_PAGES_MAX + 1
    expect(states).toEqual([{ step: 'failed', problem: 'tooManyPages', page: 0, pages }])
  })

  test('is refused: an unexpected reason', async () => {
    const { upload, states } = begin(1, { open: failing(new Error('out of memory')) })
    await upload.open()
    expect(states).toEqual([{ step: 'failed', problem: 'unreadable', page: 0, pages: 0 }])
  })

  test('adds nothing if one of its pages cannot be rendered', async () => {
    const { upload, states, added } = begin(3, { open: openPartly })
    await upload.open()
    await upload.add('Concept')
    expect(states.at(-1)).toEqual({ step: 'failed', problem: 'page', page: 2, pages: 3 })
    expect(added).toEqual([])
  })
})

describe('a stop', () => {
  test('before the first upload adds nothing', async () => {
    const begun = begin(3, {
      onChange: (state) => {
        begun.states.push(state)
        if (state.step === 'rendering' && state.page === 2) begun.upload.stop()
      },
    })
    await begun.upload.open()
    await begun.upload.add('Concept')
    expect(begun.states.at(-1)).toEqual({ step: 'ready', pages: 3 })
    expect(begun.added).toEqual([])
  })

  test('after some pages reports their number, and the upload can continue with the next page', async () => {
    let hasStopped = false
    const begun = begin(3, {
      onChange: (state) => {
        begun.states.push(state)
        if (hasStopped || state.step !== 'uploading' || state.page !== 2) return
        hasStopped = true
        begun.upload.stop()
      },
    })
    await begun.upload.open()
    await begun.upload.add('Concept')
    expect(begun.states.at(-1)).toEqual({ step: 'stopped', added: 2, pages: 3, problem: null })
    await begun.upload.add('Another title')
    expect(begun.added.map((each) => each.slice(0, 15))).toEqual([
      'Concept – 1 / 3',
      'Concept – 2 / 3',
      'Concept – 3 / 3',
    ])
    expect(begun.shown).toEqual(['id 1'])
  })

  test.each([1, 3])(
    'during the last of %d pages does not show it, until it is continued',
    async (pages) => {
      let hasStopped = false
      const begun = begin(pages, {
        onChange: (state) => {
          begun.states.push(state)
          if (hasStopped || state.step !== 'uploading' || state.page !== pages) return
          hasStopped = true
          begun.upload.stop()
        },
      })
      await begun.upload.open()
      await begun.upload.add('Concept')
      expect(begun.states.at(-1)).toEqual({ step: 'stopped', added: pages, pages, problem: null })
      expect(begun.shown).toEqual([])
      await begun.upload.add('Concept')
      expect(begun.added).toHaveLength(pages)
      expect(begun.shown).toEqual(['id 1'])
    },
  )

  test('by closing the dialog during the last page shows nothing', async () => {
    const begun = begin(1, {
      onChange: ({ step }) => {
        if (step === 'uploading') begun.upload.close()
      },
    })
    await begun.upload.open()
    await begun.upload.add('Concept')
    expect(begun.added).toHaveLength(1)
    expect(begun.shown).toEqual([])
  })

  test('by the service reports the reason, and continues with the page that was refused', async () => {
    let isAway = true
    const titles: string[] = []
    const { upload, states } = begin(2, {
      add: async ({ title }) => {
        if (isAway && title.includes('2 / 2')) return { problem: 'failed' }
        titles.push(title)
        return { id: title }
      },
    })
    await upload.open()
    await upload.add('Concept')
    expect(states.at(-1)).toEqual({ step: 'stopped', added: 1, pages: 2, problem: 'failed' })
    isAway = false
    await upload.add('Concept')
    expect(titles).toEqual(['Concept – 1 / 2', 'Concept – 2 / 2'])
    expect(states.at(-1)).toEqual({ step: 'done', isShown: true })
  })

  test('by closing the dialog releases the PDF', async () => {
    const { upload, isClosed } = begin(3)
    await upload.open()
    upload.close()
    expect(isClosed()).toBe(true)
  })

  test('while the PDF is being read releases it as soon as it is open', async () => {
    const { upload, states, isClosed } = begin(3)
    const opened = upload.open()
    upload.close()
    await opened
    expect(isClosed()).toBe(true)
    expect(states).toEqual([])
  })
})
