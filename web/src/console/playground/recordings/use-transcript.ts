import { type RefObject, useEffect, useRef, useState } from 'react'

export interface Line {
  startSec: number
  speaker: string | null
  text: string
}

export interface Transcript {
  /** Ref for the `<track>` with which the browser reads the transcript. */
  ref: RefObject<HTMLTrackElement | null>
  /** Null while it is loading. */
  lines: readonly Line[] | null
  hasFailed: boolean
  /** Indexes in `lines` of the lines spoken at the current position of the video. */
  active: ReadonlySet<number>
}

const NONE: ReadonlySet<number> = new Set()

/** The lines of a transcript as the browser parses them, with the ones at the video's position. */
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
    // The track is parsed, but not shown over the picture unless somebody turns it on there.
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
  // A voice is a span with the speaker's name as its title.
  const speaker = content.querySelector('span[title]')?.getAttribute('title') ?? null
  return { startSec: cue.startTime, speaker, text: content.textContent ?? '' }
}

function placesOf({ cues, activeCues }: TextTrack): ReadonlySet<number> {
  const all = cuesOf(cues)
  return new Set(cuesOf(activeCues).map((cue) => all.indexOf(cue)))
}
