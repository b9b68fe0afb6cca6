import { type ReactNode, useEffect } from 'react'
import { ClockIcon, FileIcon, LinkIcon, RecordingIcon, WarningIcon } from '../design/icons.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { CheckingPage } from '../pages/checking-page.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import { DownloadButton } from './download-button.tsx'
import type { ReviewApi } from './review-api.ts'
import { useText } from './review-text.ts'
import type { ReviewedRecording } from './review-visit.ts'

interface ClosedPageProps {
  icon: ReactNode
  title: string
  body: string
  children?: ReactNode
  action?: ReactNode
}

function ClosedPage(props: ClosedPageProps) {
  const { documentTitle } = useText()
  const { title } = props
  useEffect(() => {
    document.title = `${title} · ${documentTitle}`
  }, [title, documentTitle])
  return <MessagePage {...props} />
}

/** The link is not valid, has expired, or was revoked. */
export function EndedPage() {
  const { ended } = useText().closed
  return <ClosedPage icon={<LinkIcon />} {...ended} />
}

export function MissingPage() {
  const { missing } = useText().closed
  return <ClosedPage icon={<FileIcon />} {...missing} />
}

export function LoadingPage({ isOffline }: { isOffline: boolean }) {
  const { offline } = useText().closed
  return isOffline ? <ClosedPage icon={<WarningIcon />} {...offline} /> : <CheckingPage />
}

/** Nothing has been recorded yet. The page opens by itself. */
export function EmptyPage() {
  const { empty } = useText().closed
  return <ClosedPage icon={<RecordingIcon />} {...empty} />
}

interface UnplayablePageProps {
  api: ReviewApi
  recording: ReviewedRecording
  canDownload: boolean
}

/** Says why the recording cannot be watched here, or not yet. */
export function UnplayablePage({ api, recording, canDownload }: UnplayablePageProps) {
  const text = useText()
  const locale = useLocale()
  const { status, output_mode: mode, estimated_available_at: readyAt } = recording
  const why = status === 'available' && mode === 'individual' ? 'individual' : status
  const page = text.closed[why === 'available' ? 'missing' : why]
  const isWaiting = status === 'stopped' || status === 'uploaded'
  return (
    <ClosedPage
      icon={isWaiting ? <ClockIcon /> : <RecordingIcon isOff={status === 'failed'} />}
      {...page}
      {...(why === 'individual' &&
        canDownload && {
          action: (
            <DownloadButton
              look="primary"
              label={text.downloadZip}
              issue={() => api.downloadUrl(recording.id)}
            />
          ),
        })}
    >
      {isWaiting && (
        <output>
          {readyAt === null ? text.noEstimate : text.readyAt(momentText(readyAt, locale))}
        </output>
      )}
    </ClosedPage>
  )
}
