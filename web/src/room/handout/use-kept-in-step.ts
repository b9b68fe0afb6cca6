import { type RefObject, useEffect, useState } from 'react'
import { useLiveState } from '../../live/use-live.tsx'
import { hasDrifted, type Playback, positionAt } from './playback.ts'

const CHECK_MS = 1_000

/** The browser's limits: none, no sound before a press, or no playback at all. */
type Hindrance = 'none' | 'muted' | 'refused'

/** Plays, pauses and seeks the video according to the events, and corrects drift. */
export function useKeptInStep(ref: RefObject<HTMLVideoElement | null>, playback: Playback | null) {
  const clockOffsetMs = useLiveState((state) => state.clockOffsetMs)
  const [hindrance, setHindrance] = useState<Hindrance>('none')

  useEffect(() => {
    const video = ref.current
    if (video === null || playback === null) return undefined
    const follow = () =>
      void keepUp(video, playback, performance.now() + clockOffsetMs).then(setHindrance)
    follow()
    const timer = setInterval(follow, CHECK_MS)
    video.addEventListener('loadedmetadata', follow)
    return () => {
      clearInterval(timer)
      video.removeEventListener('loadedmetadata', follow)
    }
  }, [ref, playback, clockOffsetMs])

  return {
    hindrance,
    /** Called from a press, which the browser waited for. */
    playByHand: () =>
      void ref.current?.play().then(
        () => setHindrance('none'),
        () => {},
      ),
    unmute: () => {
      if (ref.current !== null) ref.current.muted = false
      setHindrance('none')
    },
  }
}

async function keepUp(
  video: HTMLVideoElement,
  playback: Playback,
  nowMs: number,
): Promise<Hindrance> {
  const durationSec = Number.isFinite(video.duration) ? video.duration : Infinity
  const wantedSec = positionAt(playback, nowMs, durationSec)
  // Seeking needs the video's length, and a running seek must finish first.
  const canJump = video.readyState >= HTMLMediaElement.HAVE_METADATA && !video.seeking
  if (canJump && hasDrifted(video.currentTime, wantedSec, playback)) video.currentTime = wantedSec

  const isPlaying = playback.is_playing && wantedSec < durationSec
  if (!isPlaying) video.pause()
  else if (video.paused) return play(video)
  return video.muted && isPlaying ? 'muted' : 'none'
}

/** Plays with sound. If that is refused, tries without sound. */
async function play(video: HTMLVideoElement): Promise<Hindrance> {
  if (await starts(video)) return video.muted ? 'muted' : 'none'
  video.muted = true
  if (await starts(video)) return 'muted'
  video.muted = false
  return 'refused'
}

async function starts(video: HTMLVideoElement): Promise<boolean> {
  try {
    await video.play()
    return true
  } catch (error) {
    // Playback that was stopped before it began was not refused.
    return !(error instanceof DOMException && error.name === 'NotAllowedError')
  }
}
