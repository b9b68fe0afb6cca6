import type { ProcessedRecordingBody } from '@interview-room/contract/recordings.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { useAction } from '../../use-action.ts'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { DownloadButton } from './download-button.tsx'
import { Player } from './player.tsx'
import { RangeFields, useRange } from './range-fields.tsx'
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

/** A range of the recording in its place: there is one at most. */
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
  const text = useRecordingsText()
  const range = useRange(recording)
  const { isBusy, error: refusal, run } = useAction()
  const tenant = useTenantApi()

  async function submit(): Promise<void> {
    const wanted = range.read()
    if (wanted === undefined) return
    await run(async () => {
      await tenant.trim(recording.id, wanted)
    })
    onChanged()
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={styles.lead}>{text.trim.lead}</p>
      <RangeFields {...range.fields} />
      <Button type="submit" isPending={isBusy}>
        {isBusy ? text.range.submitting : text.trim.submit}
      </Button>
      {range.problem !== null && (
        <p id={range.problem.id} role="alert">
          {range.problem.words}
        </p>
      )}
      {refusal !== null && <p role="alert">{text.refused}</p>}
    </form>
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
