import type { TranscriptionRequest } from '@interview-room/contract/recordings.ts'
import type { TranscriptionEngine, TranscriptionKind } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { canonicalLanguage } from '../../booking/new-room.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import { findDefaults, insertTranscription, isForConversation, listUnfinishedOf } from './store.ts'
import { transcribeRequest } from './transcribe-request.ts'
import type { Transcription } from './transcription.ts'

/** A request for a transcription. Missing options come from the room. */
export interface TranscriptionOrder {
  language: string | undefined
  provider: TranscriptionEngine | undefined
  kind: TranscriptionKind
}

/** Throws 400 INVALID_REQUEST for a language that is not offered. */
export function orderOf(
  body: TranscriptionRequest,
  languages: readonly string[],
): TranscriptionOrder {
  const language = body?.language
  return {
    language: language && canonicalLanguage(language, languages, 'language'),
    provider: body?.provider,
    kind: body?.translate === true ? 'translation' : 'transcription',
  }
}

/**
 * Starts a transcription of an available recording. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE, 409
 * TRANSCRIPTION_IN_PROGRESS while an identical one is running.
 */
export async function startTranscription(
  tx: Tx,
  key: RecordingKey,
  order: TranscriptionOrder,
): Promise<Transcription> {
  const recording = await lockRecording(tx, key)
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  const started = await beginTranscription(tx, recording, order)
  if (started === undefined) throw await inProgress(tx, recording, order)
  return started
}

/** Names the running transcription, unless it has ended since. */
async function inProgress(
  tx: Tx,
  recording: LockedRoomKey & { id: string },
  { language, kind }: TranscriptionOrder,
): Promise<ServiceError> {
  const running = await listUnfinishedOf(tx, recording.id)
  const wanted = language ?? (await findDefaults(tx, recording.roomId))?.language
  const same = running.find((each) => each.kind === kind && each.language === wanted)
  if (same === undefined) return new ServiceError('TRANSCRIPTION_IN_PROGRESS')
  return refuseField('TRANSCRIPTION_IN_PROGRESS', {
    field: 'language',
    code: 'DUPLICATE',
    message: `is in progress as transcription ${same.id}`,
  })
}

/**
 * Starts the automatic transcription with the defaults of the room, in the transaction that makes a locked recording
 * available. Recordings of connection tests are not transcribed.
 */
export async function startAutomatically(
  tx: Tx,
  recording: LockedRoomKey & { id: string },
): Promise<void> {
  const order = { language: undefined, provider: undefined, kind: 'transcription' } as const
  if (await isForConversation(tx, recording.roomId)) await beginTranscription(tx, recording, order)
}

/** Returns undefined while an identical one is running. */
async function beginTranscription(
  tx: Tx,
  recording: LockedRoomKey & { id: string },
  order: TranscriptionOrder,
): Promise<Transcription | undefined> {
  const { id: recordingId, tenantId, roomId } = recording
  const defaults = await findDefaults(tx, roomId)
  if (defaults === undefined) throw new Error('a recording without its room')
  const { seq, at } = await nextRoomMoment(tx, recording)
  const started = await insertTranscription(tx, {
    id: uuidv7(at.getTime()),
    tenantId,
    recordingId,
    roomId,
    seq,
    language: order.language ?? defaults.language,
    provider: order.provider ?? defaults.provider,
    // An engine that was asked for by name is the only one.
    nextEngines: order.provider
      ? []
      : defaults.failover.filter((engine) => engine !== defaults.provider),
    kind: order.kind,
    createdAt: at,
  })
  if (started !== undefined) await enqueue(tx, transcribeRequest(started))
  return started
}
