import type { Page } from 'playwright-core'

/** Runs in a page before its own scripts: counts what makes a browser ask for permission. */
export const COUNT_DEVICE_REQUESTS = `{
  globalThis.deviceRequests = []
  for (const name of ['getUserMedia', 'getDisplayMedia']) {
    const original = MediaDevices.prototype[name]
    MediaDevices.prototype[name] = function (...wish) {
      globalThis.deviceRequests.push(name)
      return original.apply(this, wish)
    }
  }
}`

export async function deviceRequests(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { deviceRequests: string[] }).deviceRequests)
}
