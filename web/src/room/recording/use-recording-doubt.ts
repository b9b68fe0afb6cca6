import { useEffect, useState } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { type Doubt, doubtOf } from './recording-doubt.ts'
import { type WatchedRecording, watchRecording } from './watch-recording.ts'

interface RecordingDoubtFacts {
  /** From the entry: the room is always recorded, or was being recorded then. */
  isRecorded: boolean
  people: readonly Person[]
}

/** The reason for an alarm that nothing is being recorded; null if there is none. */
export function useRecordingDoubt({ isRecorded, people }: RecordingDoubtFacts) {
  const recording = useLiveState((state) => state.recording)
  const watched = useWatched(isRecorded)
  const hasHadMedia = useOnceTrue(people.some(isSending))
  return useLasting(watched === null ? null : doubtOf({ ...watched, recording, hasHadMedia }))
}

/** Null until the page has received the state of the room for the first time. */
function useWatched(isRecorded: boolean): WatchedRecording | null {
  const recording = useLiveState((state) => state.recording)
  const isStreamLive = useLiveState((state) => state.stream === 'live')
  const [watched, setWatched] = useState<WatchedRecording | null>(null)
  if (watched === null && !isStreamLive) return null
  const latest = watchRecording(watched, recording, isRecorded)
  if (latest !== watched) setWatched(latest)
  return latest
}

const isSending = ({ isMuted, picture }: Person) => !isMuted || picture !== null

/** The kind of a doubt that has lasted longer than its grace period. */
function useLasting(doubt: Doubt | null): Doubt['kind'] | null {
  const [lasted, setLasted] = useState<Doubt['kind'] | null>(null)
  const kind = doubt?.kind ?? null
  const graceMs = doubt?.graceMs ?? 0
  useEffect(() => {
    if (kind === null) return undefined
    const timer = setTimeout(() => setLasted(kind), graceMs)
    return () => {
      clearTimeout(timer)
      setLasted(null)
    }
  }, [kind, graceMs])
  return lasted
}

function useOnceTrue(isTrue: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isTrue)
  if (isTrue && !hasBeen) setHasBeen(true)
  return hasBeen
}
