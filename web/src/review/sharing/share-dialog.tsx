import type { ShareBody } from '@interview-room/contract/shares.ts'
import { useCallback, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { PageDialog } from '../../design/page-dialog.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import { useLoaded } from '../../pages/use-loaded.ts'
import { useStudy } from '../study-context.ts'
import styles from './share-dialog.module.css'
import { ShareForm } from './share-form.tsx'
import { ShareRow } from './share-row.tsx'

interface ShareButtonProps {
  /** The id of a clip or a reel, and its name. */
  what?: string
  of?: string
}

/** Links to the recording, its clips and reels. */
export function ShareButton({ what, of }: ShareButtonProps) {
  const text = useShareText()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        {...(of !== undefined && { 'aria-label': `${text.open}: ${of}` })}
        onPress={() => setIsOpen(true)}
      >
        {text.open}
      </Button>
      <PageDialog
        title={text.title}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        buttons={<Button onPress={() => setIsOpen(false)}>{text.close}</Button>}
      >
        <p className={styles.lead}>{text.lead}</p>
        <Sharing what={what} />
      </PageDialog>
    </>
  )
}

function Sharing({ what }: { what: string | undefined }) {
  const text = useShareText()
  const { api, recording } = useStudy()
  const { id } = recording
  const shares = useLoaded(useCallback(() => api.shares(id), [api, id]))
  const [madeId, setMadeId] = useState<string | null>(null)
  const links: readonly ShareBody[] = shares.data?.toReversed() ?? []
  return (
    <>
      <ShareForm
        what={what}
        onMade={(share) => {
          setMadeId(share.id)
          void shares.reload()
        }}
      />
      <section className={styles.links} aria-label={text.list}>
        <h3>{text.list}</h3>
        {shares.data !== undefined && links.length === 0 && <p>{text.none}</p>}
        <ul>
          {links.map((share) => (
            <ShareRow
              key={share.id}
              share={share}
              isNew={share.id === madeId}
              onRevoked={() => void shares.reload()}
            />
          ))}
        </ul>
      </section>
    </>
  )
}
