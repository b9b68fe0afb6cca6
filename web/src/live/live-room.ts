import { mayWatch } from '@interview-room/contract/consent-rules.ts'
import type { Role, Visibility } from '@interview-room/contract/vocabulary.ts'
import { Chat } from './chat.ts'
import type { LiveRequest } from './live-request.ts'
import { LiveStore, type StreamState, type LiveEvent } from './store.ts'
import { uploadFile } from './upload.ts'

/** The room beside its media: events of the stream, messages and requests. */
export interface LiveRoom {
  store: LiveStore
  chat: Chat
  request: LiveRequest
  role: Role
  /** Null on the simple route. */
  participantId: string | null
  /** What is being written in each chat. */
  drafts: Map<Visibility, string>
  /** Continues what was written in the visit before, and did not get out. */
  takeOver(before: LiveRoom): void
  apply(event: LiveEvent): void
  setStream(state: StreamState): void
  close(): void
}

/** Addresses of files live for 15 minutes. */
const RENEW_ADDRESSES_MS = 10 * 60_000

interface LiveRoomOptions {
  me: { participantId: string | null; role: Role }
  request: LiveRequest
  onClose: () => void
}

export function createLiveRoom({ me, request, onClose }: LiveRoomOptions): LiveRoom {
  const store = new LiveStore(me)
  const chat = new Chat({ store, request, upload: uploadFile })
  const drafts = new Map<Visibility, string>()
  const renewal = setInterval(() => void chat.renewAddresses(), RENEW_ADDRESSES_MS)
  return {
    store,
    chat,
    request,
    role: me.role,
    participantId: me.participantId,
    drafts,
    takeOver(before) {
      for (const [visibility, draft] of before.drafts) drafts.set(visibility, draft)
      chat.takeOver(before.store.getState().outgoing)
    },
    apply(event) {
      const couldWatch = mayWatch(me.role, statesOf(store))
      store.apply(event)
      const isOpened = !couldWatch && mayWatch(me.role, statesOf(store))
      // What was said meanwhile was withheld from those who wait for consent.
      if (event.name === 'snapshot' || isOpened) void chat.loadLatest()
    },
    setStream(state) {
      const wasCut = store.getState().stream === 'reconnecting'
      store.setStream(state)
      if (wasCut && state === 'live') chat.tryAgain()
    },
    close() {
      clearInterval(renewal)
      chat.close()
      onClose()
    },
  }
}

/** What the panelists present say to being watched. */
function statesOf(store: LiveStore) {
  return store.getState().roster.flatMap(({ consents }) => consents ?? [])
}
