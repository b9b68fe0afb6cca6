import { type RefObject, useEffect, useRef, useState } from 'react'

export interface Line {
  startSec: number
  speaker: string | null
  text: string
}

export interface Transcript {
  /** For the `<track>` that the browser reads it by. */
  ref: RefObject<HTMLTrackElement | null>
  /** Null while it is being read. */
  lines: readonly Line[] | null
  hasFailed: boolean
  /** Places in `lines` of what is being said where the video stands. */
  active: ReadonlySet<number>
}

const NONE: ReadonlySet<number> = new Set()

/** The lines of a transcript as the browser reads them, and which of them the video is at. */
export function useTranscript(transcriptionId: string | null): Transcript {
  const ref = useRef<HTMLTrackElement>(null)
  const [read, setRead] = useState<{ id: string; lines: readonly Line[] | null }>()
  const [active, setActive] = useState(NONE)

  useEffect(() => {
    const element = ref.current
    if (element === null || transcriptionId === null) return undefined
    const { track } = element
    const listening = new AbortController()
    const { signal } = listening
    const setLines = (lines: readonly Line[] | null) => setRead({ id: transcriptionId, lines })
    element.addEventListener('load', () => setLines(cuesOf(track.cues).map(lineOf)), { signal })
    element.addEventListener('error', () => setLines(null), { signal })
    track.addEventListener('cuechange', () => setActive(placesOf(track)), { signal })
    // Read, and not shown over the picture unless somebody turns it on there.
    track.mode = 'hidden'
    return () => {
      listening.abort()
      setActive(NONE)
    }
  }, [transcriptionId])

  const isRead = read !== undefined && read.id === transcriptionId
  const lines = isRead ? read.lines : null
  return { ref, lines, hasFailed: isRead && lines === null, active }
}

function cuesOf(list: TextTrackCueList | null): VTTCue[] {
  return list === null ? [] : (Array.from(list) as VTTCue[])
}

function lineOf(cue: VTTCue): Line {
  const content = cue.getCueAsHTML()
  // A voice is a span that is titled by the speaker's name.
  const speaker = content.querySelector('span[title]')?.getAttribute('title') ?? null
  return { startSec: cue.startTime, speaker, text: content.textContent ?? '' }
}

function placesOf({ cues, activeCues }: TextTrack): ReadonlySet<number> {
  const all = cuesOf(cues)
  return new Set(cuesOf(activeCues).map((cue) => all.indexOf(cue)))
}
