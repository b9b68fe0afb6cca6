import { useEffect, useState } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { WarningIcon } from '../../design/icons.tsx'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './recording-alarm.module.css'
import { type Doubt, doubtOf } from './recording-doubt.ts'
import { useRecordingText } from './recording-text.ts'

interface RecordingAlarmProps {
  isRecorded: boolean
  people: readonly Person[]
}

/** Tells a moderator, for as long as it is so, that what happens is not being recorded. */
export function RecordingAlarm({ isRecorded, people }: RecordingAlarmProps) {
  const text = useRecordingText().alarm
  const recording = useLiveState((state) => state.recording)
  const hasHadMedia = useOnceTrue(people.some(isSending))
  const doubt = useLasting(doubtOf({ recording, isRecorded, hasHadMedia }))
  return (
    <div role="alert" className={styles.place}>
      {doubt !== null && (
        <p className={styles.alarm} data-testid="recording-alarm" data-kind={doubt}>
          <WarningIcon />
          {text[doubt]}
        </p>
      )}
    </div>
  )
}

const isSending = ({ isMuted, picture }: Person) => !isMuted || picture !== null

/** The kind of a doubt that has lasted longer than it may. */
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
