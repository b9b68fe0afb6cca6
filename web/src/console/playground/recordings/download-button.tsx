import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { Button } from '../../../design/button.tsx'
import { useAction } from '../../use-action.ts'
import { useRecordingsText } from './text.ts'

interface DownloadButtonProps {
  label: string
  /** What it downloads, where a list has several such buttons: their names must differ. */
  of?: string
  issue: () => Promise<SignedUrlBody>
}

/** Leads to a signed address of its own each time: the storage answers with a file to keep. */
export function DownloadButton({ label, of, issue }: DownloadButtonProps) {
  const text = useRecordingsText()
  const { isBusy, error, run } = useAction()
  return (
    <>
      <Button
        isPending={isBusy}
        {...(of !== undefined && { 'aria-label': `${label}: ${of}` })}
        onPress={() => void run(async () => location.assign((await issue()).url))}
      >
        {label}
      </Button>
      {error !== null && <p role="alert">{text.refused}</p>}
    </>
  )
}
