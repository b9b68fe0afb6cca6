import styles from './level-meter.module.css'

const STEPS = 16
/** People perceive loudness logarithmically. The bar spans the range from the quietest word to a shout. */
const FLOOR_DB = -52
const CEILING_DB = -12

interface LevelMeterProps {
  label: string
  /** Root mean square, 0..1. */
  level: number
}

export function LevelMeter({ label, level }: LevelMeterProps) {
  const lit = stepsLit(level)
  return (
    <div>
      <meter className="visually-hidden" aria-label={label} min={0} max={STEPS} value={lit} />
      <div className={styles.meter} aria-hidden="true">
        {Array.from({ length: STEPS }, (_, step) => (
          <span key={step} data-lit={step < lit} />
        ))}
      </div>
    </div>
  )
}

function stepsLit(level: number): number {
  if (level <= 0) return 0
  const share = (20 * Math.log10(level) - FLOOR_DB) / (CEILING_DB - FLOOR_DB)
  return Math.round(Math.min(1, Math.max(0, share)) * STEPS)
}
