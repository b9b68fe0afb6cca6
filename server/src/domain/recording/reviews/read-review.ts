import type { ReviewBody } from '@interview-room/contract/review.ts'
import type { Query } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { readConsentSettings } from '../../../platform/tenants/consent-settings.ts'
import { findRoomKey, findSlotOfRoom } from '../../booking/read-bookings.ts'
import type { Clip, Reel } from '../clips/clip.ts'
import { presentClip, presentReel } from '../clips/present.ts'
import { readClip, readReel } from '../clips/read-clips.ts'
import { listProcessedOf } from '../processed-recordings/store.ts'
import { listRecordings, readEstimates, readRecording } from '../recordings/read-recordings.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Viewer } from './viewer.ts'

/** More than a moderator starts in one interview. */
const RECORDINGS_MAX = 500

/** The facts that a viewer's token opens. Throws 404 NOT_FOUND for a recording or room that is not there. */
export async function readReview(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
): Promise<ReviewBody> {
  const { tenantId } = viewer
  const { roomId, recordings, clip, reel } = await openedBy(db, viewer)
  const estimates = await readEstimates(db, recordings, clock())
  const processed = await listProcessedOf(
    db,
    recordings.map(({ id }) => id),
  )
  const slot = await findSlotOfRoom(db, roomId)
  const { branding } = await readConsentSettings(db, tenantId)
  return {
    viewer: { reference: viewer.reference, name: viewer.displayName },
    may: [...viewer.may],
    expires_at: viewer.expiresAt.toISOString(),
    room_id: roomId,
    session:
      slot === undefined
        ? null
        : {
            name: slot.name,
            starts_at: slot.startsAt.toISOString(),
            ends_at: slot.endsAt.toISOString(),
          },
    recordings: recordings.map((recording) =>
      presentReviewed(recording, {
        estimate: estimates.get(recording.id),
        processed: processed.find(({ recordingId }) => recordingId === recording.id),
      }),
    ),
    clip: clip === undefined ? null : presentClip(clip),
    reel: reel === undefined ? null : presentReel(reel),
    watermark: viewer.watermark,
    transcription_languages: [...config.transcription.languages],
    branding,
  }
}

async function openedBy(
  query: Query,
  { tenantId, scope }: Viewer,
): Promise<{ roomId: string; recordings: Recording[]; clip?: Clip; reel?: Reel }> {
  if ('recordingId' in scope) {
    const recording = await readRecording(query, { tenantId, ...scope })
    const { roomId } = recording
    if (scope.clipId === undefined) return { roomId, recordings: [recording] }
    const id = { tenantId, clipId: scope.clipId }
    if (scope.isReel === true) return { roomId, recordings: [], reel: await readReel(query, id) }
    const clip = await readClip(query, id)
    return { roomId, recordings: [], clip }
  }
  const room = await findRoomKey(query, { tenantId, ...scope })
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  const page = { ...scope, after: undefined, limit: RECORDINGS_MAX }
  return { ...scope, recordings: await listRecordings(query, page) }
}

function presentReviewed(
  { id, status, outputMode, createdAt, durationSec }: Recording,
  {
    estimate,
    processed,
  }: {
    estimate: Date | undefined
    processed: Awaited<ReturnType<typeof listProcessedOf>>[number] | undefined
  },
): ReviewBody['recordings'][number] {
  return {
    id,
    status,
    output_mode: outputMode,
    started_at: createdAt.toISOString(),
    duration_sec: durationSec,
    estimated_available_at: estimate?.toISOString() ?? null,
    processed:
      processed === undefined
        ? null
        : {
            status: processed.status,
            trim_start_sec: processed.trimStartSec,
            trim_end_sec: processed.trimEndSec,
          },
  }
}
