import { mayWatch } from '@interview-room/contract/consent-rules.ts'
import { type Role, VISIBILITIES } from '@interview-room/contract/vocabulary.ts'
import { Chat } from './chat.ts'
import type { Drafts } from './drafts.ts'
import type { LiveRequest } from './live-request.ts'
import { LiveStore, type StreamState, type LiveEvent } from './store.ts'
import { uploadFile } from './upload.ts'
import { UtteranceHistory } from './utterance-history.ts'

/** The room without its media: stream events, messages and requests. */
export interface LiveRoom {
  store: LiveStore
  chat: Chat
  request: LiveRequest
  role: Role
  /** Null on the simple route. */
  participantId: string | null
  drafts: Drafts
  /** Takes over unsent text and messages of the previous visit. */
  takeOver(before: LiveRoom): void
  apply(event: LiveEvent): void
  setStream(state: StreamState): void
  close(): void
}

/** File URLs are valid for 15 minutes. */
const RENEW_ADDRESSES_MS = 10 * 60_000

export function createLiveRoom({
  me,
  drafts,
  request,
  onClose,
}: {
  me: { participantId: string | null; role: Role }
  drafts: Drafts
  request: LiveRequest
  onClose: () => void
}): LiveRoom {
  const store = new LiveStore(me)
  const chat = new Chat({ store, request, upload: uploadFile })
  const spoken = new UtteranceHistory({ store, request })
  const renewal = setInterval(() => void chat.renewAddresses(), RENEW_ADDRESSES_MS)
  return {
    store,
    chat,
    request,
    role: me.role,
    participantId: me.participantId,
    drafts,
    takeOver(before) {
      for (const visibility of VISIBILITIES) drafts.set(visibility, before.drafts.get(visibility))
      chat.takeOver(before.store.getState().outgoing)
    },
    apply(event) {
      const couldWatch = mayWatch(me.role, statesOf(store))
      store.apply(event)
      const isOpened = !couldWatch && mayWatch(me.role, statesOf(store))
      // Messages and live text are withheld from a person who may not watch yet, so load them now.
      const isNew = event.name === 'snapshot' || isOpened
      if (isNew) void chat.loadLatest()
      const { hasLiveText } = store.getState()
      if (hasLiveText && (isNew || event.name === 'live_text')) void spoken.load()
    },
    setStream(state) {
      const wasCut = store.getState().stream === 'reconnecting'
      store.setStream(state)
      if (!wasCut || state !== 'live') return
      chat.tryAgain()
      // Events of before do not tell when each text was said.
      if (store.getState().hasLiveText) void spoken.load()
    },
    close() {
      clearInterval(renewal)
      chat.close()
      spoken.close()
      onClose()
    },
  }
}

/** The consent states of the panelists who are present. */
function statesOf(store: LiveStore) {
  return store.getState().roster.flatMap(({ consents }) => consents ?? [])
}
