import { useCallback, useEffect, useMemo, useState } from 'react'
import { SkipLink } from '../design/skip-link.tsx'
import { useMedia } from '../design/use-media.ts'
import { useLoaded } from '../pages/use-loaded.ts'
import { Player } from '../player/player.ts'
import { recallPlace, recallRate, rememberPlace, rememberRate } from '../player/remembered.ts'
import { silencesOf } from '../player/silences.ts'
import { Axis } from './axis/axis.tsx'
import { isPending } from './clips/clip-row.tsx'
import type { ReviewApi } from './review-api.ts'
import { addressOf } from './review-link.ts'
import type { ReviewedRecording, ReviewVisit } from './review-visit.ts'
import { createDesk, StudyContext, type StudyContextValue } from './study-context.ts'
import { StudyHeader } from './study-header.tsx'
import { StudyTabs } from './study-tabs.tsx'
import styles from './study.module.css'
import { useTranscripts } from './transcript/use-transcripts.ts'
import { KeyHelp } from './watching/key-help.tsx'
import { Screen } from './watching/screen.tsx'
import { useKeys } from './watching/use-keys.ts'

interface StudyProps {
  visit: ReviewVisit
  review: StudyContextValue['review']
  recording: ReviewedRecording
  place: { sec: number | null; isPlaying: boolean; searched: string }
  isAddressFree: boolean
  onPart: StudyContextValue['onPart']
  onEnded: () => void
}

/** How often comments are asked for. Few people watch one recording, and the list is short. */
const COMMENTS_MS = 5_000
const CLIPS_MS = 2_000
const commentsAgainMs = () => COMMENTS_MS
const clipsAgainMs = (clips: Parameters<typeof isPending>[0]) =>
  isPending(clips) ? CLIPS_MS : null

/** A recording with everything around it. */
export function Study(props: StudyProps) {
  const study = useStudyOf(props)
  const isWide = useMedia('(min-width: 64rem)')
  usePlace(study, props)
  useKeys(study)
  return (
    <StudyContext value={study}>
      <div className={styles.page}>
        <SkipLink />
        <StudyHeader />
        <main className={styles.main}>
          <div className={styles.watching}>
            <Screen />
            {isWide && <Axis />}
          </div>
          <StudyTabs hasAxis={!isWide} />
        </main>
        <KeyHelp />
      </div>
    </StudyContext>
  )
}

function useStudyOf(props: StudyProps): StudyContextValue {
  const { review, recording, place, onPart } = props
  const { api } = props.visit
  const { id } = recording
  const [desk] = useState(createDesk)
  const [player] = useState(() => newPlayer(api, recording, place.sec))
  const mayComment = review.may.includes('comment')
  const mayClip = review.may.includes('clip')
  const activity = useLoaded(useCallback(() => api.activity(id), [api, id]))
  const timeline = useLoaded(useCallback(() => api.timeline(id), [api, id]))
  const completeness = useLoaded(useCallback(() => api.completeness(id), [api, id]))
  const transcripts = useTranscripts(api, id, review.may.includes('correct'))
  const askComments = useMemo(
    () => (mayComment ? () => api.comments(id) : null),
    [api, id, mayComment],
  )
  const comments = useLoaded(askComments, { againMs: commentsAgainMs })
  const askClips = useMemo(() => (mayClip ? () => api.clips(id) : null), [api, id, mayClip])
  const clips = useLoaded(askClips, { againMs: clipsAgainMs })
  const roomId = review.room_id
  const askReels = useMemo(() => (mayClip ? () => api.reels(roomId) : null), [api, roomId, mayClip])
  const reels = useLoaded(askReels, { againMs: clipsAgainMs })
  useEffect(() => {
    const speech = (activity.data?.people ?? []).flatMap((person) =>
      person.speech.map(({ start_sec, end_sec }) => ({ startSec: start_sec, endSec: end_sec })),
    )
    player.setSilences(speech.length === 0 ? [] : silencesOf(speech, recording.duration_sec ?? 0))
  }, [activity.data, player, recording.duration_sec])
  return {
    api,
    review,
    recording,
    player,
    desk,
    may: (ability) => review.may.includes(ability),
    activity,
    timeline,
    completeness,
    transcripts,
    comments,
    clips,
    reels,
    onPart,
    searched: place.searched,
  }
}

function newPlayer(api: ReviewApi, recording: ReviewedRecording, sec: number | null): Player {
  const durationSec = recording.duration_sec ?? 0
  return new Player({
    durationSec,
    startSec: Math.min(sec ?? recallPlace(recording.id, durationSec), durationSec),
    rate: recallRate(),
    trimStartSec: recording.processed?.trim_start_sec ?? 0,
    issue: (version) => api.playback(recording.id, version),
  })
}

/** The address and the device remember the place, and a new address is followed. */
function usePlace({ player, review, recording }: StudyContextValue, props: StudyProps): void {
  const { place, isAddressFree, onEnded } = props
  const { isPlaying } = place
  const part = review.recordings.length > 1 ? review.recordings.indexOf(recording) + 1 : null
  useEffect(() => {
    if (place.sec !== null && place.sec !== player.store.get().sec) player.seek(place.sec)
  }, [player, place])
  useEffect(() => {
    if (isPlaying) player.play()
  }, [player, isPlaying])
  useEffect(() => {
    player.onEnded(onEnded)
    player.onPlaced(() => {
      const { sec: atSec } = player.store.get()
      rememberPlace(recording.id, atSec)
      if (isAddressFree) history.replaceState(null, '', addressOf({ part, sec: atSec }))
    })
  }, [player, recording.id, part, isAddressFree, onEnded])
  useEffect(() => {
    const leave = () => rememberPlace(recording.id, player.store.get().sec)
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [player, recording.id])
  useRate(player)
}

function useRate({ store }: Player): void {
  useEffect(() => store.subscribe(() => rememberRate(store.get().rate)), [store])
}
