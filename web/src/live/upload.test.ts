import { afterEach, expect, test, vi } from 'vitest'
import { uploadFile } from './upload.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A storage that answers every file with this status; null for no answer. */
function storageAnswers(status: number | null): void {
  class Request extends EventTarget {
    status = status ?? 0
    upload = new EventTarget()
    open(): void {}
    setRequestHeader(): void {}
    send(): void {
      this.dispatchEvent(new Event(status === null ? 'error' : 'load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
}

test.each([
  [200, 'done'],
  [403, 'refused'],
  // With these the same file is taken later.
  [null, 'offline'],
  [429, 'offline'],
  [503, 'offline'],
])('a file that the storage answers with %s is %s', async (status, outcome) => {
  storageAnswers(status)
  expect(await uploadFile('https://storage.example', new File(['x'], 'x'), () => {})).toBe(outcome)
})
