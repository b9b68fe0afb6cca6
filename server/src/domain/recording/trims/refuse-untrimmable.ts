import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { isReady, type ReadyRecording, type Recording } from '../recordings/recording.ts'
import type { TrimRange } from './trim.ts'

/** Throws 400 INVALID_REQUEST, TRIM_RANGE_INVALID, on the field of the end unless it is behind the start. */
export function refuseEmptyRange(
  { startSec, endSec }: TrimRange,
  { start, end }: { start: string; end: string },
): void {
  if (startSec < endSec) return
  throw refuseField('INVALID_REQUEST', {
    field: end,
    code: 'TRIM_RANGE_INVALID',
    message: `must be later than ${start}`,
  })
}

/** Throws 409 RECORDING_NOT_AVAILABLE for a recording without a file. */
export function requireReady(recording: Recording): ReadyRecording {
  if (isReady(recording)) return recording
  throw new ServiceError('RECORDING_NOT_AVAILABLE')
}

/** An archive has a video for each participant, so there is no single one to cut. Throws 422 VALIDATION_ERROR. */
export function refuseArchive(
  { outputMode }: ReadyRecording,
  { field, message }: { field: string; message: string },
): void {
  if (outputMode === 'composed') return
  throw refuseField('VALIDATION_ERROR', { field, code: 'NOT_ALLOWED', message })
}

/** Throws 422 VALIDATION_ERROR, EXCEEDS_DURATION, for a range that ends after the recording. */
export function refuseBehindEnd(
  { endSec }: Pick<TrimRange, 'endSec'>,
  { durationSec }: ReadyRecording,
  field: string,
): void {
  if (endSec <= durationSec) return
  throw refuseField('VALIDATION_ERROR', {
    field,
    code: 'EXCEEDS_DURATION',
    message: 'must not be after the end of the recording',
  })
}
