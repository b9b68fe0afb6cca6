import type { ProcessedRecordingBody } from '@interview-room/contract/recordings.ts'
import { Badge } from '../../../design/badge.tsx'
import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { DownloadButton } from './download-button.tsx'
import { Player } from './player.tsx'
import { RangeForm } from './range-form.tsx'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'
import { useVideo } from './use-video.ts'

const TONES = {
  pending: 'calm',
  processing: 'accent',
  available: 'good',
  failed: 'danger',
} as const satisfies Record<ProcessedRecordingBody['status'], string>

interface TrimProps {
  recording: ListedRecording
  processed: ProcessedRecordingBody | null
  onChanged: () => void
}

/** Trims the recording to one range. A recording has at most one trimmed version. */
export function Trim({ recording, processed, onChanged }: TrimProps) {
  const text = useRecordingsText().trim
  return (
    <section className={styles.part} aria-label={text.title}>
      <h4>{text.title}</h4>
      {processed === null ? (
        <TrimForm recording={recording} onChanged={onChanged} />
      ) : (
        <Trimmed key={processed.id} processed={processed} onChanged={onChanged} />
      )}
    </section>
  )
}

function TrimForm({ recording, onChanged }: Pick<TrimProps, 'recording' | 'onChanged'>) {
  const { lead, submit } = useRecordingsText().trim
  const tenant = useTenantApi()
  return (
    <RangeForm
      recording={recording}
      lead={lead}
      submit={submit}
      order={async (range) => {
        await tenant.trim(recording.id, range)
      }}
      onChanged={onChanged}
    />
  )
}

interface TrimmedProps {
  processed: ProcessedRecordingBody
  onChanged: () => void
}

function Trimmed({ processed, onChanged }: TrimmedProps) {
  const text = useRecordingsText()
  const { error } = useText()
  const tenant = useTenantApi()
  const reasonOf = useReason()
  const { status, recording_id: id, trim_start_sec: start, trim_end_sec: end } = processed
  const isTrim = start !== null && end !== null
  return (
    <>
      <p className={styles.facts}>
        <span>{isTrim ? text.range.fromTo(String(start), String(end)) : text.trim.uploaded}</span>
        <Badge tone={TONES[status]}>{text.trim.status[status]}</Badge>
      </p>
      {status === 'failed' && (
        <p className={styles.problem}>
          {text.range.failedBecause(reasonOf(processed.failure_reason))}
        </p>
      )}
      {status === 'available' && <TrimmedVideo recordingId={id} />}
      {(status === 'available' || status === 'failed') && (
        <div className={styles.buttons}>
          {status === 'available' && (
            <DownloadButton label={text.download} issue={() => tenant.processedUrl(id)} />
          )}
          <ConfirmButton
            label={text.trim.remove}
            words={{
              title: text.trim.removeTitle,
              body: text.trim.removeBody,
              confirm: text.removeConfirm,
              pending: text.removing,
              cancel: text.cancel,
              failed: error.again,
            }}
            onConfirm={async () => {
              await tenant.removeProcessed(id)
              onChanged()
            }}
          />
        </div>
      )}
    </>
  )
}

function TrimmedVideo({ recordingId }: { recordingId: string }) {
  const text = useRecordingsText()
  const tenant = useTenantApi()
  const video = useVideo(() => tenant.processedUrl(recordingId))
  return <Player video={video} label={text.processedVideo} />
}
