import type { TranscriptionKind } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { moveTranscription } from './move-transcription.ts'
import { addRevision, type StoredTranscript } from './store-transcript.ts'
import { findDefaults, findTranscription, insertTranscription } from './store.ts'

interface ReadyTranscript {
  recordingId: string
  kind: TranscriptionKind
  stored: StoredTranscript
}

/** Adds a transcript that exists already, in the language of the locked room. */
export async function addTranscript(
  tx: Tx,
  room: LockedRoomKey,
  { recordingId, kind, stored }: ReadyTranscript,
): Promise<void> {
  const { tenantId, roomId } = room
  const defaults = await findDefaults(tx, roomId)
  if (defaults === undefined) throw new Error('a recording without its room')
  const { seq, at } = await nextRoomMoment(tx, room)
  const id = uuidv7(at.getTime())
  const row = {
    id,
    tenantId,
    recordingId,
    roomId,
    seq,
    kind,
    createdAt: at,
    nextEngines: [],
    ...defaults,
  }
  const added = await insertTranscription(tx, row)
  if (added === undefined) throw new Error('the recording is being transcribed')
  for (const move of [{ to: 'processing' }, { to: 'done', resultKey: stored.resultKey }] as const) {
    const transcription = await findTranscription(tx, { tenantId, transcriptionId: id })
    if (transcription !== undefined) await moveTranscription(tx, transcription, { ...move, at })
  }
  const author = { kind: 'engine', reference: defaults.provider, name: null } as const
  await addRevision(tx, stored, { transcriptionId: id, revision: 0, author, createdAt: at })
}
