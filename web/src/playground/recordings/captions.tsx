import type { RefObject } from 'react'
import { type ListedTranscription, transcriptUrl } from './recordings-api.ts'
import { useRecordingsText } from './text.ts'

interface CaptionsProps {
  of: ListedTranscription
  trackRef: RefObject<HTMLTrackElement | null>
}

/** A transcript for the browser to read, also over the picture when somebody turns it on there. */
export function Captions({ of: { id, kind, language }, trackRef }: CaptionsProps) {
  const text = useRecordingsText().transcript
  return (
    <track
      ref={trackRef}
      kind="captions"
      src={transcriptUrl(id)}
      srcLang={kind === 'translation' ? 'en' : language}
      label={text.title}
    />
  )
}

/** Of an archive of several files: the browser reads captions as a part of a video only. */
export function UnseenCaptions(props: CaptionsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- it has, and nothing else
    <video hidden>
      <Captions {...props} />
    </video>
  )
}
