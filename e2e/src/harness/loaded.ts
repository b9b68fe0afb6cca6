import type { Page } from 'playwright-core'

interface LoadedFile {
  name: string
  /** As it came over the network. */
  encodedBytes: number
  isCompressed: boolean
}

/** The scripts and styles that the page has loaded. */
export async function loadedFiles(page: Page): Promise<LoadedFile[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\.(?:js|css)$/.test(name))
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, encodedBodySize, decodedBodySize }) => ({
        name,
        encodedBytes: encodedBodySize,
        isCompressed: encodedBodySize < decodedBodySize,
      })),
  )
}
