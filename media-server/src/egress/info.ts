import {
  EgressInfo,
  EgressSourceType,
  EgressStatus,
  FileInfo,
  StreamInfo,
  StreamInfo_Status,
} from '@livekit/protocol'
import { newId } from '../lib/ids.ts'
import type { TrackReport } from './capture/room-capture.ts'
import type { RecordableRoom } from './egress-rooms.ts'
import type { EgressRequest } from './read-request.ts'

/** Why an egress ended, in the words of its details. */
export type EndReason =
  | 'StopEgress API'
  | 'Source closed'
  | 'Session limit reached'
  | 'Disk nearly full'
  | 'Disk failure'
  | 'Process killed; the worker was restarted'

export function newInfo(room: RecordableRoom, request: EgressRequest): EgressInfo {
  const now = nanos(Date.now())
  return new EgressInfo({
    egressId: newId('EG_'),
    roomId: room.sid,
    roomName: room.name,
    sourceType: request.case === 'roomComposite' ? EgressSourceType.WEB : EgressSourceType.SDK,
    status: EgressStatus.EGRESS_STARTING,
    startedAt: now,
    updatedAt: now,
    request: redacted(request),
  })
}

export function nanos(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n
}

/** When its media begins, in milliseconds since 1970; 0 before it is active. */
export function beginMsOf({ fileResults }: EgressInfo): number {
  return Number((fileResults[0]?.startedAt ?? 0n) / 1000n) / 1000
}

/** From the request to the last change: while it is ending, how long it was recorded. */
export function lengthMsOf({ startedAt, updatedAt }: EgressInfo): number {
  return Math.max(0, Number((updatedAt - startedAt) / 1_000_000n))
}

export function isFinal({ status }: EgressInfo): boolean {
  return status >= EgressStatus.EGRESS_COMPLETE
}

export function isRecording({ status }: EgressInfo): boolean {
  return status === EgressStatus.EGRESS_STARTING || status === EgressStatus.EGRESS_ACTIVE
}

export function statusName({ status }: EgressInfo): string {
  return EgressStatus[status]
}

/** Sets the file's part of the info, in the list and in the single field of former versions. */
export function setFile(info: EgressInfo, change: Partial<FileInfo>): void {
  const file = Object.assign(info.fileResults[0]?.clone() ?? new FileInfo(), change)
  info.fileResults = [file]
  info.result = { case: 'file', value: file }
}

/**
 * A track of a running capture, in the field of streams, which a file has none of: `track:<role>:<identity>` as URL, the taken bytes
 * as duration, and where nothing comes FAILED with the reason as error, since `lastRetryAt`.
 */
export function trackResult({ identity, role, takenBytes, lack }: TrackReport): StreamInfo {
  const result = new StreamInfo({
    url: `track:${role}:${identity}`,
    duration: BigInt(takenBytes),
    status: StreamInfo_Status.ACTIVE,
  })
  if (lack === undefined) return result
  result.status = StreamInfo_Status.FAILED
  result.error = lack.reason
  result.lastRetryAt = nanos(lack.sinceMs)
  return result
}

// Identifiers and secrets of an upload are never published again.
const SECRET_FIELDS = {
  accessKey: '{access_key}',
  secret: '{secret}',
  sessionToken: '{session_token}',
  assumeRoleArn: '{role_arn}',
  assumeRoleExternalId: '{external_id}',
} as const

function redacted(request: EgressRequest): EgressRequest {
  const copy = { case: request.case, value: request.value.clone() } as EgressRequest
  const { value } = copy
  const former = 'output' in value && value.output.case === 'file' ? [value.output.value] : []
  for (const { output } of [...value.fileOutputs, ...former]) {
    if (output.case !== 's3') continue
    const upload = output.value
    for (const [field, mask] of Object.entries(SECRET_FIELDS)) {
      const name = field as keyof typeof SECRET_FIELDS
      if (upload[name] !== '') upload[name] = mask
    }
  }
  return copy
}
