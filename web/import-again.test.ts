import { afterEach, expect, test, vi } from 'vitest'
import { withAttempts } from './import-again.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a part that failed to load is requested under another address, until it loads', async () => {
  const asked: string[] = []
  vi.stubGlobal('failedImports', {})
  vi.stubGlobal('ask', async (address: string) => {
    asked.push(address)
    if (asked.length < 3) throw new Error('no network')
    return 'the part'
  })
  const code = `export const load = () => ${withAttempts('import(`./part-Ab_1.js`)')}`
  // Replaces the browser's import.
  const source = code.replaceAll('import(', 'ask(')
  const { load } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    load: () => Promise<string>
  }
  await expect(load()).rejects.toThrow('no network')
  await expect(load()).rejects.toThrow('no network')
  expect(await load()).toBe('the part')
  expect(await load()).toBe('the part')
  expect(asked).toEqual(['', '?1', '?2', '?2'].map((end) => `./part-Ab_1.js${end}`))
})

test('imports that are no part of the page stay unchanged', () => {
  const code = 'import(this.worker);import("https://example.com/x.js");import.meta.url'
  expect(withAttempts(code)).toBe(code)
})
