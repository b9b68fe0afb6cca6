import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { type RefObject, useRef, useState } from 'react'
import { type Action, useAction } from '../../use-action.ts'

export interface Video {
  ref: RefObject<HTMLVideoElement | null>
  /** Null until it is requested. */
  url: string | null
  isBusy: boolean
  /** The URL was refused, or the file cannot be played. */
  hasFailed: boolean
  play: (fromSec?: number) => Promise<void>
  onLoaded: () => void
  onFailed: () => void
}

/** A video with a signed URL, which is requested only when somebody wants to see the video. */
export function useVideo(issue: () => Promise<SignedUrlBody>): Video {
  const ref = useRef<HTMLVideoElement>(null)
  const startSec = useRef(0)
  const [url, setUrl] = useState<string | null>(null)
  const [isBroken, setIsBroken] = useState(false)
  const action: Action = useAction()

  async function play(fromSec = 0): Promise<void> {
    const video = ref.current
    if (video !== null && url !== null) {
      video.currentTime = fromSec
      await video.play().catch(() => {})
      return
    }
    startSec.current = fromSec
    setIsBroken(false)
    await action.run(async () => setUrl((await issue()).url))
  }

  return {
    ref,
    url,
    isBusy: action.isBusy,
    hasFailed: isBroken || action.error !== null,
    play,
    onLoaded() {
      if (ref.current !== null && startSec.current > 0) ref.current.currentTime = startSec.current
    },
    onFailed() {
      setUrl(null)
      setIsBroken(true)
    },
  }
}
