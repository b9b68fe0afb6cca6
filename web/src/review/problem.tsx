import styles from './problem.module.css'
import { ReviewError } from './review-api.ts'
import { useText } from './review-text.ts'

/** Why an action failed, as the reader can understand it. */
export function Problem({ error }: { error: unknown }) {
  const { problems } = useText()
  if (error === null) return null
  return (
    <p className={styles.problem} role="alert">
      {problems[problemOf(error)]}
    </p>
  )
}

function problemOf(error: unknown): 'offline' | 'tooFast' | 'inProgress' | 'changed' | 'again' {
  const code = error instanceof ReviewError ? error.code : null
  if (code === 'OFFLINE') return 'offline'
  if (code === 'RATE_LIMIT_EXCEEDED') return 'tooFast'
  if (code === 'TRANSCRIPTION_IN_PROGRESS') return 'inProgress'
  if (code === 'PRECONDITION_FAILED') return 'changed'
  return 'again'
}
