import { randomUUID } from 'node:crypto'
import { PROCESSED_UPLOAD_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { ProcessedRecordingRequest } from '@interview-room/contract/recordings.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import type { ReadyRecording, RecordingKey } from '../recordings/recording.ts'
import {
  refuseArchive,
  refuseBehindEnd,
  refuseEmptyRange,
  requireReady,
} from '../trims/refuse-untrimmable.ts'
import type { ProcessedRecording } from './processed-recording.ts'
import { insertProcessed, type NewProcessedRow } from './store.ts'
import { trimProcessedRequest } from './trim-request.ts'

/** An order for a range of the recording, or for an address to upload a file made elsewhere. */
export type ProcessedOrder =
  | { source: 'trim'; trimStartSec: number; trimEndSec: number }
  | { source: 'upload'; uploadKey: string; upload: SignedUrl }

/**
 * Reads the order from a body. The address of an upload is signed before the transaction, so that the transaction does not
 * wait for the storage. Throws 400 INVALID_REQUEST for an invalid range.
 */
export async function prepareProcessed(
  { storage, config }: Pick<Deps, 'storage' | 'config'>,
  tenantId: string,
  body: ProcessedRecordingRequest,
): Promise<ProcessedOrder> {
  if (body.source === 'trim') return trimOf(body)
  // Half of the key is random, so it cannot be guessed.
  const uploadKey = `${tenantId}/processed-uploads/${randomUUID()}`
  const upload = await storage.signPut(uploadKey, {
    expiresInSec: config.processedRecordings.uploadUrlLifeSec,
    maxBytes: PROCESSED_UPLOAD_MAX_BYTES,
  })
  return { source: 'upload', uploadKey, upload }
}

const FIELDS = { start: 'trim_start_sec', end: 'trim_end_sec' }

function trimOf(body: ProcessedRecordingRequest): ProcessedOrder {
  const { trim_start_sec: trimStartSec, trim_end_sec: trimEndSec } = body
  if (trimStartSec === undefined || trimEndSec === undefined) {
    throw new Error('the schema lets no trim without its range through')
  }
  refuseEmptyRange({ startSec: trimStartSec, endSec: trimEndSec }, FIELDS)
  return { source: 'trim', trimStartSec, trimEndSec }
}

/**
 * Creates the one processed recording of a recording, pending. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE, 409
 * PROCESSED_RECORDING_ALREADY_EXISTS, 422 VALIDATION_ERROR when the range ends after the recording, or the recording is an
 * archive.
 */
export async function createProcessed(
  tx: Tx,
  key: RecordingKey,
  { order, now }: { order: ProcessedOrder; now: Date },
): Promise<ProcessedRecording> {
  const recording = requireReady(await lockRecording(tx, key))
  if (order.source === 'trim') refuseArchive(recording, UPLOAD_ONLY)
  const created = await insertProcessed(tx, rowOf(order, recording, now))
  if (created === undefined) throw new ServiceError('PROCESSED_RECORDING_ALREADY_EXISTS')
  if (order.source === 'trim') {
    const range = { startSec: order.trimStartSec, endSec: order.trimEndSec }
    refuseBehindEnd(range, recording, FIELDS.end)
    await enqueue(tx, trimProcessedRequest(created))
  }
  return created
}

const UPLOAD_ONLY = {
  field: 'source',
  message: 'must be upload: a recording with a file for each participant cannot be trimmed',
}

function rowOf(order: ProcessedOrder, recording: ReadyRecording, now: Date): NewProcessedRow {
  const { id: recordingId, tenantId } = recording
  const base = { id: uuidv7(now.getTime()), tenantId, recordingId, createdAt: now }
  if (order.source === 'trim') {
    const { source, trimStartSec, trimEndSec } = order
    return { ...base, source, trimStartSec, trimEndSec, uploadKey: null, uploadExpiresAt: null }
  }
  const { source, uploadKey, upload } = order
  const range = { trimStartSec: null, trimEndSec: null }
  return { ...base, source, ...range, uploadKey, uploadExpiresAt: upload.expiresAt }
}
