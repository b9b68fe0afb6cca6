import { afterEach, expect, test, vi } from 'vitest'
import { uploadFile } from './upload.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const upload = (stopped: AbortSignal) =>
  uploadFile('https://storage.example', new File(['x'], 'x'), { onProgress: () => {}, stopped })

/** A storage that answers every file with this status; null for a broken connection. */
function storageAnswers(answer: number | null | 'nothing'): void {
  class Request extends EventTarget {
    status = typeof answer === 'number' ? answer : 0
    upload = new EventTarget()
    open(): void {}
    setRequestHeader(): void {}
    send(): void {
      if (answer !== 'nothing') this.dispatchEvent(new Event(answer === null ? 'error' : 'load'))
    }
    abort(): void {
      this.dispatchEvent(new Event('abort'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
}

test.each([
  [200, 'done'],
  [403, 'refused'],
  // After these answers, the storage may accept the same file later.
  [null, 'offline'],
  [429, 'offline'],
  [503, 'offline'],
])('a file that the storage answers with %s is %s', async (status, outcome) => {
  storageAnswers(status)
  expect(await upload(new AbortController().signal)).toBe(outcome)
})

test('the upload of a file stops when the visit is over', async () => {
  storageAnswers('nothing')
  const visit = new AbortController()
  const uploading = upload(visit.signal)
  visit.abort()
  expect(await uploading).toBe('offline')
  expect(await upload(visit.signal)).toBe('offline')
})
