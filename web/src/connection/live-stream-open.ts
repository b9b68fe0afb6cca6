import { Drafts } from '../live/drafts.ts'
import { createLiveRequest } from '../live/live-request.ts'
import { createLiveRoom, type LiveRoom } from '../live/live-room.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import type { LiveOptions } from './call-tools.ts'
import { LiveStream } from './live-stream.ts'

/** Opens the live room with its real parts. It runs until it is closed. */
export function openLive(options: LiveOptions): LiveRoom {
  const { entry, tickets, onEnded, onMuteRequested } = options
  const base = `/api/v1/rooms/${encodeURIComponent(entry.room.id)}/live`
  const request = createLiveRequest(base, () => tickets.ticket)
  const away = new AbortController()
  const live = createLiveRoom({
    drafts: new Drafts(openTabStorage(), entry.room.id),
    me: { participantId: entry.participant.id, role: entry.participant.role },
    request,
    onClose: () => {
      away.abort()
      stream.close()
    },
  })
  const stream = new LiveStream({
    base,
    ticket: () => tickets.ticket,
    on: {
      state: (state) => live.setStream(state),
      time: (serviceMs) => live.store.setTime(serviceMs),
      event: (event) => {
        if (event.name === 'ticket') tickets.take(event.data)
        if (event.name === 'mute_requested') onMuteRequested()
        live.apply(event)
      },
      ended: onEnded,
    },
  })
  const { signal } = away
  addEventListener('online', () => stream.refresh({ isNewNetwork: true }), { signal })
  const onVisible = () => {
    if (document.visibilityState === 'visible') stream.refresh({ isNewNetwork: false })
  }
  document.addEventListener('visibilitychange', onVisible, { signal })
  // The page was frozen, or returns from the back/forward cache.
  document.addEventListener('resume', onVisible, { signal })
  addEventListener('pageshow', onVisible, { signal })
  void stream.run()
  return live
}
