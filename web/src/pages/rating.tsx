import { RATING_COMMENT_MAX, RATING_SCORE_MAX } from '@interview-room/contract/limits.ts'
import type { RatingRequest } from '@interview-room/contract/live-people.ts'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { usePeopleText } from '../i18n/people-text.ts'
import styles from './rating.module.css'

const SCORES = Array.from({ length: RATING_SCORE_MAX }, (_, index) => index + 1)

/** Sends a rating; resolves to true if the service accepted it. */
export type Rate = (rating: RatingRequest) => Promise<boolean>

/** Asks a respondent once, at the end, how the interview was. */
export function Rating({ onRate }: { onRate: Rate }) {
  const text = usePeopleText().rating
  const [score, setScore] = useState<number | null>(null)
  const [comment, setComment] = useState('')
  const [status, setStatus] = useState<'open' | 'sending' | 'sent' | 'failed'>('open')
  const thanks = useRef<HTMLOutputElement>(null)
  // The pressed button disappears, and the focus would be lost with it.
  useEffect(() => {
    if (status === 'sent') thanks.current?.focus()
  }, [status])

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault()
    if (score === null || status === 'sending') return
    setStatus('sending')
    const given = comment.trim()
    const isTaken = await onRate({ score, ...(given !== '' && { comment: given }) })
    setStatus(isTaken ? 'sent' : 'failed')
  }

  return (
    <section className={styles.rating} aria-label={text.title}>
      {status === 'sent' ? null : (
        <form onSubmit={(event) => void send(event)}>
          <fieldset>
            <legend>{text.title}</legend>
            <p>{text.lead}</p>
            <Scale chosen={score} onChoose={setScore} />
          </fieldset>
          {score !== null && (
            <>
              <label className={styles.comment}>
                <span>{text.comment}</span>
                <textarea
                  rows={3}
                  maxLength={RATING_COMMENT_MAX}
                  value={comment}
                  onChange={(event) => setComment(event.target.value)}
                />
              </label>
              <Button type="submit" look="primary" size="large" isPending={status === 'sending'}>
                {text.send}
              </Button>
            </>
          )}
        </form>
      )}
      <output className={styles.sent} ref={thanks} tabIndex={-1}>
        {status === 'sent' ? text.sent : ''}
      </output>
      {status === 'failed' && (
        <p className={styles.failed} role="alert">
          {text.failed}
        </p>
      )}
    </section>
  )
}

interface ScaleProps {
  chosen: number | null
  onChoose: (score: number) => void
}

function Scale({ chosen, onChoose }: ScaleProps) {
  const { lowest, highest } = usePeopleText().rating
  return (
    <>
      <div className={styles.scores}>
        {SCORES.map((each) => (
          <Score
            key={each}
            score={each}
            words={each === 1 ? lowest : each === SCORES.length ? highest : null}
            isChosen={chosen === each}
            onChoose={() => onChoose(each)}
          />
        ))}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{lowest}</span>
        <span>{highest}</span>
      </div>
    </>
  )
}

interface ScoreProps {
  score: number
  /** The labels of the lowest and highest score, shown below the scale. */
  words: string | null
  isChosen: boolean
  onChoose: () => void
}

function Score({ score, words, isChosen, onChoose }: ScoreProps) {
  return (
    <label className={styles.score} data-chosen={isChosen}>
      <input type="radio" name="score" checked={isChosen} onChange={onChoose} />
      <b>{score}</b>
      {words !== null && <span className="visually-hidden">{words}</span>}
    </label>
  )
}
