import { Badge } from '../design/badge.tsx'
import { Frame } from './frame.tsx'
import styles from './measuring-page.module.css'
import type { TestState } from './test-state.ts'
import { useTestText } from './test-text.ts'

/** The progress of the measured run. Each step is announced to screen readers, and the percentage is not. */
export function MeasuringPage({ state }: { state: Extract<TestState, { phase: 'measuring' }> }) {
  const text = useTestText().measuring
  const { facts, step, share } = state
  return (
    <Frame title={text.title} lead={text.lead}>
      <div className={styles.card}>
        {facts.record && <Badge tone="danger">● {text.recorded}</Badge>}
        <progress
          className={styles.progress}
          aria-label={text.progress}
          max={100}
          value={Math.round(100 * share)}
        />
        <output className={styles.step}>{text.steps[step]}</output>
      </div>
    </Frame>
  )
}
