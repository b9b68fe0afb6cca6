import type { ReviewBody } from '@interview-room/contract/review.ts'
import { BrandMark } from '../../design/branding.tsx'
import { LanguageSwitch } from '../../i18n/language.tsx'
import { useShareText } from '../../i18n/share-text.ts'
import type { ReviewApi } from '../review-api.ts'
import { useText } from '../review-text.ts'
import { FileVideo } from '../watching/file-video.tsx'
import styles from './file-page.module.css'

/** A clip or a reel that somebody shared, and nothing else. */
export function FilePage({ api, review }: { api: ReviewApi; review: ReviewBody }) {
  const { productName } = useText()
  const text = useShareText().clipPage
  const { clip, reel, watermark } = review
  const file = clip ?? reel
  if (file === null) return null
  const { status, title } = file
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <BrandMark productName={productName} />
        <LanguageSwitch />
      </header>
      <main className={styles.main}>
        <h1>{title ?? text.untitled}</h1>
        {status === 'available' ? (
          <FileVideo api={api} file={file} watermark={watermark} />
        ) : (
          <output>{text[status]}</output>
        )}
      </main>
    </div>
  )
}
