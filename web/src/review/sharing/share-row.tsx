import type { ShareBody } from '@interview-room/contract/shares.ts'
import { useState } from 'react'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { ConfirmButton } from '../../design/confirm-button.tsx'
import { copyText } from '../../design/copy-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import { momentText } from '../../i18n/times.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './share-dialog.module.css'

interface ShareRowProps {
  share: ShareBody
  /** Made just now: its address is selected for copying. */
  isNew: boolean
  onRevoked: () => void
}

/** A link with its state, its views, and the way to end it. */
export function ShareRow({ share, isNew, onRevoked }: ShareRowProps) {
  const text = useShareText()
  const { cancel, problems } = useText()
  const locale = useLocale()
  const { api, clips, reels } = useStudy()
  const state = stateOf(share)
  const clip = (clips.data ?? []).find(({ id }) => id === share.clip_id)
  const reel = (reels.data ?? []).find(({ id }) => id === share.reel_id)
  const ofReel = share.reel_id === null ? text.recording : text.reel(reel?.title ?? '')
  const subject = share.clip_id === null ? ofReel : text.clip(clip?.title ?? '')
  return (
    <li className={styles.row} data-new={isNew}>
      <p className={styles.facts}>
        <strong>{subject}</strong>
        <Badge tone={state === 'valid' ? 'good' : 'calm'}>{text[state]}</Badge>
        {share.has_password && <Badge tone="calm">{text.withPassword}</Badge>}
      </p>
      <p className={styles.facts}>
        <span>{share.may.map((ability) => text.abilities[ability]).join('・')}</span>
        <span>{text.until(momentText(share.expires_at, locale))}</span>
        <span>{text.views(share.views)}</span>
        {share.viewer !== null && <span>{text.by(share.viewer.name)}</span>}
      </p>
      {state === 'valid' && (
        <div className={styles.actions}>
          <input
            readOnly
            aria-label={text.link}
            value={share.url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton url={share.url} />
          <ConfirmButton
            label={text.revoke}
            of={subject}
            words={{
              title: text.revokeTitle,
              body: text.revokeBody,
              confirm: text.revoke,
              pending: text.revoking,
              cancel,
              failed: problems.again,
            }}
            onConfirm={async () => {
              await api.revokeShare(share.id)
              onRevoked()
            }}
          />
        </div>
      )}
    </li>
  )
}

function CopyButton({ url }: { url: string }) {
  const text = useShareText()
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null)
  return (
    <>
      <Button
        size="small"
        onPress={() =>
          void copyText(url).then((isDone) => setOutcome(isDone ? 'copied' : 'copyFailed'))
        }
      >
        {text.copy}
      </Button>
      <output>{outcome !== null && <span>{text[outcome]}</span>}</output>
    </>
  )
}

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: ShareBody) {
  if (revokedAt !== null) return 'revoked'
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}
