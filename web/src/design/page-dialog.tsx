import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './page-dialog.module.css'

interface PageDialogProps {
  title: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
  /** The main one comes last. */
  buttons: ReactNode
}

export function PageDialog({ title, isOpen, onOpenChange, children, buttons }: PageDialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          <div className={styles.buttons}>{buttons}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
