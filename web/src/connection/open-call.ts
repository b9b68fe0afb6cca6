import { watchLevel } from '../devices/level.ts'
import {
  afterLevel,
  isSilent,
  ROOM_SILENCE_MAX_MS,
  SOUNDING,
} from '../devices/silent-microphone.ts'
import { sendRequest } from '../live/send-request.ts'
import { CallConnection } from './call-connection.ts'
import type { WatchMicrophone } from './call-tools.ts'
import { PROBE_MAX_MS } from './diagnosis.ts'
import { createLiveApi, type OnBranding } from './live-api.ts'
import { openLive } from './live-stream-open.ts'
import { openLivekitRoom } from './livekit-room.ts'
import { QualityReporter } from './quality-reporter.ts'
import { heard, SILENT } from './speaking-while-muted.ts'

/** Opens the call of a room with its real parts. */
export function openCall(roomId: string, onBranding: OnBranding): CallConnection {
  const line = new QualityReporter()
  return new CallConnection({
    api: createLiveApi(roomId, onBranding),
    openMediaRoom: (options) => openLivekitRoom(options, (quality) => line.heard(quality)),
    openLive: (options) => line.follow(openLive(options)),
    watchMuted,
    answersAt,
    watchSilence: (track, onSilent) => {
      const stop = watchSilence(track, (isSilentNow) => {
        line.silent(isSilentNow)
        onSilent(isSilentNow)
      })
      return () => {
        stop()
        line.silent(false)
      }
    },
  })
}

/** A page that may not read the answer still learns that there is one. */
async function answersAt(mediaUrl: string): Promise<boolean> {
  const asked = { mode: 'no-cors', timeoutMs: PROBE_MAX_MS } as const
  return sendRequest(mediaUrl.replace(/^ws/, 'http'), asked).then(
    () => true,
    () => false,
  )
}

const watchMuted: WatchMicrophone = (track, onSpeaking) => {
  let watch = SILENT
  return watchLevel(track, (level) => {
    const next = heard(watch, level ?? 0, performance.now())
    if (next.isHintShown !== watch.isHintShown) onSpeaking(next.isHintShown)
    watch = next
  })
}

const watchSilence: WatchMicrophone = (track, onSilent) => {
  let watch = SOUNDING
  let wasSilent = false
  return watchLevel(track, (level) => {
    const atMs = performance.now()
    watch = afterLevel(watch, level, atMs)
    const is = isSilent(watch, ROOM_SILENCE_MAX_MS, atMs)
    if (is !== wasSilent) onSilent(is)
    wasSilent = is
  })
}
