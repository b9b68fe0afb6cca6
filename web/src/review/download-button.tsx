import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { Button } from '../design/button.tsx'
import { useText } from './review-text.ts'
import { useAction } from './use-action.ts'

interface DownloadButtonProps {
  label: string
  /** The subject of the download. In a list of such buttons it makes their accessible names different. */
  of?: string
  look?: 'primary' | 'plain'
  issue: () => Promise<SignedUrlBody>
}

/** Gets a new signed address for each press and opens it. The storage answers with a download. */
export function DownloadButton({ label, of, look = 'plain', issue }: DownloadButtonProps) {
  const text = useText()
  const { isBusy, problem, run } = useAction()
  return (
    <>
      <Button
        look={look}
        size={look === 'primary' ? 'large' : 'small'}
        isPending={isBusy}
        {...(of !== undefined && { 'aria-label': `${label}: ${of}` })}
        onPress={() => void run(async () => location.assign((await issue()).url))}
      >
        {label}
      </Button>
      {problem !== null && <span role="alert">{text.problems[problem]}</span>}
    </>
  )
}
