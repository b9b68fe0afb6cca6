import { ConfirmButton } from '../design/confirm-button.tsx'
import { useText } from './review-text.ts'

interface RemoveButtonProps {
  /** The subject, for accessible names. */
  of: string
  words: { title: string; body: string }
  onConfirm: () => Promise<void>
}

/** Deletes something after a question. */
export function RemoveButton({ words, ...props }: RemoveButtonProps) {
  const { remove, removing, cancel, problems } = useText()
  return (
    <ConfirmButton
      {...props}
      label={remove}
      words={{ ...words, confirm: remove, pending: removing, cancel, failed: problems.again }}
    />
  )
}
