import { afterEach, expect, test, vi } from 'vitest'
import { withAttempts } from './import-again.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a part that failed to load is asked for under another address, until it is there', async () => {
  const asked: string[] = []
  vi.stubGlobal('failedImports', {})
  vi.stubGlobal('ask', async (address: string) => {
    asked.push(address)
    if (asked.length < 3) throw new Error('no network')
    return 'the part'
  })
  const code = `export const load = () => ${withAttempts('import(`./part-Ab_1.js`)')}`
  // In place of what the browser does.
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

test('what is no part of the page is left alone', () => {
  const code = 'import(this.worker);import("https://example.com/x.js");import.meta.url'
  expect(withAttempts(code)).toBe(code)
})
