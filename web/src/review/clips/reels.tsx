import type { ReelBody } from '@interview-room/contract/reels.ts'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { ConfirmButton } from '../../design/confirm-button.tsx'
import { PageDialog } from '../../design/page-dialog.tsx'
import { DownloadButton } from '../download-button.tsx'
import { useText } from '../review-text.ts'
import { ShareButton } from '../sharing/share-dialog.tsx'
import { useStudy } from '../study-context.ts'
import { FileVideo } from '../watching/file-video.tsx'
import { FileState } from './clip-row.tsx'
import styles from './clips.module.css'
import { ReelForm } from './reel-form.tsx'

/** The reels of the room, and a new one. */
export function Reels() {
  const text = useText().reels
  const { clips, reels } = useStudy()
  const [isMaking, setIsMaking] = useState(false)
  const all = reels.data?.toReversed() ?? []
  const canMake = (clips.data ?? []).some(({ status }) => status === 'available')
  if (all.length === 0 && !canMake) return null
  return (
    <section className={styles.reels} aria-label={text.list}>
      <h3>
        <span>{text.list}</span>
        {canMake && !isMaking && (
          <Button size="small" onPress={() => setIsMaking(true)}>
            {text.start}
          </Button>
        )}
      </h3>
      {isMaking && <ReelForm onClose={() => setIsMaking(false)} />}
      <ul className={styles.clips} aria-label={text.list}>
        {all.map((reel) => (
          <ReelRow key={reel.id} reel={reel} />
        ))}
      </ul>
    </section>
  )
}

function ReelRow({ reel }: { reel: ReelBody }) {
  const text = useText()
  const { api, may, recording, reels } = useStudy()
  const { id, status, title, title_card: card, clip_ids: clipIds, viewer } = reel
  const { recording_ids: recordingIds } = reel
  const name = title ?? card ?? text.reels.unnamed
  return (
    <li className={styles.clip}>
      <p className={styles.name}>
        <strong>{name}</strong>
        <FileState file={reel} />
      </p>
      <p className={styles.facts}>
        <span>{text.reels.count(clipIds.length)}</span>
        {reel.duration_sec !== null && (
          <span>{text.clips.length(reel.duration_sec.toFixed(1))}</span>
        )}
        {viewer !== null && <span>{viewer.name}</span>}
      </p>
      <div className={styles.buttons}>
        {status === 'available' && <PlayReel reel={reel} name={name} />}
        {status === 'available' && may('download') && (
          <DownloadButton label={text.download} of={name} issue={() => api.reelUrl(id)} />
        )}
        {may('share') && recordingIds.includes(recording.id) && <ShareButton what={id} of={name} />}
        <ConfirmButton
          label={text.remove}
          of={name}
          words={{
            title: text.reels.removeTitle,
            body: text.reels.removeBody(name),
            confirm: text.remove,
            pending: text.removing,
            cancel: text.cancel,
            failed: text.problems.again,
          }}
          onConfirm={async () => {
            await api.deleteReel(id)
            await reels.reload()
          }}
        />
      </div>
    </li>
  )
}

function PlayReel({ reel, name }: { reel: ReelBody; name: string }) {
  const text = useText()
  const { api, player, review } = useStudy()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        aria-label={`${text.clips.play}: ${name}`}
        onPress={() => {
          player.pause()
          setIsOpen(true)
        }}
      >
        {text.clips.play}
      </Button>
      <PageDialog
        title={name}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        buttons={<Button onPress={() => setIsOpen(false)}>{text.keys.close}</Button>}
      >
        <FileVideo api={api} file={reel} watermark={review.watermark} />
      </PageDialog>
    </>
  )
}
