import { ConfirmButton } from '../../../design/confirm-button.tsx'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { useText } from '../text.ts'
import { AvailableRecording } from './available-recording.tsx'
import styles from './recordings.module.css'
import { useReason, useRecordingsText } from './text.ts'

interface RecordingDetailProps {
  recording: ListedRecording
  onRemoved: () => void
}

/** A recording with its video, its transcripts, and the actions on it. */
export function RecordingDetail({ recording, onRemoved }: RecordingDetailProps) {
  const text = useRecordingsText()
  const { error } = useText()
  const tenant = useTenantApi()
  return (
    <div className={styles.detail}>
      {recording.status === 'available' ? (
        <AvailableRecording recording={recording} />
      ) : (
        <WhyNot recording={recording} />
      )}
      <div className={styles.buttons}>
        <ConfirmButton
          label={text.remove}
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
      </div>
    </div>
  )
}

/** The reason why there is no video. */
function WhyNot({ recording: { status, failure_reason } }: { recording: ListedRecording }) {
  const text = useRecordingsText()
  const reasonOf = useReason()
  if (status === 'failed') {
    return <p className={styles.problem}>{text.failedBecause(reasonOf(failure_reason))}</p>
  }
  return <p className={styles.lead}>{status === 'expired' ? text.expired : text.notYet}</p>
}
