import { useText } from '../i18n/text.ts'
import styles from './checks.module.css'

interface NoiseChoiceProps {
  isOn: boolean
  hasFailed?: boolean
  onChange: (isOn: boolean) => void
}

/** A checkbox for noise suppression of the microphone. Hidden if the browser cannot do it. */
export function NoiseChoice({ isOn, hasFailed = false, onChange }: NoiseChoiceProps) {
  const text = useText().device
  if (!canSuppressNoise()) return null
  return (
    <>
      <label className={styles.choice}>
        <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
        {text.noise}
      </label>
      {hasFailed && (
        <p className={styles.failed} role="alert">
          {text.noiseFailed}
        </p>
      )}
    </>
  )
}

function canSuppressNoise(): boolean {
  return 'AudioWorkletNode' in globalThis && 'WebAssembly' in globalThis
}
