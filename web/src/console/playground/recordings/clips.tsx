import type { ClipBody } from '@interview-room/contract/clips.ts'
import { CLIP_TITLE_MAX } from '@interview-room/contract/limits.ts'
import { useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { TextField } from '../fields.tsx'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { DownloadButton } from './download-button.tsx'
import { RangeForm } from './range-form.tsx'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'

const TONES = {
  pending: 'accent',
  available: 'good',
  failed: 'danger',
} as const satisfies Record<ClipBody['status'], string>

interface ClipsProps {
  recording: ListedRecording
  clips: readonly ClipBody[]
  onChanged: () => void
}

/** Ranges of the recording as separate videos. There can be several. */
export function Clips({ recording, clips, onChanged }: ClipsProps) {
  const text = useRecordingsText().clips
  return (
    <section className={styles.part} aria-label={text.title}>
      <h4>{text.title}</h4>
      <ClipForm recording={recording} onChanged={onChanged} />
      {clips.length > 0 && (
        <ul className={styles.list} aria-label={text.title}>
          {clips.map((clip) => (
            <Clip key={clip.id} clip={clip} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ClipForm({ recording, onChanged }: Pick<ClipsProps, 'recording' | 'onChanged'>) {
  const text = useRecordingsText().clips
  const [title, setTitle] = useState('')
  const tenant = useTenantApi()
  return (
    <RangeForm
      recording={recording}
      lead={text.lead}
      submit={text.submit}
      order={async (range) => {
        await tenant.clip(recording.id, { ...range, title: title.trim() })
        // The next title may have been entered already.
        setTitle((now) => (now === title ? '' : now))
      }}
      onChanged={onChanged}
    >
      <TextField label={text.name} value={title} maxLength={CLIP_TITLE_MAX} onChange={setTitle} />
    </RangeForm>
  )
}

function Clip({ clip, onChanged }: { clip: ClipBody; onChanged: () => void }) {
  const text = useRecordingsText()
  const { error } = useText()
  const tenant = useTenantApi()
  const reasonOf = useReason()
  const { id, status, title, start_sec: start, end_sec: end } = clip
  const range = text.range.fromTo(String(start), String(end))
  const name = title === null ? range : `${title} (${range})`
  return (
    <li className={styles.row}>
      <div className={styles.facts}>
        <span>{name}</span>
        <Badge tone={TONES[status]}>{text.clips.status[status]}</Badge>
        <div className={styles.buttons}>
          {status === 'available' && (
            <DownloadButton label={text.download} of={name} issue={() => tenant.clipUrl(id)} />
          )}
          <ConfirmButton
            label={text.clips.remove}
            of={name}
            words={{
              title: text.clips.removeTitle,
              body: text.clips.removeBody(name),
              confirm: text.removeConfirm,
              pending: text.removing,
              cancel: text.cancel,
              failed: error.again,
            }}
            onConfirm={async () => {
              await tenant.removeClip(id)
              onChanged()
            }}
          />
        </div>
      </div>
      {status === 'failed' && (
        <p className={styles.problem}>{text.range.failedBecause(reasonOf(clip.failure_reason))}</p>
      )}
    </li>
  )
}
