import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { HostMessage } from '@interview-room/contract/host-messages.ts'
import type { FrameLocator, Page } from 'playwright-core'

/** A tenant's page that shows a room in a frame, and stores the frame's messages. */
export interface HostSite {
  origin: string
  /** Address of the page with this room in the frame, which gets the required features unless `isBare`. */
  showing(link: string, frame?: { isBare?: boolean }): string
  stop(): void
}

/** The permissions that the documentation requires for the frame. */
const ALLOW = allowOf(path.resolve(import.meta.dirname, '../../../docs/embedding.md'))

function allowOf(page: string): string {
  const [, allow] = /\sallow="([^"]+)"/.exec(readFileSync(page, 'utf8')) ?? []
  if (allow === undefined) throw new Error(`${page} shows no frame`)
  return allow
}

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Host</title></head>
<body><h1>Study</h1><script>
  globalThis.messages = []
  addEventListener('message', ({ origin, data }) => messages.push({ origin, data }))
  const frame = document.createElement('iframe')
  if (location.search === '') frame.allow = '${ALLOW}'
  frame.title = 'Interview'
  frame.width = 1200
  frame.height = 700
  frame.src = decodeURIComponent(location.hash.slice(1))
  document.body.append(frame)
</script></body></html>`

export async function startHostSite(): Promise<HostSite> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    showing: (link, { isBare = false } = {}) =>
      `${origin}/${isBare ? '?bare' : ''}#${encodeURIComponent(link)}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The room in the frame. */
export const framed = (page: Page): FrameLocator => page.frameLocator('iframe')

/** The frame's messages so far, each with its origin. */
export async function messagesOf(page: Page): Promise<{ origin: string; data: HostMessage }[]> {
  return page.evaluate('messages')
}
