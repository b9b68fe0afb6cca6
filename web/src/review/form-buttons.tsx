import { Button } from '../design/button.tsx'
import styles from './form-buttons.module.css'
import { useText } from './review-text.ts'

interface FormButtonsProps {
  label: string
  isBusy: boolean
  isDisabled?: boolean
  onCancel: () => void
}

/** Leaves a form, or sends it. */
export function FormButtons({ label, isBusy, isDisabled = false, onCancel }: FormButtonsProps) {
  const text = useText()
  return (
    <div className={styles.buttons}>
      <Button size="small" look="quiet" onPress={onCancel}>
        {text.cancel}
      </Button>
      <Button size="small" type="submit" look="primary" isPending={isBusy} isDisabled={isDisabled}>
        {label}
      </Button>
    </div>
  )
}
