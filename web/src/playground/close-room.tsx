import { useState } from 'react'
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from '../design/button.tsx'
import styles from './close-room.module.css'
import { useText } from './text.ts'

interface CloseRoomProps {
  isOpen: boolean
  onClose: () => Promise<void>
}

/** Asks once before everybody is put out. */
export function CloseRoom({ isOpen, onClose }: CloseRoomProps) {
  const text = useText()
  const [status, setStatus] = useState<'idle' | 'closing' | 'failed'>('idle')

  async function confirm(dismiss: () => void): Promise<void> {
    setStatus('closing')
    try {
      await onClose()
      setStatus('idle')
      dismiss()
    } catch {
      setStatus('failed')
    }
  }

  return (
    <DialogTrigger>
      <Button data-testid="close-room" isDisabled={!isOpen}>
        {text.room.close}
      </Button>
      <ModalOverlay className={styles.overlay ?? ''} isDismissable>
        <Modal className={styles.modal ?? ''}>
          <Dialog className={styles.dialog ?? ''} role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title" level={2}>
                  {text.room.closeTitle}
                </Heading>
                <p>{text.room.closeBody}</p>
                {status === 'failed' && <p role="alert">{text.error.failed}</p>}
                <div className={styles.buttons}>
                  <Button onPress={close}>{text.room.cancel}</Button>
                  <Button
                    look="danger"
                    data-testid="close-room-confirm"
                    isPending={status === 'closing'}
                    onPress={() => void confirm(close)}
                  >
                    {status === 'closing' ? text.room.closing : text.room.closeConfirm}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}
