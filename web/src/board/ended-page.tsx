import { useEffect } from 'react'
import { LinkIcon } from '../design/icons.tsx'
import { MessagePage } from '../pages/message-page.tsx'
import { useText } from './board-text.ts'

/** Shown when the link is invalid, has expired, or was revoked. */
export function EndedPage() {
  const text = useText()
  useEffect(() => {
    document.title = `${text.endedTitle} · ${text.title}`
  }, [text])
  return <MessagePage icon={<LinkIcon />} title={text.endedTitle} body={text.endedBody} />
}
