import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { useCallback, useId, useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { useLocale } from '../../../i18n/language.tsx'
import { durationText, timeText } from '../../../i18n/times.ts'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { usePolled } from '../use-polled.ts'
import { RecordingDetail } from './recording-detail.tsx'
import styles from './recordings.module.css'
import { useRecordingsText } from './text.ts'

const TONES = {
  started: 'accent',
  paused: 'warn',
  stopped: 'calm',
  uploaded: 'calm',
  available: 'good',
  expired: 'calm',
  failed: 'danger',
} as const satisfies Record<ListedRecording['status'], string>

const MEGABYTE_BYTES = 1_000_000

/** The recordings of a room. The newest playable one is open until another one is chosen. */
export function Recordings({ roomId }: { roomId: string }) {
  const text = useRecordingsText()
  const tenant = useTenantApi()
  const { data, refresh } = usePolled(
    useCallback(() => tenant.recordings(roomId), [tenant, roomId]),
  )
  // Null after somebody has closed the open recording.
  const [chosenId, setChosenId] = useState<string | null>()
  const recordings = (data ?? []).toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const newest = recordings.find(({ status }) => status === 'available')
  const openId = chosenId === undefined ? newest?.id : chosenId

  return (
    <section className={styles.recordings} aria-label={text.title}>
      <h3>{text.title}</h3>
      {data !== undefined && recordings.length === 0 && <p className={styles.lead}>{text.empty}</p>}
      <ul className={styles.list}>
        {recordings.map((each) => (
          <Row
            key={each.id}
            recording={each}
            isOpen={each.id === openId}
            onToggle={(isOpen) => setChosenId(isOpen ? each.id : null)}
            onRemoved={refresh}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  recording: ListedRecording
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  onRemoved: () => void
}

function Row({ recording, isOpen, onToggle, onRemoved }: RowProps) {
  const text = useRecordingsText()
  const locale = useLocale()
  const id = useId()
  const { status, duration_sec: durationSec, size } = recording
  const startedAt = timeText(recording.created_at, locale)
  return (
    <li className={styles.row}>
      <div className={styles.facts}>
        <span>{text.startedAt(startedAt)}</span>
        {durationSec !== null && <span>{text.length(durationText(Math.round(durationSec)))}</span>}
        {size !== null && <span>{sizeText(size, locale)}</span>}
        <Badge tone={TONES[status]}>{text.status[status]}</Badge>
        <Button
          look="quiet"
          size="small"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? text.hideOf(startedAt) : text.showOf(startedAt)}
          onPress={() => onToggle(!isOpen)}
        >
          {isOpen ? text.hide : text.show}
        </Button>
      </div>
      <div id={id}>{isOpen && <RecordingDetail recording={recording} onRemoved={onRemoved} />}</div>
    </li>
  )
}

/** A size such as `1.2 MB`. */
function sizeText(sizeBytes: number, locale: Locale): string {
  return (sizeBytes / MEGABYTE_BYTES).toLocaleString(locale, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  })
}
