import type { ProcessedRecordingBody } from '@interview-room/contract/recordings.ts'
import { useId, useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { useAction } from '../../use-action.ts'
import { NumberField } from '../fields.tsx'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { DownloadButton } from './download-button.tsx'
import { Player } from './player.tsx'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'
import { type RangeProblem, rangeProblem } from './trim-range.ts'
import { useVideo } from './use-video.ts'

const STEP_SEC = 0.1
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

/** A part of the recording as a video of its own: there is one at most. */
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
  const lengthSec = recording.duration_sec ?? 0
  const problemId = useId()
  const [draft, setDraft] = useState(() => ({ start: '0', end: roundedDown(lengthSec) }))
  const [problem, setProblem] = useState<RangeProblem | null>(null)
  const { isBusy, error: refusal, run } = useAction()
  const tenant = useTenantApi()
  const { notRange, tooLong } = text.trim
  const words = { notRange, tooLong: tooLong(roundedDown(lengthSec)) }

  async function submit(): Promise<void> {
    const range = { trim_start_sec: Number(draft.start), trim_end_sec: Number(draft.end) }
    const found = rangeProblem(range, lengthSec)
    setProblem(found)
    if (found !== null) return
    await run(async () => {
      await tenant.trim(recording.id, range)
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
      <RangeFields
        draft={draft}
        lengthSec={lengthSec}
        problemId={problem === null ? undefined : problemId}
        onChange={setDraft}
      />
      <Button type="submit" isPending={isBusy}>
        {isBusy ? text.trim.submitting : text.trim.submit}
      </Button>
      {problem !== null && (
        <p id={problemId} role="alert">
          {words[problem]}
        </p>
      )}
      {refusal !== null && <p role="alert">{text.refused}</p>}
    </form>
  )
}

interface RangeDraft {
  start: string
  end: string
}

interface RangeFieldsProps {
  draft: RangeDraft
  lengthSec: number
  problemId: string | undefined
  onChange: (draft: RangeDraft) => void
}

function RangeFields({ draft, lengthSec, problemId, onChange }: RangeFieldsProps) {
  const text = useRecordingsText().trim
  const bounds = { min: 0, max: lengthSec, step: STEP_SEC }
  return (
    <>
      <NumberField
        {...bounds}
        label={text.start}
        value={draft.start}
        onChange={(start) => onChange({ ...draft, start })}
      />
      <NumberField
        {...bounds}
        label={text.end}
        value={draft.end}
        problemId={problemId}
        onChange={(end) => onChange({ ...draft, end })}
      />
    </>
  )
}

/** In tenths of a second, and never after the end. */
function roundedDown(lengthSec: number): string {
  return (Math.floor(lengthSec * 10) / 10).toFixed(1)
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
        <span>{isTrim ? text.trim.made(String(start), String(end)) : text.trim.uploaded}</span>
        <Badge tone={TONES[status]}>{text.trim.status[status]}</Badge>
      </p>
      {status === 'failed' && (
        <p className={styles.problem}>
          {text.trim.failedBecause(reasonOf(processed.failure_reason))}
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
