import type { SignedUrlBody } from '@interview-room/contract/recordings.ts'
import { ActionMenu } from '../design/action-menu.tsx'
import { Button } from '../design/button.tsx'
import { useAction } from '../pages/use-action.ts'
import { Problem } from './problem.tsx'

interface DownloadButtonProps {
  label: string
  /** The subject of the download. In a list of such buttons it makes their accessible names different. */
  of?: string
  look?: 'primary' | 'plain'
  issue: () => Promise<SignedUrlBody>
}

/** Gets a new signed address for each press and opens it. The storage answers with a download. */
export function DownloadButton({ label, of, look = 'plain', issue }: DownloadButtonProps) {
  const { isBusy, error, run } = useAction()
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
      <Problem error={error} />
    </>
  )
}

interface DownloadMenuProps {
  label: string
  items: readonly { id: string; label: string }[]
  issue: (id: string) => Promise<SignedUrlBody>
}

/** The same for one of several files. */
export function DownloadMenu({ label, items, issue }: DownloadMenuProps) {
  const { isBusy, error, run } = useAction()
  return (
    <>
      <ActionMenu
        label={label}
        items={items}
        isPending={isBusy}
        onAction={(id) => void run(async () => location.assign((await issue(id)).url))}
      />
      <Problem error={error} />
    </>
  )
}
