import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import { canBlurBackground } from './support.ts'

interface BlurChoiceProps {
  isOn: boolean
  /** The blur is loading. A camera that is on shows its background until then. */
  isStarting?: boolean
  onChange: (isOn: boolean) => void
}

/** A checkbox for blurring the own background. Hidden if the browser cannot blur, unless it was chosen before. */
export function BlurChoice({ isOn, isStarting = false, onChange }: BlurChoiceProps) {
  const text = useText().device
  if (!canBlurBackground() && !isOn) return null
  return (
    <div>
      <label className={styles.choice}>
        <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
        {text.blur}
      </label>
      <output className={styles.hint}>{isStarting && text.blurStarting}</output>
    </div>
  )
}
