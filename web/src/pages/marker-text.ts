import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import type { Locale } from '@interview-room/contract/vocabulary.ts'
import type { ConsentDictionary } from '../i18n/consent-ja.ts'
import { slotText, timecode, timeText } from '../i18n/times.ts'

/** A person's markers as the lines of a text file, below the name and the time of the interview. */
export function markerText(
  { session, markers }: Pick<FarewellBody, 'session' | 'markers'>,
  text: ConsentDictionary['farewell']['markers'],
  locale: Locale,
): string {
  const head = session === null ? [] : [session.name ?? '', slotText(session, locale), '']
  const lines = markers.map(({ payload, created_at }) => {
    const { note, marked_at: markedAt, offset_sec: offsetSec } = payload ?? {}
    const at = timeText(typeof markedAt === 'string' ? markedAt : created_at, locale)
    const place = typeof offsetSec === 'number' ? [text.inRecording(timecode(offsetSec))] : []
    return [at, ...place, typeof note === 'string' ? note : text.withoutNote].join('\t')
  })
  return [...head.filter((line, index) => line !== '' || index > 0), ...lines, ''].join('\r\n')
}

/** Lets the browser save a text as a file. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
