import { BrandMark } from '../design/branding.tsx'
import { Button } from '../design/button.tsx'
import { IconButton } from '../design/icon-button.tsx'
import { HelpIcon } from '../design/icons.tsx'
import { LanguageSwitch, useLocale } from '../i18n/language.tsx'
import { durationText, momentText } from '../i18n/times.ts'
import { Exports } from './exports.tsx'
import { useText } from './review-text.ts'
import { isPlayable, type ReviewedRecording } from './review-visit.ts'
import { ShareButton } from './sharing/share-dialog.tsx'
import { useStudy } from './study-context.ts'
import styles from './study-header.module.css'

/** The interview, the recordings of its room, and until when the link works. */
export function StudyHeader() {
  const text = useText()
  const locale = useLocale()
  const { desk, may, recording, review } = useStudy()
  const { session, recordings, viewer, expires_at: expiresAt } = review
  const startedAt = momentText(recording.started_at, locale)
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <BrandMark productName={text.productName} />
        <div className={styles.tools}>
          {may('share') && <ShareButton />}
          {may('download') && <Exports />}
          <IconButton
            label={text.keys.title}
            icon={<HelpIcon />}
            onPress={() => desk.set({ isHelpOpen: true })}
          />
          <LanguageSwitch />
        </div>
      </div>
      <div className={styles.line}>
        <h1>{session?.name ?? text.unnamed(startedAt)}</h1>
        <p className={styles.facts}>
          <span>{startedAt}</span>
          <span>{text.viewer(viewer.name, momentText(expiresAt, locale))}</span>
        </p>
      </div>
      {recordings.length > 1 && <Parts />}
    </header>
  )
}

/** The recordings of the room as chapters. One that cannot be watched says why. */
function Parts() {
  const text = useText()
  const { review, recording, onPart } = useStudy()
  return (
    <nav aria-label={text.parts}>
      <ol className={styles.parts}>
        {review.recordings.map((each, part) => (
          <li key={each.id}>
            <Button
              size="small"
              look={each.id === recording.id ? 'primary' : 'plain'}
              aria-current={each.id === recording.id}
              isDisabled={!isPlayable(each)}
              onPress={() => onPart(part)}
            >
              <PartName recording={each} part={part} />
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function PartName({ recording, part }: { recording: ReviewedRecording; part: number }) {
  const text = useText()
  const { duration_sec: durationSec, status, output_mode: mode } = recording
  const state = status === 'available' && mode === 'individual' ? 'individual' : status
  const said = isPlayable(recording)
    ? durationText(Math.round(durationSec ?? 0))
    : text.partStates[state]
  return <span>{text.part(part + 1, said)}</span>
}
