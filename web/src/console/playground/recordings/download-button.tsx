import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { Button } from '../../../design/button.tsx'
import { useAction } from '../../use-action.ts'
import { useRecordingsText } from './text.ts'

interface DownloadButtonProps {
  label: string
  issue: () => Promise<SignedUrlBody>
}

/** Leads to a signed address of its own each time: the storage answers with a file to keep. */
export function DownloadButton({ label, issue }: DownloadButtonProps) {
  const text = useRecordingsText()
  const { isBusy, error, run } = useAction()
  return (
    <>
      <Button
        isPending={isBusy}
        onPress={() => void run(async () => location.assign((await issue()).url))}
      >
        {label}
      </Button>
      {error !== null && <p role="alert">{text.refused}</p>}
    </>
  )
}
