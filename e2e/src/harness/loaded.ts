import type { Page } from 'playwright-core'

interface LoadedFile {
  name: string
  /** Size as received from the network. */
  encodedBytes: number
  isCompressed: boolean
}

/** The page itself, and the scripts, styles and fonts that it has loaded. */
export async function loadedFiles(page: Page): Promise<LoadedFile[]> {
  return page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(
        ({ name, entryType }) =>
          entryType === 'navigation' || /\.(?:js|css|woff2?|svg|png|webp|wasm)$/.test(name),
      )
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, encodedBodySize, decodedBodySize }) => ({
        name,
        encodedBytes: encodedBodySize,
        isCompressed: encodedBodySize < decodedBodySize,
      })),
  )
}
