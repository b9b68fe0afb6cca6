import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { ReelBody } from '@interview-room/contract/reels.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { nameOf } from '../clip-name.ts'
import { DownloadButton } from '../download-button.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './clips.module.css'

const TONES = {
  pending: 'accent',
  available: 'good',
  failed: 'danger',
} as const satisfies Record<ClipBody['status'], string>

export function isPending(files: readonly (ClipBody | ReelBody)[]): boolean {
  return files.some(({ status }) => status === 'pending')
}

/** A clip with its state. Playing it plays its range of the recording. */
export function ClipRow({ clip }: { clip: ClipBody }) {
  const text = useText()
  const { api, clips } = useStudy()
  const { id, status, title, start_sec: startSec, end_sec: endSec, viewer, tags } = clip
  const range = nameOf({ ...clip, title: null })
  const name = title ?? range
  return (
    <li className={styles.clip}>
      <p className={styles.name}>
        <strong>{name}</strong>
        <FileState file={clip} />
      </p>
      <p className={styles.facts}>
        {title !== null && <span>{range}</span>}
        <span>{text.clips.length((endSec - startSec).toFixed(1))}</span>
        {viewer !== null && <span>{viewer.name}</span>}
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
      </p>
      <div className={styles.buttons}>
        <PlayRange clip={clip} name={name} />
        {status === 'available' && (
          <DownloadButton label={text.download} of={name} issue={() => api.clipUrl(id)} />
        )}
        <RemoveButton
          of={name}
          words={{ title: text.clips.removeTitle, body: text.clips.removeBody(name) }}
          onConfirm={async () => {
            await api.deleteClip(id)
            await clips.reload()
          }}
        />
      </div>
    </li>
  )
}

/** The state of a clip or a reel, with the finished share. */
export function FileState({ file }: { file: ClipBody | ReelBody }) {
  const text = useText().clips
  const { status, progress_percent: percent } = file
  return (
    <Badge tone={TONES[status]}>
      {percent === null ? text.status[status] : text.percent(percent)}
    </Badge>
  )
}

function PlayRange({ clip, name }: { clip: ClipBody; name: string }) {
  const text = useText().clips
  const { player } = useStudy()
  return (
    <Button
      size="small"
      aria-label={`${text.play}: ${name}`}
      onPress={() => player.playRange({ startSec: clip.start_sec, endSec: clip.end_sec })}
    >
      {text.play}
    </Button>
  )
}
