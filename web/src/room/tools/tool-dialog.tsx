import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './tool-dialog.module.css'

interface ToolDialogProps {
  title: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Asks for confirmation of something that cannot be undone. */
  isAlert?: boolean
  size?: 'medium' | 'wide'
  children: ReactNode
}

/** A dialog of the room with a title, a text and buttons. */
export function ToolDialog(props: ToolDialogProps) {
  const { title, isOpen, onOpenChange, isAlert = false, size = 'medium', children } = props
  const dialog = useRef<HTMLElement>(null)
  // A pressed button that disappears takes the focus with it, and Escape would not work.
  useLayoutEffect(() => {
    if (isOpen && document.activeElement === document.body) dialog.current?.focus()
  })
  useFocusAfter(isOpen)
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
    >
      <Modal className={`${styles.modal} ${styles[size]}`}>
        <Dialog
          ref={dialog}
          className={styles.dialog ?? ''}
          role={isAlert ? 'alertdialog' : 'dialog'}
        >
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/**
 * Moves the focus to the heading if the element that opened the dialog is gone, such as the button of a banned
 * person.
 */
function useFocusAfter(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    return () => {
      // In the first frame, the focus returns to the element that opened the dialog, if it still exists.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (document.activeElement !== document.body) return
          document.querySelector<HTMLElement>('h1[tabindex]')?.focus()
        }),
      )
    }
  }, [isOpen])
}

/** The buttons at the end of a dialog. The main one comes last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}

interface DialogFieldProps {
  label: string
  hint?: string
  value: string
  maxLength: number
  isRequired?: boolean
  onChange: (value: string) => void
}

export function DialogField(props: DialogFieldProps) {
  const { label, hint, value, maxLength, isRequired = false, onChange } = props
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        value={value}
        maxLength={maxLength}
        required={isRequired}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  )
}
