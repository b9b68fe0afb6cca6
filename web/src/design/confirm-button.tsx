import { useState } from 'react'
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import styles from './confirm-button.module.css'

interface ConfirmButtonProps {
  label: string
  /** The subject of the action. In a list of such buttons it makes their accessible names different. */
  of?: string
  words: {
    title: string
    body: string
    confirm: string
    pending: string
    cancel: string
    failed: string
  }
  isDisabled?: boolean
  /** Runs after the confirmation. It reports a failure by throwing. */
  onConfirm: () => Promise<void>
}

/** Asks once before something that cannot be undone. */
export function ConfirmButton({
  label,
  of,
  words,
  isDisabled = false,
  onConfirm,
}: ConfirmButtonProps) {
  const name = of === undefined ? {} : { 'aria-label': `${label}: ${of}` }
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')

  async function confirm(close: () => void): Promise<void> {
    setState('busy')
    try {
      await onConfirm()
      setState('idle')
      close()
    } catch {
      setState('failed')
    }
  }

  return (
    <DialogTrigger onOpenChange={() => setState('idle')}>
      <Button isDisabled={isDisabled} {...name}>
        {label}
      </Button>
      <ModalOverlay className={styles.overlay ?? ''} isDismissable>
        <Modal className={styles.modal ?? ''}>
          <Dialog className={styles.dialog ?? ''} role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title" level={2}>
                  {words.title}
                </Heading>
                <p>{words.body}</p>
                {state === 'failed' && <p role="alert">{words.failed}</p>}
                <div className={styles.buttons}>
                  <Button onPress={close}>{words.cancel}</Button>
                  <Button
                    look="danger"
                    isPending={state === 'busy'}
                    onPress={() => void confirm(close)}
                  >
                    {state === 'busy' ? words.pending : words.confirm}
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
