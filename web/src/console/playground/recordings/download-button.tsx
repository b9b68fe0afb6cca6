import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { Button } from '../../../design/button.tsx'
import { useAction } from '../../use-action.ts'
import { useRecordingsText } from './text.ts'

interface DownloadButtonProps {
  label: string
  /** The subject of the download. In a list of such buttons it makes their accessible names different. */
  of?: string
  issue: () => Promise<SignedUrlBody>
}

/** Gets a new signed URL for each press and opens it. The storage answers with a download. */
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
