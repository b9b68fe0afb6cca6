import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'
import { canBlurBackground } from './support.ts'

interface BlurChoiceProps {
  isOn: boolean
  /** A camera that is on is seen with its background until then. */
  isStarting?: boolean
  onChange: (isOn: boolean) => void
}

/** Whether the own background is blurred. Nothing where the browser cannot, unless it was chosen before. */
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
