import type { Person } from './browser.ts'

/** Chromium's numbers for a network without throttling. */
const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/**
 * Takes the network away from a page that has `SILENT_SOCKETS`; returns a function that restores it. Playwright's
 * `setOffline` holds WebSockets back in a way that keeps a whole core busy, so they are silenced separately.
 * Video and audio are cut where they arrive, by the faults of the media server.
 */
export async function cutNetwork({ page, context }: Person): Promise<() => Promise<void>> {
  const debug = await context.newCDPSession(page)
  await debug.send('Network.enable')
  const cut = { ...UNLIMITED, urlPattern: 'http://*:*/*', offline: true }
  await debug.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions: [cut] })
  await debug.send('Network.overrideNetworkState', { ...UNLIMITED, offline: true })
  return async () => {
    await debug.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions: [] })
    await debug.send('Network.overrideNetworkState', { ...UNLIMITED, offline: false })
  }
}

/** Runs in the page before its own scripts: without network no WebSocket opens, speaks or hears. */
export const SILENT_SOCKETS = `{
  const Original = WebSocket
  globalThis.WebSocket = class extends Original {
    constructor(url, protocols) {
      super(navigator.onLine ? url : 'ws://127.0.0.1:9', protocols)
      this.addEventListener('message', (event) => {
        if (!navigator.onLine) event.stopImmediatePropagation()
      })
    }
    send(data) {
      if (navigator.onLine) super.send(data)
    }
  }
}`
