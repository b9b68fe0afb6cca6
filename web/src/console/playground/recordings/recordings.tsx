import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { useCallback } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { useLocale } from '../../../i18n/language.tsx'
import { durationText, timeText } from '../../../i18n/times.ts'
import { useAction } from '../../../pages/use-action.ts'
import { useConsole } from '../../console-context.ts'
import { openReview } from '../../open-review.ts'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { usePolled } from '../use-polled.ts'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'

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

/** The recordings of a room, newest first. They are watched on the page for review. */
export function Recordings({ roomId }: { roomId: string }) {
  const text = useRecordingsText()
  const tenant = useTenantApi()
  const { data, refresh } = usePolled(
    useCallback(() => tenant.recordings(roomId), [tenant, roomId]),
  )
  const recordings = (data ?? []).toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return (
    <section className={styles.recordings} aria-label={text.title}>
      <h3>{text.title}</h3>
      {data !== undefined && recordings.length === 0 && <p className={styles.lead}>{text.empty}</p>}
      <ul className={styles.list}>
        {recordings.map((each) => (
          <Row key={each.id} recording={each} onRemoved={refresh} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  recording: ListedRecording
  onRemoved: () => void
}

function Row({ recording, onRemoved }: RowProps) {
  const text = useRecordingsText()
  const reasonOf = useReason()
  const locale = useLocale()
  const { status, duration_sec: durationSec, size, failure_reason: reason } = recording
  const startedAt = timeText(recording.created_at, locale)
  return (
    <li className={styles.row}>
      <div className={styles.facts}>
        <span>{text.startedAt(startedAt)}</span>
        {durationSec !== null && <span>{text.length(durationText(Math.round(durationSec)))}</span>}
        {size !== null && <span>{sizeText(size, locale)}</span>}
        <Badge tone={TONES[status]}>{text.status[status]}</Badge>
      </div>
      {status === 'failed' && (
        <p className={styles.problem}>{text.failedBecause(reasonOf(reason))}</p>
      )}
      <div className={styles.buttons}>
        {status === 'available' && <WatchButton recording={recording} startedAt={startedAt} />}
        <RemoveButton recording={recording} startedAt={startedAt} onRemoved={onRemoved} />
      </div>
    </li>
  )
}

/** Opens the recording for review. An archive is downloaded instead. */
function WatchButton({
  recording: { id, output_mode: mode },
  startedAt,
}: {
  recording: ListedRecording
  startedAt: string
}) {
  const text = useRecordingsText()
  const { api } = useConsole()
  const tenant = useTenantApi()
  const { isBusy, error, run } = useAction()
  const isVideo = mode === 'composed'
  const label = isVideo ? text.watch : text.downloadZip
  const act = async () =>
    isVideo ? openReview(api, { recording_id: id }) : location.assign((await tenant.url(id)).url)
  return (
    <>
      <Button
        look={isVideo ? 'primary' : 'plain'}
        size="small"
        isPending={isBusy}
        aria-label={`${label}: ${startedAt}`}
        onPress={() => void run(act)}
      >
        {label}
      </Button>
      {error !== null && <p role="alert">{text.refused}</p>}
    </>
  )
}

function RemoveButton({ recording, startedAt, onRemoved }: RowProps & { startedAt: string }) {
  const text = useRecordingsText()
  const { error } = useText()
  const tenant = useTenantApi()
  return (
    <ConfirmButton
      label={text.remove}
      of={startedAt}
      words={{
        title: text.removeTitle,
        body: text.removeBody,
        confirm: text.removeConfirm,
        pending: text.removing,
        cancel: text.cancel,
        failed: error.again,
      }}
      onConfirm={async () => {
        await tenant.remove(recording.id)
        onRemoved()
      }}
    />
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
