import type { HostMessage, HostRefusal } from '@interview-room/contract/host-messages.ts'
import type { CallConnection } from '../../connection/call-connection.ts'
import { findFramers } from './framers.ts'
import { hostMessageOf, refusedAtOnce } from './host-messages.ts'

interface HostOptions {
  call: Pick<CallConnection, 'getState' | 'subscribe'>
  roomId: string
  /** Why the page does not even ask to enter; null where it does. */
  obstacle: HostRefusal | null
}

/** Posts what happens to the page that shows this one in a frame; nothing where there is none. */
export function connectHost({ call, roomId, obstacle }: HostOptions): void {
  const host = globalThis.parent
  if (host === globalThis.window) return
  const origins = findFramers(askForPolicy)
  // What happens before they are known is posted then. One with another origin gets none of them: the browser compares.
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

/** The policy of this very page says who may frame it, and the browser keeps to it. */
async function askForPolicy(): Promise<Response> {
  return fetch(location.pathname, { method: 'HEAD', signal: AbortSignal.timeout(15_000) })
}
