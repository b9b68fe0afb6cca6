import type { HostMessage, HostRefusal } from '@interview-room/contract/host-messages.ts'
import type { CallConnection } from '../../connection/call-connection.ts'
import { sendRequest } from '../../live/send-request.ts'
import { findFramers } from './framers.ts'
import { hostMessageOf, refusedAtOnce } from './host-messages.ts'

interface HostOptions {
  call: Pick<CallConnection, 'getState' | 'subscribe'>
  roomId: string
  /** The reason why the page does not even ask to enter; null if it does. */
  obstacle: HostRefusal | null
}

/** Posts events to the page that embeds this one in a frame. Does nothing outside of a frame. */
export function connectHost({ call, roomId, obstacle }: HostOptions): void {
  const host = globalThis.parent
  if (host === globalThis.window) return
  const origins = findFramers(askForPolicy)
  // Messages wait until the origins are known. The browser compares the origins, so a page with another origin gets
  // none.
  const post = (message: HostMessage) =>
    void origins.then((all) => {
      for (const origin of all) host.postMessage(message, origin)
    })

  if (obstacle !== null) post(refusedAtOnce(roomId, obstacle))
  let before = call.getState()
  call.subscribe(() => {
    const after = call.getState()
    const message = hostMessageOf(before, after, roomId)
    before = after
    if (message !== undefined) post(message)
  })
}

/** This page's own content security policy lists the pages that may frame it, and the browser enforces it. */
async function askForPolicy(): Promise<Response> {
  return sendRequest(location.pathname, { method: 'HEAD' })
}
