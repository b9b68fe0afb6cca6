import type { RTCPeerConnection } from 'werift'
import { type Log, reasonOf } from '../../lib/log.ts'

type Connection = RTCPeerConnection['iceTransports'][number]['connection']

interface Check {
  getAttributeValue(name: 'USERNAME'): unknown
}

// Left out of the library's interface, but public in the one class behind it.
interface CheckHandler {
  checkIncoming?: (message: Check, ...rest: unknown[]) => void
}

/**
 * werift checks candidates for the first connection only. After a restart of ICE it merely waits to be checked from an
 * address that it knows. Where those are hidden, late or lost, it would hear the client and never send to it again.
 * Finds the path again; call it once the description of the other side is set.
 */
export function checkAgain(pc: RTCPeerConnection, log: Log): void {
  for (const { state, iceTransport } of pc.dtlsTransports) {
    const isSought = iceTransport.connection.nominated === undefined
    // Before DTLS is up the library does it, as for any first connection.
    if (state !== 'connected' || !isSought || iceTransport.state === 'checking') continue
    iceTransport.start().catch((error: unknown) => {
      log({
        level: 'warn',
        msg: 'no path to the client after an ICE restart',
        reason: reasonOf(error),
      })
    })
  }
}

/**
 * werift checks back a check with the credentials from before a restart, is refused, and tries again without a pause.
 * Answers such checks, and does nothing more.
 */
export function ignoreFormerChecks(connection: Connection & CheckHandler): void {
  const check = connection.checkIncoming?.bind(connection)
  if (check === undefined) throw new Error('this version of the library takes checks elsewhere')
  connection.checkIncoming = (message, ...rest) => {
    const [localName] = String(message.getAttributeValue('USERNAME')).split(':')
    if (localName === connection.localUsername) check(message, ...rest)
  }
}

/**
 * werift wants the count of restarts in a candidate to be its own count, but the client does not hear of a restart
 * whose offer was lost. The candidates of a description, or one candidate, without that count: the user name shows
 * that a candidate belongs to the present restart.
 */
export function withoutGenerations(text: string): string {
  // From the beginning of the line: elsewhere a long one would take time by the square of its length.
  return text.replace(/^((?:a=)?candidate:.*?) generation \d+/gm, '$1')
}
