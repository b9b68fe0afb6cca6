import type { ClipBody } from '@interview-room/contract/clips.ts'
import { useEffect, useState } from 'react'
import { BrandMark } from '../../design/branding.tsx'
import { Button } from '../../design/button.tsx'
import { LanguageSwitch } from '../../i18n/language.tsx'
import type { ReviewApi } from '../review-api.ts'
import { useText } from '../review-text.ts'
import styles from './clip-page.module.css'
import { useShareText } from './share-text.ts'

interface ClipPageProps {
  api: ReviewApi
  clip: ClipBody
}

/** A clip that somebody shared, and nothing else. */
export function ClipPage({ api, clip }: ClipPageProps) {
  const { productName } = useText()
  const text = useShareText().clipPage
  const { status, title } = clip
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <BrandMark productName={productName} />
        <LanguageSwitch />
      </header>
      <main className={styles.main}>
        <h1>{title ?? text.untitled}</h1>
        {status === 'available' ? (
          <ClipVideo api={api} clipId={clip.id} />
        ) : (
          <output>{text[status]}</output>
        )}
      </main>
    </div>
  )
}

/** Plays the clip. An address lives for minutes, so a player that fails gets a new one at the same place. */
function ClipVideo({ api, clipId }: { api: ReviewApi; clipId: string }) {
  const text = useShareText().clipPage
  const [source, setSource] = useState<{ url: string; atSec: number } | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState({ count: 0, atSec: 0 })

  useEffect(() => {
    let isHere = true
    api.clipPlayback(clipId).then(
      ({ url }) => isHere && setSource({ url, atSec: attempt.atSec }),
      () => isHere && setHasFailed(true),
    )
    return () => {
      isHere = false
    }
  }, [api, clipId, attempt])

  function retry(): void {
    setHasFailed(false)
    setAttempt(({ count, atSec }) => ({ count: count + 1, atSec }))
  }

  if (hasFailed) {
    return (
      <div className={styles.failed} role="alert">
        <p>{text.unplayable}</p>
        <Button onPress={retry}>{text.retry}</Button>
      </div>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a clip is a file without a transcript of its own
    <video
      className={styles.video}
      controls
      playsInline
      aria-label={text.video}
      src={source?.url}
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = source?.atSec ?? 0
      }}
      onError={({ currentTarget }) => {
        const atSec = currentTarget.currentTime
        // The second failure at one place is no expired address.
        if (attempt.count > 0 && atSec <= attempt.atSec) setHasFailed(true)
        else setAttempt(({ count }) => ({ count: count + 1, atSec }))
      }}
    />
  )
}
