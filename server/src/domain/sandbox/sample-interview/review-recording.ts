import type { Tx } from '../../../platform/db/db.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { createClip } from '../../recording/clips/create-clip.ts'
import { endClip } from '../../recording/clips/end-clip.ts'
import { addComment } from '../../recording/reviews/comments.ts'
import type { Viewer } from '../../recording/reviews/viewer.ts'
import { addTranscript } from '../../recording/transcriptions/add-transcript.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { ANSWER, CLIPS, COMMENTS } from './sample-events.ts'
import { placeOf, type Sample } from './sample.ts'

/** Adds to an available recording what people make of it: transcripts, comments with an answer, and clips. */
export async function reviewRecording(
  tx: Tx,
  room: LockedRoomKey,
  { recordingId, facts, files, clock }: Sample & { clock: Clock },
): Promise<void> {
  const { tenantId, roomId } = room
  const { ja, en } = files.transcripts
  await addTranscript(tx, room, { recordingId, kind: 'transcription', stored: ja })
  await addTranscript(tx, room, { recordingId, kind: 'translation', stored: en })
  const viewerOf = (name: string): Viewer => ({
    tenantId,
    reference: `Sample:${name}`,
    displayName: name,
    scope: { recordingId },
    may: ['comment'],
    jti: '',
    expiresAt: clock(),
    shareId: null,
    watermark: null,
  })
  for (const [index, { by, text, ...place }] of COMMENTS.entries()) {
    const said = { text, offset_sec: placeOf(facts, place) }
    const { id } = await addComment(tx, { viewer: viewerOf(by), recordingId }, said)
    if (index > 0) continue
    const answer = { text: ANSWER.text, reply_to: id }
    await addComment(tx, { viewer: viewerOf(ANSWER.by), recordingId }, answer)
  }
  for (const [index, { title, tags }] of CLIPS.entries()) {
    const [range, file] = [facts.clips[index], files.clips[index]]
    if (range === undefined || file === undefined) throw new RangeError('the sample lacks a clip')
    const { startSec: start_sec, endSec: end_sec } = range
    const key = { tenantId, recordingId, maker: null, clock }
    const clip = await createClip(tx, key, { start_sec, end_sec, title, tags: [...tags] })
    const made = { ...file, durationSec: end_sec - start_sec }
    await endClip(tx, clip, { to: 'available', file: made, roomId, at: clock() })
  }
}
