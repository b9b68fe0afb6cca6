import type { DownloadAccessBody } from '@interview-room/contract/access-log.ts'
import { useCallback } from 'react'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { useConsole } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { Facts, ListPanel } from './list-panel.tsx'
import { useList } from './use-list.ts'

/** The download URLs that were issued, with their recording, who asked, and the end of validity. */
export function AccessLog() {
  const { api } = useConsole()
  const text = useText().accessLog
  const locale = useLocale()
  const load = useCallback(
    (cursor?: string) =>
      api<'listDownloadAccesses'>('GET', '/access-log', { query: { ...(cursor && { cursor }) } }),
    [api],
  )
  const list = useList<DownloadAccessBody>(load)
  const kindOf = (access: DownloadAccessBody) => {
    if (access.processed_recording_id !== null) return text.processedRecording
    if (access.clip_id !== null) return text.clip
    if (access.reel_id !== null) return text.reel
    return access.transcription_id === null ? text.recording : text.transcription
  }
  const whoAsked = ({ viewer, api_key_id: keyId }: DownloadAccessBody): [string, string][] => {
    if (viewer !== null) return [[text.viewer, viewer.reference]]
    return keyId === null ? [] : [[text.apiKey, keyId]]
  }
  return (
    <ListPanel title={text.title} empty={text.empty} list={list}>
      {(access) => (
        <li key={access.id} className={styles.row}>
          <div className={styles.rowTitle}>
            <strong>{kindOf(access)}</strong>
            <time dateTime={access.issued_at}>{momentText(access.issued_at, locale)}</time>
          </div>
          <Facts
            facts={[
              [text.recordingId, <code key="id">{access.recording_id}</code>],
              ...whoAsked(access),
              [text.until, momentText(access.expires_at, locale)],
            ]}
          />
        </li>
      )}
    </ListPanel>
  )
}
