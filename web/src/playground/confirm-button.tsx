import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from '../design/button.tsx'
import styles from './confirm-button.module.css'
import { useText } from './text.ts'
import { useAction } from './use-action.ts'

interface ConfirmButtonProps {
  label: string
  words: { title: string; body: string; confirm: string; pending: string; cancel: string }
  isDisabled?: boolean
  onConfirm: () => Promise<void>
}

/** Asks once before something that cannot be undone. */
export function ConfirmButton({ label, words, isDisabled = false, onConfirm }: ConfirmButtonProps) {
  const failed = useText().error.failed
  const { isBusy, problem, run } = useAction()

  return (
    <DialogTrigger>
      <Button isDisabled={isDisabled}>{label}</Button>
      <ModalOverlay className={styles.overlay ?? ''} isDismissable>
        <Modal className={styles.modal ?? ''}>
          <Dialog className={styles.dialog ?? ''} role="alertdialog">
            {({ close }) => (
              <>
                <Heading slot="title" level={2}>
                  {words.title}
                </Heading>
                <p>{words.body}</p>
                {problem !== null && <p role="alert">{failed}</p>}
                <div className={styles.buttons}>
                  <Button onPress={close}>{words.cancel}</Button>
                  <Button
                    look="danger"
                    isPending={isBusy}
                    onPress={() => {
                      void run(onConfirm).then((isDone) => isDone && close())
                    }}
                  >
                    {isBusy ? words.pending : words.confirm}
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
