import { useCallback, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { timecode } from '../../i18n/times.ts'
import { useLoaded } from '../../pages/use-loaded.ts'
import { useText } from '../review-text.ts'
import { isPlayable, type ReviewedRecording } from '../review-visit.ts'
import { useStudy } from '../study-context.ts'
import styles from './other-recordings.module.css'
import { languageOf } from './use-transcripts.ts'

/** A reader who pauses this long has typed the words. */
const PAUSE_MS = 300

/** Lines with the words in the other recordings of the room. */
export function OtherRecordings({ words }: { words: string }) {
  const { review, recording } = useStudy()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  const others = review.recordings.filter(({ id }) => id !== recording.id).filter(isPlayable)
  if (asked === '' || others.length === 0) return null
  return (
    <div className={styles.others}>
      {others.map((each) => (
        <Hits key={`${each.id} ${asked}`} recording={each} words={asked} />
      ))}
    </div>
  )
}

/** Nothing without hits. A press goes there, and takes the words along. */
function Hits({ recording, words }: { recording: ReviewedRecording; words: string }) {
  const text = useText().transcript
  const { api, review, onPart } = useStudy()
  const { id } = recording
  const { data = [] } = useLoaded(useCallback(() => api.search(id, words), [api, id, words]))
  const part = review.recordings.indexOf(recording)
  // Another transcription of the same recording says the same.
  const hits = data.filter((hit) => hit.transcription_id === data.at(-1)?.transcription_id)
  if (hits.length === 0) return null
  return (
    <section aria-label={text.elsewhere(part + 1)}>
      <h3>{text.elsewhere(part + 1)}</h3>
      <ul>
        {hits.map(({ line, ...hit }, at) => (
          <li key={at}>
            <Button
              className={styles.hit ?? ''}
              onPress={() => onPart(part, line.start_sec, words)}
            >
              <time>{timecode(line.start_sec)}</time>
              <span lang={languageOf(hit)}>{line.text}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
