import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { DialogButtons, ToolDialog } from '../tools/tool-dialog.tsx'
import styles from './handout-preview.module.css'
import { nameOf } from './use-handouts.ts'

/** A thumbnail of a handout that opens a large preview. Only the moderator sees it. */
export function HandoutPreview({ handout }: { handout: HandoutBody }) {
  const text = useToolsText().handout
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <AriaButton
        className={styles.thumbnail ?? ''}
        aria-label={text.previewNamed(nameOf(handout))}
        onPress={() => setIsOpen(true)}
      >
        <Sight handout={handout} />
      </AriaButton>
      <ToolDialog title={text.previewTitle} isOpen={isOpen} onOpenChange={setIsOpen} size="wide">
        <p>{nameOf(handout)}</p>
        <div className={styles.large}>
          <Sight handout={handout} hasControls />
        </div>
        <DialogButtons>
          <Button onPress={() => setIsOpen(false)}>{text.closePreview}</Button>
        </DialogButtons>
      </ToolDialog>
    </>
  )
}

interface SightProps {
  handout: HandoutBody
  hasControls?: boolean
}

function Sight({ handout, hasControls = false }: SightProps) {
  const text = useToolsText().handout
  // The list brings new URLs of the file, and a new one may load.
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const onError = () => setBrokenUrl(handout.file_url)
  if (brokenUrl === handout.file_url)
    return <span className={styles.broken}>{hasControls ? text.cannotShow : '—'}</span>
  if (handout.content_type === 'image') {
    const alt = hasControls ? nameOf(handout) : ''
    return <img src={handout.file_url} alt={alt} loading="lazy" onError={onError} />
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a tenant's file brings no captions
    <video
      src={handout.file_url}
      preload="metadata"
      controls={hasControls}
      controlsList="nodownload"
      muted={!hasControls}
      playsInline
      onError={onError}
    />
  )
}
