/**
 * Messages that the room page posts to the page that embeds it in a frame (`window.postMessage`). It posts only to
 * the origins that the tenant has allowed. No message names a person.
 *
 * ```ts
 * addEventListener('message', ({ origin, data }) => {
 *   if (origin === 'https://rooms.example.com' && isHostMessage(data)) show(data.type)
 * })
 * ```
 */

/** `source` of every message. */
export const HOST_MESSAGE_SOURCE = 'interview-room'
/** Changes only when a host would break. New members and reasons may be added within a version. */
export const HOST_MESSAGE_VERSION = 1

interface HostMessageBase {
  source: typeof HOST_MESSAGE_SOURCE
  version: typeof HOST_MESSAGE_VERSION
  /** Id of the room. */
  room_id: string
}

/** Why the page is not in the room. Reasons may be added. */
export type HostRefusal =
  | 'bad_link'
  | 'too_early'
  | 'over'
  | 'cancelled'
  | 'banned'
  | 'removed'
  | 'elsewhere'
  | 'declined'
  | 'withdrawn'
  | 'lost'
  | 'unavailable'
  | 'unsupported_browser'

export type HostMessage = HostMessageBase &
  (
    | /** The person is in the room, with media. */ { type: 'joined' }
    | /** The person has left by the button of the page. */ { type: 'left' }
    | /** The room is closed, or its time is over, for everybody. */ { type: 'closed' }
    | /** The person is not let in, or is in the room no longer. */ {
        type: 'refused'
        reason: HostRefusal
      }
  )

/** True if a message that a page received comes from a room. Check its `origin` first. */
export function isHostMessage(data: unknown): data is HostMessage {
  if (typeof data !== 'object' || data === null) return false
  const { source, version } = data as Partial<HostMessage>
  return source === HOST_MESSAGE_SOURCE && version === HOST_MESSAGE_VERSION
}
