import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import { type RefObject, useCallback, useState } from 'react'
import { transcriptUrl } from '../local-api.ts'
import { type ListedRecording, useTenantApi } from '../tenant-api.ts'
import { usePolled } from '../use-polled.ts'
import { AskTranscription } from './ask-transcription.tsx'
import { Clips } from './clips.tsx'
import { DownloadButton } from './download-button.tsx'
import { Player } from './player.tsx'
import styles from './recordings.module.css'
import { useRecordingsText } from './text.ts'
import { TranscriptLines } from './transcript-lines.tsx'
import { TranscriptList } from './transcript-list.tsx'
import { Trim } from './trim.tsx'
import { useTranscript } from './use-transcript.ts'
import { useVideo, type Video } from './use-video.ts'

/** The video with its transcript next to it, and the actions on it. */
export function AvailableRecording({ recording }: { recording: ListedRecording }) {
  const text = useRecordingsText().transcript
  const { id } = recording
  const tenant = useTenantApi()
  const { data, refresh } = usePolled(useCallback(() => tenant.made(id), [tenant, id]))
  const [chosenId, setChosenId] = useState<string | null>(null)
  const transcriptions = data?.transcriptions ?? []
  const shown = shownOf(transcriptions, chosenId)
  const video = useVideo(() => tenant.url(id))
  const { ref: trackRef, ...transcript } = useTranscript(shown?.id ?? null)
  const isVideo = recording.output_mode === 'composed'
  return (
    <>
      <div className={styles.beside}>
        <File recording={recording} shown={shown} video={video} trackRef={trackRef} />
        <section className={styles.part} aria-label={text.title}>
          <h4>{text.title}</h4>
          <TranscriptList
            transcriptions={transcriptions}
            shownId={shown?.id ?? null}
            onShow={setChosenId}
          />
          {shown !== undefined && (
            <TranscriptLines
              transcript={transcript}
              onSeek={isVideo ? (sec) => void video.play(sec) : null}
            />
          )}
          <AskTranscription recordingId={id} onAsked={refresh} />
        </section>
      </div>
      {isVideo && data !== undefined && (
        <>
          <Trim recording={recording} processed={data.processed} onChanged={refresh} />
          <Clips recording={recording} clips={data.clips} onChanged={refresh} />
        </>
      )}
    </>
  )
}

interface FileProps {
  recording: ListedRecording
  shown: TranscriptionBody | undefined
  video: Video
  trackRef: RefObject<HTMLTrackElement | null>
}

/** One video to play, or an archive to download. */
function File({ recording: { id, output_mode }, shown, video, trackRef }: FileProps) {
  const text = useRecordingsText()
  const tenant = useTenantApi()
  const isVideo = output_mode === 'composed'
  return (
    <section className={styles.part} aria-label={text.file}>
      {isVideo ? (
        <Player video={video} label={text.video}>
          {shown && <Captions key={shown.id} of={shown} trackRef={trackRef} />}
        </Player>
      ) : (
        <>
          <p className={styles.lead}>{text.individual}</p>
          {shown && <UnseenCaptions key={shown.id} of={shown} trackRef={trackRef} />}
        </>
      )}
      <div className={styles.buttons}>
        <DownloadButton
          label={isVideo ? text.download : text.downloadZip}
          issue={() => tenant.url(id)}
        />
      </div>
    </section>
  )
}

/** The chosen transcript, or else the newest finished one. */
function shownOf(
  transcriptions: readonly TranscriptionBody[],
  chosenId: string | null,
): TranscriptionBody | undefined {
  const done = transcriptions.filter(({ status }) => status === 'done')
  const newest = done.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]
  return done.find(({ id }) => id === chosenId) ?? newest
}

interface CaptionsProps {
  of: TranscriptionBody
  trackRef: RefObject<HTMLTrackElement | null>
}

/** The transcript as a caption track. It is also shown over the picture if somebody turns captions on there. */
function Captions({ of: { id, kind, language }, trackRef }: CaptionsProps) {
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

/**
 * The browser reads captions only as part of a video, and an archive of several files has none. This hidden video
 * loads them.
 */
function UnseenCaptions(props: CaptionsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- it has, and nothing else
    <video hidden>
      <Captions {...props} />
    </video>
  )
}
